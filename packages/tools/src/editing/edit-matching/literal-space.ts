/** Tells white space that a language ignores from white space inside a quoted text, where it is content. */

const quotes = new Set(['"', "'", "`"]);

/**
 * Whether two lines that are equal but for runs of white space differ inside of quotes. An apostrophe opens a quote
 * here as well: that refuses more than it must, never less.
 */
export function differInLiterals(present: string, wanted: string): boolean {
  const presentParts = present.trim().split(/([ \t]+)/);
  const wantedParts = wanted.trim().split(/([ \t]+)/);
  let open: string | undefined;
  for (const [index, part] of presentParts.entries()) {
    const isSpace = index % 2 === 1;
    if (isSpace && open !== undefined && part !== wantedParts[index]) return true;
    if (isSpace) continue;
    for (let at = 0; at < part.length; at += 1) {
      const character = part.charAt(at);
      if (character === "\\") at += 1;
      else if (open === character) open = undefined;
      else if (open === undefined && quotes.has(character)) open = character;
    }
  }
  return false;
}
