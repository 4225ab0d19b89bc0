/** The whole language of our screen: whatever else is written to a terminal came from somebody else. */

const escapeCode = "\\u001b";
/** Our styles, in true colour; a colour by its number or a hidden text is nobody's of us. */
const styleCode = "(?:[0123479]|2[23479]|[34]9|[34]8;2;\\d+;\\d+;\\d+)";
const style = `${escapeCode}\\[${styleCode}(?:;${styleCode})*m`;
/** The library ends a line with the end of a link, whether there was one or not. */
const linkEnd = `${escapeCode}\\]8;;\\u0007`;
/** No control character, and none of the marks that reorder text, take no room or hide something. */
const printed =
  "[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}]";
const row = `${escapeCode}\\[(\\d+);1H${escapeCode}\\[2K(?:${style}|${linkEnd}|${printed})*`;
const cursor = `(?:${escapeCode}\\[\\d+;\\d+H)?${escapeCode}\\[\\?25l`;
const frame = new RegExp(
  `^${escapeCode}\\[\\?2026h(?:${escapeCode}\\[2J)?(?<rows>(?:${row.replace("(\\d+)", "\\d+")})*)${cursor}${escapeCode}\\[\\?2026l$`,
  "u",
);
const rowStart = new RegExp(`${escapeCode}\\[(\\d+);1H${escapeCode}\\[2K`, "gu");

export function isFrame(piece: string): boolean {
  const rows = frame.exec(piece)?.groups?.["rows"];
  if (rows === undefined) return false;
  // Drawn from the top down, each once: a row that somebody else smuggled in would stand out of this order.
  const numbers = [...rows.matchAll(rowStart)].map(([, number]) => Number(number));
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
}

/** What is neither a frame nor one of the known pieces, readable. */
export function foreignPieces(pieces: readonly string[], known: readonly string[] = []): readonly string[] {
  return pieces.filter((piece) => !known.includes(piece) && !isFrame(piece)).map((piece) => JSON.stringify(piece));
}

/** Written once each, in this order, before the first frame. */
export const startPieces: readonly string[] = [
  "\u001b[?1049h\u001b[?7l\u001b[?1000h\u001b[?1002h\u001b[?1003h\u001b[?1004h\u001b[?1006h\u001b[2J\u001b[H\u001b[?25l",
  "\u001b[?2004h\u001b[>7u\u001b[?u\u001b[c",
  "\u001b[?25l",
  "\u001b[?2031h",
  "\u001b]11;?\u0007",
];

/** Likewise, after the last one. */
export const stopPieces: readonly string[] = [
  "\u001b[?2031l",
  "\u001b[?2026h\u001b[?1006l\u001b[?1004l\u001b[?1003l\u001b[?1002l\u001b[?1000l\u001b[?7h\u001b[?2026l",
  "\u001b[?25h",
  "\u001b[?2004l\u001b[<u",
  "\u001b[?2026h\u001b[?1049l\u001b[?25h\u001b[?2026l",
];
