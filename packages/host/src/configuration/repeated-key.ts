/** Finds a key that one object of a settings file has twice: a parser keeps the last, and a denial in the first would be lost. */
import type { Document, Pair } from "yaml";

export type RepeatedKey = { readonly key: string; readonly offset: number };

/** What may open, close or hide a key: strings, comments and brackets. */
const pieces = /"[^"\\]*(?:\\.[^"\\]*)*"|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|[{}[\]]/g;
const colonNext = /(?:\s|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*:/y;

/** Of a text that a parser of JSON accepts, with comments or without; no recursion, because the text may be deep. */
export function repeatedJsonKey(source: string): RepeatedKey | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (const { 0: piece, index } of source.matchAll(pieces)) {
    if (piece === "{") open.push(new Set());
    else if (piece === "[") open.push(undefined);
    else if (piece === "}" || piece === "]") open.pop();
    else if (piece.startsWith('"')) {
      colonNext.lastIndex = index + piece.length;
      const keys = open.at(-1);
      if (keys === undefined || !colonNext.test(source)) continue;
      const key = nameIn(piece);
      if (keys.has(key)) return { key, offset: index };
      keys.add(key);
    }
  }
  return undefined;
}

/** An escape spells the same name in another way. */
function nameIn(piece: string): string {
  try {
    return String(JSON.parse(piece));
  } catch (error) {
    // The patient parser takes some strings that JSON does not know.
    if (error instanceof SyntaxError) return piece.slice(1, -1);
    throw error;
  }
}

type Yaml = Pick<typeof import("yaml"), "isAlias" | "isNode" | "isScalar" | "visit">;

/** By the names that the keys have as settings: `1` and `"1"` are one, and a reference is what it stands for. */
export function repeatedYamlKey(
  document: Document,
  { isAlias, isNode, isScalar, visit }: Yaml,
): RepeatedKey | undefined {
  let found: RepeatedKey | undefined;
  const nameOf = ({ key }: Pair): string => {
    const node = isAlias(key) ? key.resolve(document) : key;
    return isScalar(node) ? String(node.value ?? "") : String(node);
  };
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<string>();
      for (const pair of items) {
        const key = nameOf(pair);
        if (keys.has(key)) {
          found = { key, offset: isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0 };
          return visit.BREAK;
        }
        keys.add(key);
      }
      return undefined;
    },
  });
  return found;
}
