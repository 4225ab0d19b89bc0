/** Brace expansion of words, the first thing that a shell does to them. */
import type { WordPart } from "./syntax/script.ts";

export type PartRow = readonly WordPart[];

type Brace = { readonly kind: "brace"; readonly sign: "{" | "}" | "," };
type Token = WordPart | Brace;

const wordsMax = 64;
const bracesMax = 32;

/** The parts of each word that it becomes; undefined when that is unclear or too much. */
export function expandBraces(parts: PartRow): readonly PartRow[] | undefined {
  if (!parts.some(mayExpand)) return [parts];
  const bracesCount = parts.reduce(
    (count, part) => count + (part.kind === "text" ? part.text.split("{").length - 1 : 0),
    0,
  );
  if (bracesCount > bracesMax) return undefined;
  const rows = expand(parts.flatMap(toTokens));
  return rows === undefined || rows.length > wordsMax ? undefined : rows;
}

function mayExpand(part: WordPart): boolean {
  return part.kind === "text" && !part.isQuoted && part.text.includes("{");
}

function toTokens(part: WordPart): readonly Token[] {
  if (part.kind !== "text" || part.isQuoted) return [part];
  return part.text
    .split(/([{},])/)
    .filter((piece) => piece !== "")
    .map((piece) =>
      piece === "{" || piece === "}" || piece === ","
        ? { kind: "brace", sign: piece }
        : { kind: "text", text: piece, isQuoted: false },
    );
}

function expand(tokens: readonly Token[]): readonly PartRow[] | undefined {
  const start = tokens.findIndex((token) => isSign(token, "{"));
  if (start === -1) return [tokens.map(toPart)];
  const before = tokens.slice(0, start).map(toPart);
  const group = findGroup(tokens, start);
  const alternatives = group === undefined ? [] : expandGroup(group);
  if (alternatives === undefined) return undefined;
  if (group === undefined || alternatives.length === 0) {
    const rest = expand(tokens.slice(start + 1));
    return rest?.map((row) => [...before, openBrace, ...row]);
  }
  const rest = expand(tokens.slice(group.end + 1));
  if (rest === undefined || rest.length * alternatives.length > wordsMax) return undefined;
  return alternatives.flatMap((row) => rest.map((tail) => [...before, ...row, ...tail]));
}

const openBrace: WordPart = { kind: "text", text: "{", isQuoted: false };

type Group = { readonly items: readonly (readonly Token[])[]; readonly end: number };

/** What lies between a brace and its partner, divided at the commas of its own level. */
function findGroup(tokens: readonly Token[], start: number): Group | undefined {
  const items: Token[][] = [[]];
  let open = 0;
  for (const [index, token] of tokens.entries()) {
    if (index <= start) continue;
    if (isSign(token, "}") && open === 0) return { items, end: index };
    if (isSign(token, "{")) open += 1;
    else if (isSign(token, "}")) open -= 1;
    if (isSign(token, ",") && open === 0) items.push([]);
    else items.at(-1)?.push(token);
  }
  return undefined;
}

/** No rows when the braces are plain characters. */
function expandGroup({ items }: Group): readonly PartRow[] | undefined {
  if (items.length > 1) {
    const rows: PartRow[] = [];
    for (const item of items) {
      const expanded = expand(item);
      if (expanded === undefined || rows.length + expanded.length > wordsMax) return undefined;
      rows.push(...expanded);
    }
    return rows;
  }
  const text = items[0]?.map((token) => (token.kind === "text" && !token.isQuoted ? token.text : "\0")).join("") ?? "";
  if (!text.includes("..")) return [];
  return expandSequence(text);
}

function expandSequence(text: string): readonly PartRow[] | undefined {
  const numbers = /^(-?[1-9]\d{0,5}|0)\.\.(-?[1-9]\d{0,5}|0)$/.exec(text);
  const letters = /^(?:([a-z])\.\.([a-z])|([A-Z])\.\.([A-Z]))$/.exec(text)?.filter((part) => part !== undefined);
  const ends = numbers?.slice(1).map(Number) ?? letters?.slice(1).map((letter) => letter.charCodeAt(0));
  const [from = 0, to = 0] = ends ?? [];
  if (ends === undefined || Math.abs(to - from) >= wordsMax) return undefined;
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => {
    const value = from + index * step;
    return [{ kind: "text", text: numbers === null ? String.fromCharCode(value) : String(value), isQuoted: false }];
  });
}

function isSign(token: Token, sign: Brace["sign"]): boolean {
  return token.kind === "brace" && token.sign === sign;
}

function toPart(token: Token): WordPart {
  return token.kind === "brace" ? { kind: "text", text: token.sign, isQuoted: false } : token;
}
