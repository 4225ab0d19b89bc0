/** Keeps the lines that were drawn last, so that what did not change is the same array again. */

/** Draws anew when one of `parts` is another one than at the last time. */
export type LineCache = (parts: readonly unknown[], draw: () => readonly string[]) => readonly string[];

export function createLineCache(): LineCache {
  let last: { readonly parts: readonly unknown[]; readonly lines: readonly string[] } | undefined;
  return (parts, draw) => {
    const isSame = last?.parts.length === parts.length && last.parts.every((part, at) => Object.is(part, parts[at]));
    if (last === undefined || !isSame) last = { parts, lines: draw() };
    return last.lines;
  };
}
