/**
 * Reads the fields of a frontmatter, with the slips that real collections have.
 *
 * Not by a YAML library: loading one costs more than all of a start may, and it refuses a file for one colon. What is
 * nested stays text, for whoever needs it.
 */
import type { DefinitionNote, FieldValue } from "./definition.ts";
import { readScalar } from "./read-scalar.ts";

export type ReadFields = {
  readonly fields: ReadonlyMap<string, FieldValue>;
  readonly notes: readonly DefinitionNote[];
};

type Entry = { readonly key: string; readonly line: number; value: string; readonly below: string[] };

/** A longer one is not a list of a few keys. */
const charactersMax = 64_000;

const keyForm = /^(?:"([^"]+)"|'([^']+)'|([A-Za-z][\w. -]*?))[ \t]*:(?:[ \t]+(.*)|(\S.*)|)$/;

/** What nearly all lines are: the other expressions are spared where there are hundreds of files. */
const plainForm = /^([a-z][a-z-]*): (\S.*)$/;

/** `firstLine` is the line of the file on which the text begins. */
export function readFields(text: string, firstLine: number): ReadFields {
  const notes: DefinitionNote[] = [];
  const note = (line: number, sentence: string) => notes.push({ line, text: sentence });
  const json = text.trimStart().startsWith("{") ? fieldsOfJson(text) : undefined;
  if (json !== undefined) return { fields: json, notes };
  if (text.length > charactersMax) note(firstLine, "the frontmatter is too long; its end is ignored");
  const entries = entriesOf(text.slice(0, charactersMax), firstLine, note);
  const fields = new Map<string, FieldValue>();
  for (const entry of entries) {
    const name = fieldName(entry.key);
    if (fields.has(name)) note(entry.line, `${entry.key} is duplicated; using the last one`);
    const { value, problem } = readValue(entry);
    if (problem !== undefined) note(entry.line, `${entry.key}: ${problem}`);
    fields.set(name, value);
  }
  return { fields, notes };
}

/** YAML includes JSON, and some tools write it. Undefined where it is none. */
function fieldsOfJson(text: string): ReadonlyMap<string, FieldValue> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const entries = Object.entries(value ?? {}).filter(([, each]) => each !== null);
    return new Map(entries.map(([key, each]): [string, FieldValue] => [fieldName(key), fieldOfJson(each)]));
  } catch {
    return undefined;
  }
}

function fieldOfJson(value: unknown): FieldValue {
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  return { yaml: JSON.stringify(value) };
}

function entriesOf(text: string, firstLine: number, note: (line: number, sentence: string) => void): readonly Entry[] {
  const entries: Entry[] = [];
  let hasTabs = false;
  for (const [index, raw] of text.split("\n").entries()) {
    const line = firstLine + index;
    const [, plainKey, plainValue] = plainForm.exec(raw) ?? [];
    if (plainKey !== undefined && plainValue !== undefined) {
      entries.push({ key: plainKey, line, value: plainValue.trimEnd(), below: [] });
      continue;
    }
    const present = entries.at(-1);
    if (raw.trim() === "") {
      present?.below.push("");
      continue;
    }
    hasTabs ||= /^\s*\t/.test(raw);
    const written = raw.replace(/^\s+/, (space) => space.replaceAll("\t", "  ")).trimEnd();
    const isBelow = /^\s/.test(written) || (/^-(?:\s|$)/.test(written) && present !== undefined);
    if (written.startsWith("#") && !(present !== undefined && /^[|>]/.test(present.value))) continue;
    const found = isBelow && present !== undefined ? null : keyForm.exec(written.trimStart());
    if (found !== null) {
      const [, double, single, plain, value, glued] = found;
      if (glued !== undefined) note(line, `add a space after "${plain ?? single ?? double}:"`);
      entries.push({ key: double ?? single ?? plain ?? "", line, value: (value ?? glued ?? "").trim(), below: [] });
    } else if (present !== undefined) {
      if (!isBelow) note(line, `not a field; read as part of ${present.key}`);
      present.below.push(isBelow ? written : `  ${written}`);
    } else note(line, "not a field; ignored");
  }
  if (hasTabs) note(firstLine, "indent with spaces, not tabs");
  return entries;
}

/** `allowed_tools`, `allowedTools` and `Allowed-Tools` are one field. */
function fieldName(key: string): string {
  if (/^[a-z-]+$/.test(key)) return key;
  return key
    .trim()
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .replace(/[\s_]+/g, "-")
    .toLowerCase();
}

type ReadValue = { readonly value: FieldValue; readonly problem?: string };

function readValue({ value, below }: Entry): ReadValue {
  while (below.at(-1) === "") below.pop();
  if (below.length === 0 && /^\w/.test(value)) return readScalar(value);
  if (/^[|>][-+\d]*(?:\s+#.*)?$/.test(value)) return { value: blockText(below, value.startsWith(">")) };
  const lines = below.filter((line) => line !== "" && !/^\s*#/.test(line)).map((line) => line.trimEnd());
  if (value !== "" && !value.startsWith("#")) {
    const whole = [value, ...lines.map((line) => line.trim())].join(" ");
    if (whole.startsWith("{")) return { value: { yaml: whole } };
    return whole.startsWith("[") ? inlineList(whole) : readScalar(whole);
  }
  if (lines.length === 0) return { value: "" };
  const items = lines.map((line) => /^\s*-\s+(.*)$/.exec(line)?.[1]);
  if (items.every((item) => item !== undefined)) {
    if (items.some((item) => /^[\w-]+\s*:(?:\s|$)/.test(item) || /^[{[]/.test(item))) return nested(below);
    return { value: items.map((item) => readScalar(item).value).filter((item) => item !== "") };
  }
  const isMapping = lines.some((line) => /^\s*(?:-\s+)?["']?[\w*.-]+["']?\s*:(?:\s|$)/.test(line));
  return isMapping || items[0] !== undefined ? nested(below) : readScalar(lines.map((line) => line.trim()).join(" "));
}

function nested(below: readonly string[]): ReadValue {
  return { value: { yaml: below.join("\n") } };
}

function blockText(below: readonly string[], isFolded: boolean): string {
  const indent = Math.min(...below.filter((line) => line !== "").map((line) => line.search(/\S/)));
  const lines = below.map((line) => line.slice(Number.isFinite(indent) ? indent : 0));
  if (!isFolded) return lines.join("\n").trim();
  return lines
    .join("\n")
    .replace(/([^\n])\n(?=[^\n\s])/g, "$1 ")
    .replace(/\n{2,}/g, "\n")
    .trim();
}

function inlineList(whole: string): ReadValue {
  const end = whole.lastIndexOf("]");
  // `[issue] [branch]` is the hint of a command.
  if (/\]\s*\[/.test(whole)) return { value: whole };
  // `[WIP] does this` is a text that begins with brackets.
  if (end !== -1 && /[^\s#]/.test(whole.slice(end + 1)) && !/^\s+#/.test(whole.slice(end + 1)))
    return { value: whole, problem: "quote the value, because it begins with [" };
  const problem = end === -1 ? "the list is not closed with ]" : undefined;
  const items = splitList(whole.slice(1, end === -1 ? undefined : end));
  return { value: items, ...(problem !== undefined && { problem }) };
}

/** At commas, or at spaces where there is none; those in quotes and brackets belong to the item. */
export function splitList(text: string): readonly string[] {
  const items: string[] = [];
  const hasComma = /,/.test(text.replaceAll(/\([^)]*\)|"[^"]*"|'[^']*'/g, ""));
  let item = "";
  let quote = "";
  let depth = 0;
  for (const character of text) {
    const isEnd = quote === "" && depth === 0 && (hasComma ? character === "," : /\s/.test(character));
    if (isEnd) {
      items.push(item);
      item = "";
      continue;
    }
    if (quote !== "") quote = character === quote ? "" : quote;
    else if ((character === '"' || character === "'") && item.trim() === "") quote = character;
    else if (character === "(" || character === "{") depth += 1;
    else if ((character === ")" || character === "}") && depth > 0) depth -= 1;
    item += character;
  }
  return [...items, item].map((each) => String(readScalar(each.trim()).value)).filter((each) => each !== "");
}
