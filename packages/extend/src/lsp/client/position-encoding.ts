/**
 * How a server counts characters of a line. Kedge offers UTF-16 alone, which every server must speak; some count in
 * another way and say so.
 */

export type PositionEncoding = "utf-8" | "utf-16" | "utf-32";

export function encodingOf(told: unknown): PositionEncoding {
  return told === "utf-8" || told === "utf-32" ? told : "utf-16";
}

/** The place in a string of JavaScript. */
export function fromServer(line: string, character: number, encoding: PositionEncoding): number {
  if (encoding === "utf-16") return character;
  let counted = 0;
  let at = 0;
  for (const each of line) {
    if (counted >= character) break;
    counted += lengthIn(each, encoding);
    at += each.length;
  }
  return at;
}

export function toServer(line: string, character: number, encoding: PositionEncoding): number {
  return lengthIn(line.slice(0, character), encoding);
}

function lengthIn(text: string, encoding: PositionEncoding): number {
  if (encoding === "utf-16") return text.length;
  return encoding === "utf-8" ? Buffer.byteLength(text) : [...text].length;
}
