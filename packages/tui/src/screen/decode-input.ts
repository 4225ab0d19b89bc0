/** From what a terminal sends to what the user did. */
import { decodeKittyPrintable, isKeyRelease, parseKey } from "@earendil-works/pi-tui";
import type { Input, Key } from "./input.ts";

const escapeByte = "\u001b";
const pasteBegin = "\u001b[200~";
const pasteEnd = "\u001b[201~";
const focusIn = "\u001b[I";
const focusOut = "\u001b[O";

/** Undefined for what is nothing a user did: released keys, answers of the terminal, sequences nobody knows. */
export function decodeInput(sequence: string): Input | undefined {
  if (sequence === focusIn || sequence === focusOut) return { kind: "focus", isFocused: sequence === focusIn };
  if (sequence.startsWith(pasteBegin)) {
    const end = sequence.endsWith(pasteEnd) ? -pasteEnd.length : undefined;
    return { kind: "paste", text: sequence.slice(pasteBegin.length, end) };
  }
  if (sequence.startsWith(escapeByte) && isKeyRelease(sequence)) return undefined;
  const key = unlistedKey(sequence) ?? listedKey(sequence);
  return key === undefined ? undefined : { kind: "key", key };
}

const unmodified = { ctrl: false, alt: false, shift: false, meta: false };

/** What the library does not know, or takes for something else. */
function unlistedKey(sequence: string): Key | undefined {
  // Enter is a carriage return everywhere, so a line feed can only be the chord.
  if (sequence === "\n") return { ...unmodified, name: "j", ctrl: true };
  // Pressed twice so fast that both came together.
  if (sequence === escapeByte + escapeByte) return { ...unmodified, name: "escape" };
  const character = sequence.length === 2 && sequence.startsWith(escapeByte) ? (sequence[1] ?? "") : "";
  if (/^[a-zA-Z0-9]$/.test(character)) {
    return { ...unmodified, name: character.toLowerCase(), alt: true, shift: isCapital(character) };
  }
  return functionKey(sequence);
}

const keysByNumber: { readonly [number: string]: string } = {
  ...{ 1: "home", 4: "end", 11: "f1", 12: "f2", 13: "f3", 14: "f4", 15: "f5", 17: "f6", 18: "f7" },
  ...{ 19: "f8", 20: "f9", 21: "f10", 23: "f11", 24: "f12" },
};
/** The third one is left out: its sequence is the place of the cursor as well. */
const keysByLetter: { readonly [letter: string]: string } = { P: "f1", Q: "f2", S: "f4" };
const released = "3";

function functionKey(sequence: string): Key | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with one.
  const match = /^\u001b\[(\d*)(?:;(\d+)(?::(\d))?)?([~PQS])$/.exec(sequence);
  if (match === null) return undefined;
  const [, number = "", modifier = "1", event, final = ""] = match;
  const name = final === "~" ? keysByNumber[number] : number === "" || number === "1" ? keysByLetter[final] : undefined;
  if (name === undefined || event === released) return undefined;
  const bits = Number(modifier) - 1;
  return { name, shift: (bits & 1) !== 0, alt: (bits & 2) !== 0, ctrl: (bits & 4) !== 0, meta: (bits & 8) !== 0 };
}

function listedKey(sequence: string): Key | undefined {
  const printed = printedText(sequence);
  const id = parseKey(sequence);
  // Letters of other alphabets and composed characters have no name of their own.
  if (id === undefined) return printed === undefined ? undefined : keyOfText(printed);
  const { name, modifiers } = splitId(id);
  const [ctrl, alt, meta] = [modifiers.has("ctrl"), modifiers.has("alt"), modifiers.has("super")];
  const shift = modifiers.has("shift") || isCapital(name);
  const isLetter = name.length === 1;
  if (isLetter && !ctrl && !alt && !meta) {
    // Some terminals name a printing key only, together with shift.
    const text = printed ?? name;
    return keyOfText(shift ? text.toUpperCase() : text);
  }
  const known = isLetter ? name.toLowerCase() : (knownNames[name] ?? name);
  const isSpace = known === "space" && !ctrl && !alt && !meta;
  return { name: known, ctrl, alt, shift, meta, ...(isSpace && { text: " " }) };
}

const knownNames: { readonly [name: string]: string } = { return: "enter", esc: "escape" };

function splitId(id: string): { readonly name: string; readonly modifiers: ReadonlySet<string> } {
  const modifiers = new Set<string>();
  let name: string = id;
  for (let plus = name.indexOf("+", 1); plus > 0; plus = name.indexOf("+", 1)) {
    modifiers.add(name.slice(0, plus));
    name = name.slice(plus + 1);
  }
  return { name, modifiers };
}

/** A capital letter is its small one with shift; of a symbol nobody knows which key it was, so it has its own name. */
function keyOfText(text: string): Key {
  const shift = isCapital(text);
  return { ...unmodified, name: shift ? text.toLowerCase() : text, shift, text };
}

function isCapital(text: string): boolean {
  return /^\p{Lu}\p{M}*$/u.test(text);
}

/** Kitty numbers keys that print nothing, such as Shift alone, where no letters are. */
const numberedKeys = /^[\u{e000}-\u{f8ff}]$/u;

function printedText(sequence: string): string | undefined {
  const decoded = decodeKittyPrintable(sequence);
  if (decoded !== undefined) return numberedKeys.test(decoded) ? undefined : decoded;
  return /^\P{Cc}+$/u.test(sequence) ? sequence : undefined;
}
