/** Proves that a key is the same key, whichever way the terminal says it. */
import { expect, test } from "vitest";
import { decodeInput } from "./decode-input.ts";
import { type Key, keyName } from "./input.ts";

const esc = "\u001b";

/** The name as settings have it, and what it prints. */
function decoded(sequence: string): string | undefined {
  const input = decodeInput(sequence);
  if (input?.kind !== "key") return input === undefined ? undefined : input.kind;
  const { text } = input.key;
  return text === undefined ? keyName(input.key) : `${keyName(input.key)} prints ${JSON.stringify(text)}`;
}

const table: { readonly [name: string]: readonly string[] } = {
  // What prints, as it is, as modifyOtherKeys says it, and as Kitty does.
  'a prints "a"': ["a", `${esc}[97u`, `${esc}[97;1u`, `${esc}[97;1:1u`, `${esc}[97;1:2u`, `${esc}[97;129u`],
  'shift+a prints "A"': ["A", `${esc}[27;2;65~`, `${esc}[97:65;2u`, `${esc}[97;2u`, `${esc}[65;2u`],
  '1 prints "1"': ["1", `${esc}[49u`, `${esc}[57400u`],
  '! prints "!"': ["!", `${esc}[27;2;33~`, `${esc}[49:33;2u`, `${esc}[33u`],
  '? prints "?"': ["?", `${esc}[27;2;63~`, `${esc}[47:63;2u`],
  '$ prints "$"': ["$", `${esc}[52:36;2u`],
  '+ prints "+"': ["+", `${esc}[61:43;2u`, `${esc}[57413u`],
  'space prints " "': [" ", `${esc}[32u`],
  'shift+space prints " "': [`${esc}[27;2;32~`, `${esc}[32;2u`],
  'é prints "é"': ["é", `${esc}[233u`],
  'shift+é prints "É"': ["É", `${esc}[233:201;2u`],
  'ß prints "ß"': ["ß"],
  'с prints "с"': ["с", `${esc}[1089::99u`],
  '語 prints "語"': ["語"],
  '👍🏽 prints "👍🏽"': ["👍🏽"],
  '👨‍👩‍👧 prints "👨‍👩‍👧"': ["👨‍👩‍👧"],
  'e\u0301 prints "e\u0301"': ["e\u0301"],
  // Chords.
  "ctrl+a": ["\u0001", `${esc}[27;5;97~`, `${esc}[97;5u`],
  "ctrl+c": ["\u0003", `${esc}[99;5u`, `${esc}[1089::99;5u`],
  "ctrl+j": ["\n", `${esc}[106;5u`],
  "ctrl+shift+a": [`${esc}[97;6u`, `${esc}[97:65;6u`, `${esc}[27;6;65~`],
  "ctrl+space": ["\u0000", `${esc}[32;5u`],
  "ctrl+-": ["\u001f", `${esc}[45;5u`],
  "alt+a": [`${esc}a`, `${esc}[27;3;97~`, `${esc}[97;3u`],
  "alt+p": [`${esc}p`, `${esc}[112;3u`],
  "alt+b": [`${esc}b`, `${esc}[98;3u`],
  "alt+shift+a": [`${esc}A`, `${esc}[97:65;4u`],
  "alt+.": [`${esc}.`, `${esc}[46;3u`],
  "alt+1": [`${esc}1`],
  "ctrl+alt+d": [`${esc}\u0004`, `${esc}[100;7u`],
  "meta+k": [`${esc}[107;9u`],
  "ctrl+alt+shift+meta+f": [`${esc}[102;16u`],
  // Named keys.
  enter: ["\r", `${esc}[13u`, `${esc}OM`, `${esc}[57414u`],
  "shift+enter": [`${esc}[13;2u`, `${esc}[27;2;13~`],
  "alt+enter": [`${esc}\r`, `${esc}[13;3u`, `${esc}[27;3;13~`],
  "ctrl+enter": [`${esc}[13;5u`, `${esc}[27;5;13~`],
  tab: ["\t", `${esc}[9u`],
  "shift+tab": [`${esc}[Z`, `${esc}[9;2u`],
  escape: [esc, `${esc}[27u`, `${esc}${esc}`],
  backspace: ["\u007f", `${esc}[127u`],
  "ctrl+backspace": [`${esc}[127;5u`],
  "alt+backspace": [`${esc}\u007f`, `${esc}[127;3u`],
  delete: [`${esc}[3~`, `${esc}[57426u`],
  "ctrl+delete": [`${esc}[3;5~`, `${esc}[3^`],
  up: [`${esc}[A`, `${esc}OA`, `${esc}[1;1:2A`, `${esc}[57419u`],
  "shift+up": [`${esc}[1;2A`, `${esc}[a`],
  "alt+up": [`${esc}[1;3A`],
  "ctrl+left": [`${esc}[1;5D`, `${esc}Od`],
  "meta+right": [`${esc}[1;9C`],
  home: [`${esc}[H`, `${esc}OH`, `${esc}[1~`, `${esc}[7~`],
  end: [`${esc}[F`, `${esc}[4~`, `${esc}[8~`],
  "ctrl+home": [`${esc}[1;5H`, `${esc}[7^`],
  "ctrl+end": [`${esc}[1;5F`],
  pageUp: [`${esc}[5~`],
  "shift+pageDown": [`${esc}[6;2~`],
  f1: [`${esc}OP`, `${esc}[P`, `${esc}[11~`, `${esc}[1;1:2P`],
  f4: [`${esc}OS`, `${esc}[S`, `${esc}[14~`],
  f5: [`${esc}[15~`, `${esc}[15;1:2~`],
  f12: [`${esc}[24~`],
  "shift+f1": [`${esc}[1;2P`, `${esc}[11;2~`],
  "ctrl+f12": [`${esc}[24;5~`],
};

const rows = Object.entries(table).flatMap(([name, sequences]) => sequences.map((sequence) => [sequence, name]));

test.each(rows)("%j is %s", (sequence, name) => {
  expect(decoded(sequence ?? "")).toBe(name);
});

test("a key says all of its modifiers", () => {
  const key: Key = { name: "a", ctrl: false, alt: false, shift: true, meta: false, text: "A" };
  expect(decodeInput("A")).toEqual({ kind: "key", key });
  expect(decodeInput("\r")).toEqual({ kind: "key", key: { ...noModifiers, name: "enter" } });
});

const noModifiers = { ctrl: false, alt: false, shift: false, meta: false };

test.each([
  ["a released letter", `${esc}[97;1:3u`],
  ["a released arrow", `${esc}[1;1:3A`],
  ["a released function key", `${esc}[1;1:3P`],
  ["a released function key with a number", `${esc}[15;1:3~`],
  ["a released Enter", `${esc}[13;1:3u`],
  ["a modifier alone", `${esc}[57441u`],
  ["the caps lock key", `${esc}[57358u`],
  ["an answer about the device", `${esc}[?62;22c`],
  ["an answer about a colour", `${esc}]11;rgb:0000/0000/0000${esc}\\`],
  ["a sequence that nobody knows", `${esc}[999;999z`],
  ["nothing", ""],
])("%s is nothing the user did", (_, sequence) => {
  expect(decodeInput(sequence)).toBeUndefined();
});

test.each([
  ["hello", "hello"],
  ["two\nlines\r\n", "two\nlines\r\n"],
  [`colour ${esc}[31mred${esc}[0m`, `colour ${esc}[31mred${esc}[0m`],
  ["90:62:3F:A5", "90:62:3F:A5"],
  ["", ""],
])("pasted %j stays one text", (pasted, text) => {
  expect(decodeInput(`${esc}[200~${pasted}${esc}[201~`)).toEqual({ kind: "paste", text });
});

test("text that looks like the end of a released key is text", () => {
  expect(decoded("x:3u")).toBe('x:3u prints "x:3u"');
});

test("the focus comes and goes", () => {
  expect(decodeInput(`${esc}[I`)).toEqual({ kind: "focus", isFocused: true });
  expect(decodeInput(`${esc}[O`)).toEqual({ kind: "focus", isFocused: false });
});
