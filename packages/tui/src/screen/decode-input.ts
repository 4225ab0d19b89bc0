/** From what a terminal sends to what the user did. */
import { decodeKittyPrintable, isKeyRelease, parseKey } from "@earendil-works/pi-tui";
import type { Input, Key } from "./input.ts";

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
  if (isKeyRelease(sequence)) return undefined;
  const key = decodeKey(sequence);
  return key === undefined ? undefined : { kind: "key", key };
}

function decodeKey(sequence: string): Key | undefined {
  const printed = printedText(sequence);
  const id = parseKey(sequence);
  // Letters of other alphabets and composed characters have no name of their own.
  if (id === undefined) return printed === undefined ? undefined : { ...unmodified, name: printed, text: printed };
  const modifiers = new Set<string>();
  let name = id;
  for (let plus = name.indexOf("+", 1); plus > 0; plus = name.indexOf("+", 1)) {
    modifiers.add(name.slice(0, plus));
    name = name.slice(plus + 1);
  }
  // A capital letter is its small one with shift, whichever way the terminal says it.
  const lower = name.length === 1 ? name.toLowerCase() : name;
  if (lower !== name) modifiers.add("shift");
  const ctrl = modifiers.has("ctrl");
  const alt = modifiers.has("alt");
  const meta = modifiers.has("super");
  const shift = modifiers.has("shift");
  const text = ctrl || alt || meta ? undefined : (printed ?? textOfName(lower, shift));
  const known = lower === "return" ? "enter" : lower === "esc" ? "escape" : lower;
  return { name: known, ctrl, alt, shift, meta, ...(text !== undefined && { text }) };
}

/** Some terminals name a printing key only, together with shift. */
function textOfName(name: string, isShifted: boolean): string | undefined {
  if (name === "space") return " ";
  if (name.length !== 1) return undefined;
  return isShifted ? name.toUpperCase() : name;
}

const unmodified = { ctrl: false, alt: false, shift: false, meta: false };

function printedText(sequence: string): string | undefined {
  const decoded = decodeKittyPrintable(sequence);
  if (decoded !== undefined) return decoded;
  return /^\P{Cc}+$/u.test(sequence) ? sequence : undefined;
}
