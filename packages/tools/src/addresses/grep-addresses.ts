/** Searches the texts behind addresses as `grep` searches files. */
import { isJsonObject, type ToolContext, type ToolOutput } from "@kedge/protocol";
import type { FileHits, Hit, Row } from "../searching/grep-hits.ts";
import { choosePage } from "../searching/grep-page.ts";
import { wrapUntrusted } from "../web/untrusted-text.ts";
import { type NamedText, openTexts } from "./open-texts.ts";

export type AddressSearch = {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly mode: "content" | "files" | "count";
  readonly skip: number;
  readonly rowsMax: number;
  readonly before: number;
  readonly after: number;
};

const textsPerPageMax = 20;
const lineCharactersMax = 512;
/** Some patterns need ages on some lines. */
const searchMsMax = 1_000;

export async function grepAddresses(
  named: readonly string[],
  search: AddressSearch,
  context: ToolContext,
): Promise<ToolOutput> {
  const title = search.pattern;
  const refuse = (output: string): ToolOutput => ({ output, isError: true, title });
  const texts = await openTexts(named, context);
  if (typeof texts === "string") return refuse(texts);
  const files = await findLines(texts, search);
  if (typeof files === "string") return refuse(files);
  const output = search.mode === "content" ? showRows(files, search) : showFiles(files, search);
  const metadata = { count: files.length, fileCount: files.length, truncated: false };
  const foreign = texts.find(({ isForeign }) => isForeign);
  if (foreign === undefined || files.length === 0) return { output, title, metadata };
  const fenced = await context.fence(output);
  return { output: wrapUntrusted({ source: named.join(" "), origin: "stored", ...fenced }), title, metadata };
}

/** In a context of its own, because only there a pattern that takes too long can be stopped. */
async function findLines(texts: readonly NamedText[], search: AddressSearch): Promise<readonly FileHits[] | string> {
  const { runInNewContext } = await import("node:vm");
  let expression: RegExp;
  try {
    expression = new RegExp(search.pattern, search.ignoreCase ? "i" : "");
  } catch {
    return "The pattern is not a valid regular expression. Correct it, or put a backslash before characters that should match literally.";
  }
  const lines = texts.map(({ text }) => text.split("\n"));
  const script = "lines.map((rows) => rows.flatMap((row, index) => (pattern.test(row) ? [index] : [])))";
  let found: readonly (readonly number[])[];
  try {
    found = runInNewContext(script, { lines, pattern: expression }, { timeout: searchMsMax }) as typeof found;
  } catch (error) {
    // The error may come from the other context, whose classes are not ours.
    const isLate = isJsonObject(error) && error["code"] === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    if (!isLate) throw error;
    return `The search took longer than ${searchMsMax} ms; use a simpler pattern.`;
  }
  return texts.flatMap(({ address }, index) => {
    const matched = [...(found[index] ?? [])];
    return matched.length === 0 ? [] : [hitsOf(address, lines[index] ?? [], matched, search)];
  });
}

function hitsOf(path: string, lines: readonly string[], matched: readonly number[], around: AddressSearch): FileHits {
  const isMatch = new Set(matched);
  const rows: Row[] = [];
  for (const [index, text] of lines.entries()) {
    const isNear = matched.some((hit) => index >= hit - around.before && index <= hit + around.after);
    if (isNear) rows.push({ line: index + 1, text: text.slice(0, lineCharactersMax), isMatch: isMatch.has(index) });
  }
  const hits: readonly Hit[] = matched.map((index) => ({ first: index + 1, last: index + 1 }));
  return { path, rows, hits, more: false };
}

function showRows(files: readonly FileHits[], search: AddressSearch): string {
  const page = choosePage(files, { ...search, filesMax: textsPerPageMax });
  const lines = page.files.flatMap(({ path, rows }) => [
    path,
    ...rows.map(({ line, text, isMatch }) => `  ${line}${isMatch ? ":" : "-"}${text}`),
  ]);
  const next = search.skip + page.hitCount;
  if (page.hitCount === 0) return `Nothing matches ${search.pattern}.`;
  return next < page.total
    ? `${lines.join("\n")}\n(matches ${search.skip + 1}-${next} of ${page.total}; continue with skip ${next})`
    : lines.join("\n");
}

function showFiles(files: readonly FileHits[], { mode, pattern, skip, rowsMax }: AddressSearch): string {
  if (files.length === 0) return `Nothing matches ${pattern}.`;
  const page = files.slice(skip, skip + rowsMax);
  return page.map(({ path, hits }) => (mode === "count" ? `${path}: ${hits.length}` : path)).join("\n");
}
