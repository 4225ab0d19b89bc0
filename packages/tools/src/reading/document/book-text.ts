/** The chapters of an electronic book in the order in which they are read. */
import { posix } from "node:path";
import { ArchiveProblem } from "../archive/archive-entry.ts";
import { decodeReferences, type MarkupTag, tagsOf } from "./markup-text.ts";

export type DocumentParts = {
  readonly names: readonly string[];
  has(name: string): boolean;
  load(name: string): Promise<string>;
};

export async function bookText(parts: DocumentParts, signal: AbortSignal): Promise<string> {
  // The parser of pages is large, and few sessions read books.
  const { htmlToText } = await import("../../web/html-to-markdown.ts");
  const chapters: string[] = [];
  for (const name of await chaptersOf(parts)) {
    if (signal.aborted) throw new ArchiveProblem("Reading was interrupted.");
    const { text } = await htmlToText(await parts.load(name), `https://book.invalid/${encodeURI(name)}`);
    chapters.push(`# ${name}\n${text.trim()}\n`);
  }
  return chapters.join("\n");
}

async function chaptersOf(parts: DocumentParts): Promise<readonly string[]> {
  const container = await parts.load("META-INF/container.xml");
  const packagePath = attributeOf(container, "full-path");
  if (packagePath === undefined) throw new ArchiveProblem("It has no list of chapters.");
  const book = await parts.load(packagePath);
  const hrefs = new Map<string, string>();
  for (const { attributes } of packageTags(book, "item")) {
    const id = attributeOf(attributes, "id");
    const href = attributeOf(attributes, "href");
    if (id !== undefined && href !== undefined) hrefs.set(id, href);
  }
  const chapters: string[] = [];
  for (const { attributes } of packageTags(book, "itemref")) {
    const href = hrefs.get(attributeOf(attributes, "idref") ?? "");
    const name = href === undefined ? undefined : posix.join(posix.dirname(packagePath), decodeHref(href));
    if (name !== undefined && parts.has(name)) chapters.push(name);
  }
  return chapters;
}

/** With or without the prefix that some writers give them. */
function packageTags(xml: string, name: string): readonly MarkupTag[] {
  return [...tagsOf(xml, name), ...tagsOf(xml, `opf:${name}`)];
}

function attributeOf(xml: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(xml);
  const text = value?.[1] ?? value?.[2];
  return text === undefined ? undefined : decodeReferences(text);
}

function decodeHref(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch (error) {
    // A sign that is no escape is meant as it stands.
    if (error instanceof URIError) return href;
    throw error;
  }
}
