/** Which hooks of an event a value concerns: lists of exact names, or a regular expression. */
import { dialects } from "./dialects/dialects.ts";
import type { Hook } from "./hook.ts";

export type Matcher = (value: string) => boolean;

/** Longer ones are nobody's pattern for a name. */
const patternCharactersMax = 1_000;

/** Undefined for a text that is no pattern. */
export function readMatcher(
  text: string | undefined,
  options: { readonly isPattern?: boolean; readonly isWhole?: boolean } = {},
): Matcher | undefined {
  if (text === undefined || /^\*{0,2}$/.test(text)) return () => true;
  if (text.length > patternCharactersMax) return undefined;
  if (options.isPattern !== true && /^[\w\-,| ]+$/.test(text)) {
    const names = new Set(text.split(/[|,]/).map((name) => name.trim()));
    return (value) => names.has(value);
  }
  try {
    const pattern = new RegExp(options.isWhole === true ? `^(?:${text})$` : text);
    return (value) => pattern.test(value);
  } catch {
    return undefined;
  }
}

/** As the agent reads it that the hook was written for. One that is broken concerns everything. */
export function matcherOf({ dialect, matcher }: Pick<Hook, "dialect" | "matcher">): Matcher {
  const { matcherIsPattern, matcherIsWhole } = dialects[dialect];
  const read = readMatcher(matcher, { isPattern: matcherIsPattern === true, isWhole: matcherIsWhole === true });
  return read ?? (() => true);
}
