/** Reads a JSON file that somebody wrote by hand: with its slips as notes, and the line of every value that is wrong. */
import type { Node, ParseError } from "jsonc-parser";
import { readDefinitionFile } from "../definitions/read-definition-file.ts";

/** Something the author should know; the file is used all the same. */
export type FileNote = { readonly line: number; readonly text: string };

export type FileProblem = { readonly line: number; readonly why: string; readonly remedy: string };

export type JsonFile = {
  readonly value: unknown;
  readonly notes: readonly FileNote[];
  /** The line on which the value at this path stands; that of the nearest one above it where there is none. */
  readonly lineOf: (...path: readonly (string | number)[]) => number;
};

export type ReadJsonFile =
  | ({ readonly ok: true } & JsonFile)
  | { readonly ok: false; readonly isMissing: true }
  | ({ readonly ok: false; readonly isMissing?: never } & FileProblem);

/** What is nested deeper was not written by hand. */
const depthMax = 60;

/** `root` is the directory that links must not lead out of. */
export async function readJsonFile(path: string, root?: string): Promise<ReadJsonFile> {
  const read = readDefinitionFile(path, root);
  if (!read.ok) return read.isMissing ? read : { ok: false, line: 1, why: read.why, remedy: read.remedy };
  const text = read.text.startsWith("\ufeff") ? read.text.slice(1) : read.text;
  const notes: FileNote[] = read.note === undefined ? [] : [{ line: 1, text: read.note }];
  if (text.trim() === "") return { ok: false, line: 1, why: "the file is empty", remedy: "Fill or remove it." };
  return parseText(text, notes);
}

/** Loaded late: only whoever installs or checks something comes here. */
async function parseText(text: string, notes: FileNote[]): Promise<ReadJsonFile> {
  const { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } = await import("jsonc-parser");
  if (nestingOf(text) > depthMax) return { ok: false, line: 1, why: "nested too deeply", remedy: "Make it flatter." };
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const [first] = errors;
  if (tree === undefined || first !== undefined) {
    const why = `not valid JSON: ${first === undefined ? "no value" : wordsOf(printParseErrorCode(first.error))}`;
    return { ok: false, line: lineAt(first?.offset ?? 0), why, remedy: "Fix the JSON on this line." };
  }
  if (!isPlain(text)) notes.push({ line: 1, text: "has comments or trailing commas, which other agents refuse" });
  for (const { key, offset } of repeatedKeys(tree))
    notes.push({ line: lineAt(offset), text: `${JSON.stringify(key)} is duplicated; using the last one` });
  return {
    ok: true,
    value: getNodeValue(tree),
    notes,
    lineOf(...path) {
      for (let length = path.length; length > 0; length -= 1) {
        const node = findNodeAtLocation(tree, path.slice(0, length));
        if (node !== undefined) return lineAt(node.parent?.type === "property" ? node.parent.offset : node.offset);
      }
      return 1;
    },
  };
}

/** `PropertyNameExpected` → `property name expected`. */
function wordsOf(code: string): string {
  return code.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

function isPlain(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The parser recurses, and the stack ends before a deep enough text does. */
function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

type RepeatedKey = { readonly key: string; readonly offset: number };

function repeatedKeys(node: Node): readonly RepeatedKey[] {
  const seen = new Set<string>();
  return (node.children ?? []).flatMap((child) => {
    const below = repeatedKeys(child);
    const key = node.type === "object" ? child.children?.[0]?.value : undefined;
    if (typeof key !== "string") return below;
    const isRepeated = seen.has(key);
    seen.add(key);
    return isRepeated ? [{ key, offset: child.offset }, ...below] : below;
  });
}
