/** JSON as a type, and the one canonical text form that hashes are taken of. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

/**
 * The same value always gives the same text: object keys in code-unit order (those that are array indexes first, by
 * number), no white space, `undefined` left out. Sorting a copy and leaving the text to the runtime takes a third of
 * the time of writing it here, and this runs for every fact.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(value)) ?? "null";
}

/** Gives back the value itself where there is nothing to sort. */
function sortKeys(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) {
    if (value.length === 0) return value;
    return value.map(sortKeys);
  }
  const object = value as Record<string, unknown>;
  const sorted: Record<string, unknown> = {};
  for (const key of sortedKeys(Object.keys(object))) {
    const member = sortKeys(object[key]);
    // An assignment would change what the copy inherits from, and leave the member out of the text.
    if (key === "__proto__") Object.defineProperty(sorted, key, { value: member, enumerable: true });
    else sorted[key] = member;
  }
  return sorted;
}

/** Objects of a program have few forms, and sorting the keys of one takes four times as long as finding them here. */
const sortedForms = new Map<string, readonly string[]>();
const formsMax = 1_000;
const formCharactersMax = 1_000;

/** In code-unit order. */
export function sortedKeys(keys: readonly string[]): readonly string[] {
  if (keys.length < 2) return keys;
  const form = keys.join("\n");
  const known = sortedForms.get(form);
  // A line break in a key could make one form of two.
  if (known?.length === keys.length) return known;
  const sorted = keys.toSorted();
  if (form.length > formCharactersMax || keys.some((key) => key.includes("\n"))) return sorted;
  if (sortedForms.size >= formsMax) sortedForms.clear();
  sortedForms.set(form, sorted);
  return sorted;
}

/** Compares plain data by content and stops at the first difference. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const leftObject = left as Record<string, unknown>;
  const rightObject = right as Record<string, unknown>;
  const keys = Object.keys(leftObject);
  return (
    keys.length === Object.keys(rightObject).length &&
    keys.every((key) => Object.hasOwn(rightObject, key) && isSameJson(leftObject[key], rightObject[key]))
  );
}

export function isJsonObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** No input needs more levels, and what walks a value by recursion is safe far beyond so many. */
export const jsonDepthMax = 128;

/**
 * What JSON can say but no input may: `depth` is nesting beyond the limit, `number` one that is too large to be a number,
 * `name` the name `__proto__`, which is no ordinary member in every program, `text` half of a character.
 */
export type JsonFlaw = "depth" | "number" | "name" | "text";

/** Looks at parsed JSON level by level, so that no nesting overflows the stack. Of several flaws the first above counts. */
export function flawOf(json: unknown): JsonFlaw | undefined {
  let flaw: JsonFlaw | undefined;
  let level: readonly unknown[] = [json];
  for (let depth = 0; level.length > 0; depth += 1) {
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value === "string") {
        if (!value.isWellFormed()) flaw ??= "text";
      } else if (typeof value === "number") {
        if (!Number.isFinite(value)) flaw = "number";
      } else if (typeof value === "object" && value !== null) {
        if (depth >= jsonDepthMax) return "depth";
        if (flaw !== "number" && Object.hasOwn(value, "__proto__")) flaw = "name";
        for (const member of Object.values(value)) below.push(member);
      }
    }
    level = below;
  }
  return flaw;
}

/** The object that the text of a call's arguments holds; undefined for what no tool takes and no other code should walk. */
export function parseCallInput(text: string): JsonObject | undefined {
  try {
    const input: unknown = JSON.parse(text);
    // What was just parsed from JSON is made of nothing else.
    return isJsonObject(input) && flawOf(input) !== "depth" ? (input as JsonObject) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
