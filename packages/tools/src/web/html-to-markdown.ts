/** Turns an HTML page into Markdown: its article if it has one, else all of it, and plain words where that is too much. */
import { type PageDocument, type PageNode, parsePage, textOf } from "./page-document.ts";
import { isParseable, stripTags } from "./strip-tags.ts";

export type PageText = { readonly title: string; readonly text: string };

/** Looking for the article takes time that grows with the square of the depth: 1,000 levels took 21 s, 200 take 50 ms. */
const depthMax = 200;
const nodesMax = 20_000;
/** Less than this is a teaser or a cookie notice rather than the article. */
const articleCharactersMin = 200;

export async function htmlToMarkdown(html: string, url: string): Promise<PageText> {
  if (!isParseable(html)) return { title: "", text: stripTags(html) };
  const page = await parsePage(html, url);
  const { title, nodes, depth } = page;
  if (depth > depthMax || nodes > nodesMax) return { title, text: textOf(page.body) };
  return { title, text: await toMarkdown(await findArticle(page, html, url)) };
}

export async function htmlToText(html: string, url: string): Promise<PageText> {
  if (!isParseable(html)) return { title: "", text: stripTags(html) };
  const { title, body } = await parsePage(html, url);
  return { title, text: textOf(body) };
}

/** The search takes its document apart, so the whole page is parsed again when there is no article. */
async function findArticle(page: PageDocument, html: string, url: string): Promise<PageNode> {
  const { Readability } = await import("@mozilla/readability");
  // The types of the package name a Document, which the compiler does not know here and therefore does not check.
  const options = { keepClasses: true, serializer: (node: unknown) => node };
  const found = new Readability(page.document as never, options).parse();
  if (found?.content != null && (found.textContent ?? "").trim().length >= articleCharactersMin) {
    // The serializer above hands on the element itself, which is a node of the same tree.
    return found.content as PageNode;
  }
  return (await parsePage(html, url)).body;
}

async function toMarkdown(body: PageNode): Promise<string> {
  const { default: TurndownService } = await import("turndown");
  const turndown = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
    hr: "---",
  });
  const tableOf = createTableFinder();
  turndown.addRule("row", {
    filter: (node: PageNode) => node.localName === "tr" && tableOf(node) !== undefined,
    replacement: (content, node: PageNode) =>
      `\n${content.trim()} |${tableOf(node)?.firstRow === node ? headRule(node) : ""}`,
  });
  turndown.addRule("cell", {
    filter: (node: PageNode) => (node.localName === "td" || node.localName === "th") && tableOf(node) !== undefined,
    replacement: (content) => ` | ${content.trim().replace(/\s+/g, " ").replaceAll("|", "\\|")}`,
  });
  turndown.addRule("table part", {
    filter: (node: PageNode) => /^(?:table|thead|tbody|tfoot)$/.test(node.localName) && tableOf(node) !== undefined,
    replacement: (content, node: PageNode) => (node.localName === "table" ? `\n\n${content.trim()}\n\n` : content),
  });
  return turndown
    .turndown(body)
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

type PlainTable = { readonly firstRow: PageNode | null };

/** Finds the table around a node if it is one of data; each is looked through once, since every cell asks. */
function createTableFinder(): (node: PageNode) => PlainTable | undefined {
  const known = new Map<PageNode, PlainTable | undefined>();
  return (node) => {
    let table: PageNode | null = node;
    while (table !== null && table.localName !== "table") table = table.parentNode;
    if (table === null) return undefined;
    if (!known.has(table)) known.set(table, isPlain(table) ? { firstRow: table.querySelector("tr") } : undefined);
    return known.get(table);
  };
}

/** Tables that arrange a page hold blocks or other tables; those are written one block after the other. */
function isPlain(table: PageNode): boolean {
  return table.querySelector("table, p, div, ul, ol, pre, h1, h2, h3, h4") === null;
}

function headRule(row: PageNode): string {
  return `\n|${" --- |".repeat([...row.querySelectorAll("td, th")].length)}`;
}
