/** Reads one value of TOML: texts in four forms, numbers, flags, times, lists and tables in one line. */
import { newTable, putAt, type TomlTable, type TomlValue } from "./toml-table.ts";
import { TomlProblem, type TomlText } from "./toml-text.ts";

const depthMax = 50;

export function readTomlValue(text: TomlText, depth: number): TomlValue {
  if (depth > depthMax) throw new TomlProblem("nested too deeply");
  const next = text.peek();
  if (next === '"' || next === "'") return readString(text);
  if (next === "[") return readList(text, depth);
  if (next === "{") return readInlineTable(text, depth);
  const word = text.take(/[^\s,\]}#]+(?: \d{2}:[\d:.Z+-]+)?/y) ?? "";
  if (word === "true" || word === "false") return word === "true";
  if (/^\d{4}-\d{2}-\d{2}|^\d{2}:\d{2}/.test(word)) return word;
  const number = Number(word.replaceAll("_", "").replace(/^\+/, ""));
  if (word === "" || Number.isNaN(number)) throw new TomlProblem("expected a value");
  return number;
}

function readString(text: TomlText): string {
  const quote = text.peek();
  const isLong = text.peek(3) === quote.repeat(3);
  const end = isLong ? quote.repeat(3) : quote;
  text.expect(end);
  const body = text.takeUntil(end, { hasEscapes: quote === '"', hasLines: isLong });
  const whole = isLong ? body.replace(/^\r?\n/, "") : body;
  return quote === '"' ? withoutEscapes(whole.replaceAll(/\\[ \t]*\r?\n\s*/g, "")) : whole;
}

const escapes: { readonly [letter: string]: string } = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  e: "\u001b",
  '"': '"',
  "\\": "\\",
};

function withoutEscapes(body: string): string {
  return body.replaceAll(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g, (_, short, long, letter) => {
    const code = short ?? long;
    if (code !== undefined) {
      const point = Number.parseInt(code, 16);
      if (point > 0x10ffff) throw new TomlProblem("invalid character in a string");
      return String.fromCodePoint(point);
    }
    const plain = escapes[letter];
    if (plain === undefined) throw new TomlProblem(`unknown escape in a string: \\${letter}`);
    return plain;
  });
}

function readList(text: TomlText, depth: number): TomlValue[] {
  const list: TomlValue[] = [];
  text.expect("[");
  for (text.skipLines(); text.peek() !== "]"; text.skipLines()) {
    list.push(readTomlValue(text, depth + 1));
    text.skipLines();
    if (text.peek() !== "]") text.expect(",");
  }
  text.expect("]");
  return list;
}

function readInlineTable(text: TomlText, depth: number): TomlTable {
  const table = newTable();
  text.expect("{");
  for (text.skipLines(); text.peek() !== "}"; text.skipLines()) {
    const path = readTomlKey(text);
    text.skipBlanks();
    text.expect("=");
    text.skipBlanks();
    putAt(table, path, readTomlValue(text, depth + 1));
    text.skipLines();
    if (text.peek() !== "}") text.expect(",");
  }
  text.expect("}");
  return table;
}

/** `a.b."c d"`. */
export function readTomlKey(text: TomlText): readonly string[] {
  const names = [readName(text)];
  for (text.skipBlanks(); text.peek() === "."; text.skipBlanks()) {
    text.expect(".");
    text.skipBlanks();
    names.push(readName(text));
  }
  return names;
}

function readName(text: TomlText): string {
  if (text.peek() === '"' || text.peek() === "'") return readString(text);
  const name = text.take(/[A-Za-z0-9_-]+/y);
  if (name === undefined) throw new TomlProblem("expected a key");
  return name;
}
