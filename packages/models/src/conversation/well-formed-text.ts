/** Takes half characters out of texts: vendors reject a whole request for one, and output cut by length may end in one. */

/** Under the `u` flag a pair is one code point of another class, so that only halves match. */
export function wellFormedText(text: string): string {
  return text.isWellFormed() ? text : text.replace(/\p{Surrogate}/gu, "");
}

/** A pair written with escapes, then half of one, then any other escape; a backslash that is itself escaped comes last. */
const anyEscape = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(\\u[dD][89a-fA-F][\da-fA-F]{2})|\\./gs;

/** The same for JSON text, in which half a character may also be spelled as an escape. */
export function wellFormedJson(json: string): string {
  const text = wellFormedText(json);
  if (!text.includes("\\ud") && !text.includes("\\uD")) return text;
  return text.replace(anyEscape, (found: string, half: string | undefined) => (half === undefined ? found : ""));
}

export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}
