/** Which hooks of an event a value concerns: lists of exact names, or a regular expression. */

export type Matcher = (value: string) => boolean;

/** Longer ones are nobody's pattern for a name. */
const patternCharactersMax = 1_000;

/** Undefined for a text that is no pattern. */
export function readMatcher(
  text: string | undefined,
  options: { readonly isPattern?: boolean } = {},
): Matcher | undefined {
  if (text === undefined || text === "" || text === "*") return () => true;
  if (text.length > patternCharactersMax) return undefined;
  if (options.isPattern !== true && /^[\w\-,| ]+$/.test(text)) {
    const names = new Set(text.split(/[|,]/).map((name) => name.trim()));
    return (value) => names.has(value);
  }
  try {
    const pattern = new RegExp(text);
    return (value) => pattern.test(value);
  } catch {
    return undefined;
  }
}
