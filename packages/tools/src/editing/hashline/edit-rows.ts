/** Tells what one row of a line-addressed edit is, by itself; what it means where it stands is the parser's business. */

export type OperationVerb =
  | "SWAP"
  | "SWAP.BLK"
  | "DEL"
  | "DEL.BLK"
  | "INS.PRE"
  | "INS.POST"
  | "INS.BLK.POST"
  | "INS.HEAD"
  | "INS.TAIL";

export type EditRow =
  | { readonly kind: "blank" }
  | { readonly kind: "body"; readonly text: string }
  | { readonly kind: "text" }
  | { readonly kind: "envelope"; readonly mark: "begin" | "end" }
  | { readonly kind: "abort" }
  | { readonly kind: "header"; readonly path: string; readonly tag: string }
  /** `hasMark` when it ends in something that was meant for a tag. */
  | { readonly kind: "untaggedHeader"; readonly hasMark: boolean }
  | { readonly kind: "patchWords" }
  | { readonly kind: "unifiedHunk" }
  | { readonly kind: "otherHunk" }
  | { readonly kind: "number"; readonly line: number }
  | { readonly kind: "range"; readonly first: number; readonly last: number }
  | { readonly kind: "minus" }
  | {
      readonly kind: "operation";
      readonly verb: OperationVerb;
      readonly first: number;
      readonly last: number;
      readonly hasColon: boolean;
    }
  | { readonly kind: "malformedOperation" };

/** No path is longer; what is longer is text, and no pattern below is tried on it. */
const controlCharactersMax = 5_000;

/** Inside a body only what begins in the first column can be anything but text. */
export function readRow(row: string, { inBody }: { readonly inBody: boolean }): EditRow {
  // Nearly every row of a long edit ends here.
  if (row.startsWith("+")) return { kind: "body", text: row.slice(1) };
  const trimmed = row.trim();
  if (trimmed === "") return { kind: "blank" };
  const words = inBody ? row.trimEnd() : trimmed;
  if (words.startsWith("+")) return { kind: "body", text: words.slice(1) };
  if (words.startsWith("-")) return { kind: "minus" };
  if (words.length > controlCharactersMax) return { kind: "text" };
  if (!controlStart.test(words)) return { kind: "text" };
  return readMarks(words) ?? readHeader(words) ?? readOperation(words) ?? readNumbers(words) ?? { kind: "text" };
}

/** How marks, headers, numbers, verbs and the words of patches begin; spares all other rows the patterns below. */
const controlStart = /^(?:[@*[\d]|swap|del|ins|update|add|move)/i;

function readMarks(words: string): EditRow | undefined {
  if (words.startsWith("@@"))
    return { kind: /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(words) ? "unifiedHunk" : "otherHunk" };
  if (/^\*\*\* Begin Patch$/i.test(words)) return { kind: "envelope", mark: "begin" };
  if (/^\*\*\* End Patch$/i.test(words)) return { kind: "envelope", mark: "end" };
  if (/^\*\*\* Abort$/i.test(words)) return { kind: "abort" };
  return undefined;
}

const patchWords = /^(?:\*\*\*)?\s*(?:(?:Update|Add|Delete) File|Move to):/i;
const taggedPath = /^(.+)#([0-9a-f]{4})$/i;
const fileWords = /^(?:Update|Add) File:/i;

function readHeader(words: string): EditRow | undefined {
  const outside = stripPollution(words);
  const hasBrackets = outside.startsWith("[") && outside.endsWith("]") && outside.length > 2;
  const inside = hasBrackets ? outside.slice(1, -1) : outside;
  if (hasBrackets || outside !== words) {
    const found = taggedPath.exec(stripPollution(inside)) ?? taggedPath.exec(inside);
    const [, path = "", tag = ""] = found ?? [];
    if (path.trim() !== "") return { kind: "header", path: path.trim(), tag: tag.toUpperCase() };
  }
  if (patchWords.test(words) || /^\*\*\* End of File$/i.test(words)) return { kind: "patchWords" };
  return hasBrackets ? { kind: "untaggedHeader", hasMark: /^[^\s#]+#[^#]*$/.test(inside) } : undefined;
}

/** Takes away what habits from other patch formats put around a header. */
function stripPollution(words: string): string {
  let rest = words;
  while (rest.startsWith("***")) rest = rest.slice(3).trimStart();
  while (rest.endsWith("***")) rest = rest.slice(0, -3).trimEnd();
  return rest.replace(fileWords, "").trim();
}

const verbAtStart = /^(?:SWAP\.BLK|SWAP|DEL\.BLK|DEL|INS\.BLK\.POST|INS\.PRE|INS\.POST|INS\.HEAD|INS\.TAIL)(?![\w.])/i;
const numbers = /^(\d+)(?:(?:\s*(?:\.=|\.{2,3}|…|-)\s*|\s+)(\d+))?$/;

function readOperation(words: string): EditRow | undefined {
  const found = verbAtStart.exec(words)?.[0];
  const malformed = /^(?:SWAP|DEL|INS)\b/.test(words) ? ({ kind: "malformedOperation" } as const) : undefined;
  if (found === undefined) return malformed;
  // The pattern lists exactly the verbs.
  const verb = found.toUpperCase() as OperationVerb;
  const rest = words.slice(found.length).trim();
  const hasColon = rest.endsWith(":");
  const place = hasColon ? rest.slice(0, -1).trimEnd() : rest;
  if (verb === "INS.HEAD" || verb === "INS.TAIL")
    return place === "" ? { kind: "operation", verb, first: 0, last: 0, hasColon } : malformed;
  const [, first, last] = numbers.exec(place) ?? [];
  if (first === undefined || (last !== undefined && verb !== "SWAP" && verb !== "DEL")) return malformed;
  return { kind: "operation", verb, first: Number(first), last: Number(last ?? first), hasColon };
}

function readNumbers(words: string): EditRow | undefined {
  const [, first, last] = numbers.exec(words.endsWith(":") ? words.slice(0, -1) : words) ?? [];
  if (first === undefined) return undefined;
  if (last === undefined) return { kind: "number", line: Number(first) };
  return { kind: "range", first: Number(first), last: Number(last) };
}
