/** Reads and writes the lines above a topic: a few keys with a text or a list, and nothing else of YAML. */

export type FrontmatterValue = string | readonly string[];

export type Frontmatter = {
  readonly values: ReadonlyMap<string, FrontmatterValue>;
  /** Lines that are no such key, as they stand. */
  readonly otherLines: readonly string[];
  readonly body: string;
  /** The file has none, or begins one that never ends. */
  readonly state: "present" | "absent" | "open";
};

const linesMax = 200;
const simpleKey = /^([A-Za-z_][\w-]*):(?:[ \t]+(.*))?$/;

/** `keys` are those that are read; the lines of all others are kept. */
export function splitFrontmatter(text: string, keys: ReadonlySet<string>): Frontmatter {
  const plain = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const lines = plain.split("\n");
  const none = { values: new Map(), otherLines: [], body: plain };
  if (lines[0]?.trimEnd() !== "---") return { ...none, state: "absent" };
  const end = lines.slice(1, linesMax).findIndex((line) => /^(?:---|\.\.\.)\s*$/.test(line));
  if (end === -1) return { ...none, state: "open" };
  return { ...readLines(lines.slice(1, end + 1), keys), body: lines.slice(end + 2).join("\n"), state: "present" };
}

function readLines(lines: readonly string[], keys: ReadonlySet<string>) {
  const values = new Map<string, FrontmatterValue>();
  const otherLines: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const [, key = "", written = ""] = simpleKey.exec(line.trimEnd()) ?? [];
    const below = indented(lines, index + 1);
    index += below.length;
    // The first of two wins: what is appended to a file does not change what it said.
    if (!keys.has(key) || values.has(key)) otherLines.push(...(line.trim() === "" ? [] : [line]), ...below);
    else values.set(key, written.trim() === "" ? listBelow(below) : readValue(written.trim()));
  }
  return { values, otherLines };
}

/** Lines that belong to the key above them. */
function indented(lines: readonly string[], from: number): readonly string[] {
  let end = from;
  while (end < lines.length && /^(?:[ \t]+\S|- )/.test(lines[end] ?? "")) end += 1;
  return lines.slice(from, end);
}

function listBelow(lines: readonly string[]): FrontmatterValue {
  const items = lines.map((line) => /^\s*-\s+(.*)$/.exec(line)?.[1]).filter((item) => item !== undefined);
  return items.length === 0 ? "" : items.map((item) => textOf(item.trim()));
}

function readValue(written: string): FrontmatterValue {
  if (!written.startsWith("[") || !written.endsWith("]") || written.startsWith("[[")) return textOf(written);
  const items = written.slice(1, -1).match(/"(?:[^"\\]|\\.)*"|'[^']*'|[^,]+/g) ?? [];
  return items.map((item) => textOf(item.trim())).filter((item) => item !== "");
}

function textOf(written: string): string {
  if (/^".*"$/s.test(written)) return jsonText(written) ?? written.slice(1, -1);
  return /^'.*'$/s.test(written) ? written.slice(1, -1).replaceAll("''", "'") : written;
}

function jsonText(written: string): string | undefined {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === "string" ? value : undefined;
  } catch (error) {
    // Somebody wrote quotes in a text by hand.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function joinFrontmatter(
  values: readonly (readonly [key: string, value: FrontmatterValue])[],
  otherLines: readonly string[],
  body: string,
): string {
  const lines = values.map(([key, value]) => `${key}: ${typeof value === "string" ? written(value) : listText(value)}`);
  return `---\n${[...lines, ...otherLines].join("\n")}\n---\n\n${body.trim()}\n`;
}

function listText(items: readonly string[]): string {
  return `[${items.map((item) => (/^[\w./:@-]+$/.test(item) ? item : JSON.stringify(item))).join(", ")}]`;
}

/** Plain where nobody could read it as anything else. */
function written(text: string): string {
  return /^[A-Za-z0-9(][^\n"\\]*$/.test(text) && !/[:#]\s|[:#]$|\s$|^['[{]/.test(text) ? text : JSON.stringify(text);
}
