/** Reads `$'…'`, whose backslashes stand for characters. */
import { fail, passLineEnd, peek, type Reader } from "./reader.ts";

/** The text; undefined when it has bytes that are no character by themselves, so that the text is not known. */
export type AnsiQuoted = { readonly text: string | undefined };

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["e", "\u001b"],
  ["E", "\u001b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["?", "?"],
]);

const hexDigitsMax: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

const codePointMax = 0x10ffff;

/** The reader stands behind the opening quote. */
export function readAnsiQuoted(reader: Reader): AnsiQuoted {
  let text: string | undefined = "";
  for (;;) {
    const character = peek(reader);
    if (character === "") {
      fail(reader, "A quote is not closed.");
      return { text: undefined };
    }
    reader.at += 1;
    if (character === "'") return { text };
    if (character === "\n") passLineEnd(reader);
    const piece: string | undefined = character === "\\" ? readEscape(reader) : character;
    text = text === undefined || piece === undefined ? undefined : text + piece;
  }
}

function readEscape(reader: Reader): string | undefined {
  const character = peek(reader);
  reader.at += 1;
  const simple = simpleEscapes.get(character);
  if (simple !== undefined) return simple;
  const digitsMax = hexDigitsMax.get(character);
  if (digitsMax !== undefined) return readCode(reader, { radix: 16, digitsMax, isByte: character === "x" });
  if (character >= "0" && character <= "7") {
    reader.at -= 1;
    return readCode(reader, { radix: 8, digitsMax: 3, isByte: true });
  }
  if (character === "c") {
    const control = peek(reader);
    if (!/^[a-z@[\]^_?]$/i.test(control)) fail(reader, "A control character is written in an unusual way.");
    reader.at += 1;
    return control === "?" ? "\u007f" : fromCode(reader, control.toUpperCase().charCodeAt(0) & 0x1f);
  }
  if (character === "" || character === "\n") fail(reader, "A line ends with a backslash.");
  return `\\${character}`;
}

type CodeForm = { readonly radix: 8 | 16; readonly digitsMax: number; readonly isByte: boolean };

function readCode(reader: Reader, form: CodeForm): string | undefined {
  let digits = "";
  while (digits.length < form.digitsMax) {
    const digit = peek(reader);
    if (digit === "" || Number.isNaN(Number.parseInt(digit, form.radix))) break;
    digits += digit;
    reader.at += 1;
  }
  if (digits === "") fail(reader, "A character code has no digits.");
  const code = Number.parseInt(digits, form.radix) & (form.radix === 8 ? 0xff : 0xffffffff);
  if (form.isByte && code > 0x7f) return undefined;
  return fromCode(reader, code);
}

function fromCode(reader: Reader, code: number): string | undefined {
  if (code === 0) fail(reader, "A character with code 0 cuts the text off.");
  if (code < 0 || code > codePointMax || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  return String.fromCodePoint(code);
}
