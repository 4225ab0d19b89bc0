/** Turns HTML into a small document tree without what nobody reads, and walks it without recursion. */

/** What is used of the nodes; the packages type them by names of the browser that do not exist here. */
export type PageNode = {
  readonly nodeType: number;
  readonly localName: string;
  readonly parentNode: PageNode | null;
  readonly firstChild: PageNode | null;
  readonly nextSibling: PageNode | null;
  textContent: string;
  querySelector(selector: string): PageNode | null;
  querySelectorAll(selector: string): Iterable<PageNode>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
};

export type PageDocument = {
  readonly document: PageNode;
  readonly body: PageNode;
  readonly title: string;
  readonly nodes: number;
  readonly depth: number;
};

const unread = "script, style, noscript, template, iframe, object, embed, svg, canvas, link, title, [hidden]";
/** Bounded, because a page of nothing but `<body` would be searched to its end for each of them. */
const skeletonTags = /<!doctype[^>]{0,500}>|<\/?(?:html|head|body)(?:\s[^>]{0,500})?>/gi;

/** The parser wants a whole document; pages often are none, so theirs is taken away and a plain one put around. */
export async function parsePage(html: string, url: string): Promise<PageDocument> {
  const { parseHTML } = await import("linkedom");
  const { document } = parseHTML(`<html><head></head><body>${html.replace(skeletonTags, "")}</body></html>`);
  // The tree of linkedom has everything that PageNode names.
  const root = document as unknown as PageNode & { readonly body: PageNode };
  const title = root.querySelector("title")?.textContent.replace(/\s+/g, " ").trim() ?? "";
  const base = URL.parse(root.querySelector("base")?.getAttribute("href") ?? "", url)?.href ?? url;
  for (const node of [...root.querySelectorAll(unread)]) node.remove();
  completeLinks(root, base);
  return { document: root, body: root.body, title, ...measure(root.body) };
}

/** A link that leads to no page is left as its text; a picture inside the page itself would be long and unreadable. */
function completeLinks(root: PageNode, base: string): void {
  for (const [selector, attribute] of [
    ["a[href]", "href"],
    ["img[src]", "src"],
  ] as const) {
    for (const node of [...root.querySelectorAll(selector)]) {
      const target = URL.parse(node.getAttribute(attribute) ?? "", base);
      if (target !== null && /^https?:$/.test(target.protocol)) node.setAttribute(attribute, target.href);
      else node.removeAttribute(attribute);
    }
  }
}

function measure(body: PageNode): { readonly nodes: number; readonly depth: number } {
  let nodes = 0;
  let depthMax = 0;
  walk(body, (_, depth) => {
    nodes += 1;
    depthMax = Math.max(depthMax, depth);
  });
  return { nodes, depth: depthMax };
}

const elementNode = 1;
const textNode = 3;
const blockNames =
  /^(?:address|article|aside|blockquote|dd|details|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tr|ul)$/;

/** The words of the page, a line for each block. */
export function textOf(body: PageNode): string {
  const pieces: string[] = [];
  const isBlock = (node: PageNode) => node.nodeType === elementNode && blockNames.test(node.localName);
  let preformatted = 0;
  walk(
    body,
    (node) => {
      if (isBlock(node)) pieces.push("\n");
      if (node.localName === "pre") preformatted += 1;
      if (node.nodeType !== textNode) return;
      const words = preformatted > 0 ? node.textContent : node.textContent.replace(/\s+/g, " ");
      pieces.push(preformatted === 0 && pieces.at(-1) === "\n" ? words.trimStart() : words);
    },
    (node) => {
      if (isBlock(node) || node.localName === "br") pieces.push("\n");
      else if (node.localName === "td" || node.localName === "th") pieces.push("\t");
      if (node.localName === "pre") preformatted -= 1;
    },
  );
  // Line by line: an expression for white space before a line feed is slow in a page of nothing but white space.
  const lines = pieces.join("").split("\n");
  return lines
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+/, "")
    .trimEnd();
}

/** Recursion would end the process in a page that is nested a thousand times. */
function walk(
  root: PageNode,
  enter: (node: PageNode, depth: number) => void,
  leave: (node: PageNode) => void = () => undefined,
): void {
  let depth = 0;
  let node: PageNode | null = root.firstChild;
  while (node !== null) {
    enter(node, depth);
    if (node.firstChild !== null) {
      node = node.firstChild;
      depth += 1;
      continue;
    }
    leave(node);
    while (node !== null && node.nextSibling === null) {
      node = node.parentNode === root ? null : node.parentNode;
      depth -= 1;
      if (node !== null) leave(node);
    }
    node = node?.nextSibling ?? null;
  }
}
