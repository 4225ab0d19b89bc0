/** The table of what secrets look like: read with the first text, each pattern compiled when its mark is first met. */
import { textBeside } from "@kedge/protocol/text-file";
import { findKeyBlock } from "./private-key-block.ts";
import { isSecretShape, type ShapeName } from "./secret-shapes.ts";

/** Where a secret stands in a text. */
export type Span = { readonly start: number; readonly end: number; readonly kind: string };

export type SecretKind = {
  readonly kind: string;
  /** What a text must contain for this kind to be looked for; the pattern is tried where one of them stands. */
  readonly marks: readonly string[];
  readonly ignoreCase: boolean;
  /** Told by the words around it, not by its own form; a kind with a form of its own names it better. */
  readonly isContext: boolean;
  /** Kedge's own, which are looked for even where other forms are not. */
  readonly isOwn: boolean;
  /** How far a secret may reach behind its mark over several lines; 0 for what ends with its line. */
  readonly reach: number;
  /** Of the table; empty for what is known otherwise. */
  readonly line: string;
  find(text: string, index: number): Span | undefined;
};

/** A fixed beginning and so many characters of a body; or marks and a pattern; or a block of several lines. */
type Row = {
  readonly kind: string;
  /** For people who read the table. */
  readonly of: string;
  readonly prefix?: readonly string[];
  readonly body?: string;
  readonly min?: number;
  readonly max?: number;
  readonly tail?: string;
  readonly marks?: readonly string[];
  readonly pattern?: string;
  /** What the secret goes on with, behind as much of it as tells what it is: looked for only then, since it may be long. */
  readonly rest?: string;
  readonly block?: "pem";
  readonly reach?: number;
  readonly shape?: ShapeName;
  readonly ignoreCase?: true;
  readonly multiline?: true;
  readonly context?: true;
  readonly own?: true;
  readonly example: string;
};

const bodyMaxDefault = 1_000;
/** How much of a secret that an output limit cut off is enough to know it by its beginning. */
const cutBodyMin = 8;
/** What may stand behind a text that was cut. */
const cutEnd = "(?=\\u2026|\\.{3}|\\[\\u2026|$)";
/** `«` in a pattern: not in the middle of a word, unless what stands before is an escape of JSON, a URL or a terminal. */
const wordStart = "(?<![A-Za-z0-9_-](?<!\\\\[nrt]|%[0-9A-Fa-f]{2}|\\u001b\\[[\\d;]{0,8}m))";
const keyBlockReach = 20_000;

let kinds: readonly SecretKind[] | undefined;

export function secretKinds(): readonly SecretKind[] {
  kinds ??= textBeside(import.meta.url, "./secret-kinds.jsonl")
    .split("\n")
    .map(kindOf);
  return kinds;
}

/**
 * Of a line of our own file, which the tests of this folder check, only what the search for marks needs: most texts hold
 * no mark, and to read all of the table would take longer than to look through them.
 */
function kindOf(line: string): SecretKind {
  const isBlock = line.includes('"block":"pem"');
  let find: SecretKind["find"] | undefined;
  return {
    line,
    kind: line.slice(kindStart.length, line.indexOf('"', kindStart.length)),
    marks: marksOf(line),
    ignoreCase: line.includes('"ignoreCase":true'),
    isContext: line.includes('"context":true'),
    isOwn: line.includes('"own":true'),
    reach: isBlock ? keyBlockReach : line.includes('"reach":') ? (rowOf(line).reach ?? 0) : 0,
    find(text, index) {
      find ??= finderOf(rowOf(line));
      return find(text, index);
    },
  };
}

const kindStart = '{"kind":"';

/** A template from which tests make secrets of a kind. */
export function exampleOf({ line }: Pick<SecretKind, "line">): string {
  return rowOf(line).example;
}

function rowOf(line: string): Row {
  return JSON.parse(line) as Row;
}

/** No mark has a bracket. */
function marksOf(line: string): readonly string[] {
  const key = line.includes('"marks":') ? '"marks":' : '"prefix":';
  const start = line.indexOf(key) + key.length;
  return JSON.parse(line.slice(start, line.indexOf("]", start) + 1));
}

function finderOf(row: Row): SecretKind["find"] {
  const { kind } = row;
  if (row.block === "pem") {
    return (text, index) => {
      const block = findKeyBlock(text, index);
      return block === undefined ? undefined : { ...block, kind };
    };
  }
  const expression = compile(row);
  let rest: RegExp | undefined;
  return (text, index) => {
    expression.lastIndex = index;
    const match = expression.exec(text);
    const span = match === null ? undefined : spanOf(match, row, text);
    if (span === undefined || row.rest === undefined) return span;
    rest ??= new RegExp(row.rest, "y");
    rest.lastIndex = span.end;
    return rest.test(text) ? { ...span, end: rest.lastIndex } : undefined;
  };
}

/** Sticky, so that it is tried at one place only; the place is set before each use. */
function compile(row: Row): RegExp {
  const { pattern, prefix = [], body = "", min = 0, max = bodyMaxDefault, tail = "" } = row;
  if (pattern !== undefined) {
    return new RegExp(pattern.replaceAll("«", wordStart), `yd${row.ignoreCase ? "i" : ""}${row.multiline ? "m" : ""}`);
  }
  const starts = prefix.map((each) => each.replaceAll(/[.$]/g, "\\$&")).join("|");
  const isDistinct = prefix.every(isDistinctPrefix);
  const cut = isDistinct ? `|${body}{${cutBodyMin},${max}}${cutEnd}` : "";
  return new RegExp(`${isDistinct ? "" : wordStart}(?:${starts})(?<body>${body}{${min},${max}}${tail}${cut})`, "yd");
}

/** Nothing else begins like this, so that it is known even in the middle of other characters. */
function isDistinctPrefix(prefix: string): boolean {
  return prefix.length > 4 || (prefix.length === 4 && /[_.-]$/.test(prefix));
}

function spanOf(match: RegExpExecArray, { kind, shape = "plain" }: Row, text: string): Span | undefined {
  const groups = match.groups ?? {};
  const secret = groups["secret"] ?? groups["body"] ?? match[0];
  if (!isSecretShape(shape, { secret, groups, text, index: match.index })) return undefined;
  const [start, end] = match.indices?.groups?.["secret"] ?? match.indices?.[0] ?? [match.index, match.index];
  return { start: start - (groups["head"]?.length ?? 0), end, kind };
}
