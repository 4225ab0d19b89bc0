/** How tagged versions look to a model: header and numbered rows, the rows of a search, and taking both off pasted text. */
export function tagHeader(path: string, tag: string): string {
  return `[${path}#${tag}]`;
}

/** One row of a read, without a mark; of a search, `*` for a match and a space for its surroundings. */
export function tagRow(line: number, text: string, mark: "" | "*" | " " = ""): string {
  return `${mark}${line}:${text}`;
}

const headerRow = /^\[.+#[0-9A-F]{4}\]$/;
const numberedRow = /^[ *]?\d+:/;

/** Undefined unless every line carries the marks, because only then can they not be part of the text. */
export function stripTagged(content: string): string | undefined {
  const rows = content.split("\n");
  const hasFinalNewline = rows.at(-1) === "" && rows.length > 1;
  const body = rows.slice(headerRow.test(rows[0]?.trimEnd() ?? "") ? 1 : 0, hasFinalNewline ? -1 : undefined);
  if (body.length === 0 || !body.every((row) => numberedRow.test(row))) return undefined;
  const text = body.map((row) => row.slice(row.indexOf(":") + 1)).join("\n");
  return hasFinalNewline ? `${text}\n` : text;
}
