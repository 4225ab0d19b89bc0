/** Reads keys as people write them in settings, into the names that keys have on the screen. */

import { keyName } from "../screen/input.ts";
import { keybindTexts } from "../texts/settings.ts";

const modifiers: { readonly [name: string]: "ctrl" | "alt" | "shift" | "meta" } = {
  ctrl: "ctrl",
  control: "ctrl",
  alt: "alt",
  option: "alt",
  shift: "shift",
  meta: "meta",
  super: "meta",
  cmd: "meta",
  command: "meta",
  win: "meta",
};

const named = [
  ...["escape", "enter", "tab", "space", "backspace", "delete", "insert", "clear", "home", "end"],
  ...["pageUp", "pageDown", "up", "down", "left", "right"],
  ...Array.from({ length: 12 }, (_, index) => `f${index + 1}`),
];

/** By lower case, for nobody remembers which letter of a key is a capital one. */
const keyNames: ReadonlyMap<string, string> = new Map([
  ...named.map((name) => [name.toLowerCase(), name] as const),
  ["esc", "escape"],
  ["return", "enter"],
  ["linefeed", "enter"],
  ["del", "delete"],
  ["ins", "insert"],
  ["pgup", "pageUp"],
  ["pgdown", "pageDown"],
  ["pgdn", "pageDown"],
  ["comma", ","],
  ["plus", "+"],
  ["minus", "-"],
]);

/** The one name of a key, as `keyName` gives it; undefined for what is no key. */
export function canonicalKey(text: string): string | undefined {
  const parts = text === "+" || text.endsWith("++") ? [...text.slice(0, -1).split("+"), "+"] : text.split("+");
  const last = parts.at(-1) ?? "";
  const held = parts.slice(0, -1).filter((part) => part !== "" || last !== "+");
  const holds = new Set(held.map((part) => modifiers[part.toLowerCase()]));
  if (holds.has(undefined)) return undefined;
  const isOne = [...last].length === 1 && last !== " ";
  const name = isOne ? last.toLowerCase() : keyNames.get(last.toLowerCase());
  if (name === undefined) return undefined;
  // A capital letter alone means the key with Shift; a symbol has its Shift in it.
  const isCapital = isOne && held.length === 0 && last !== name;
  const isSymbol = isOne && last.toLowerCase() === last.toUpperCase() && !/^\d$/.test(last);
  return keyName({
    name,
    ctrl: holds.has("ctrl"),
    alt: holds.has("alt"),
    shift: !isSymbol && (holds.has("shift") || isCapital),
    meta: holds.has("meta"),
  });
}

export type SequenceResult =
  | { readonly ok: true; readonly keys: readonly string[] }
  | { readonly ok: false; readonly problem: string };

const keysMax = 4;

/** `<leader>m`, `<leader> m`, `ctrl+k ctrl+s`: keys one after the other. */
export function parseSequence(text: string, leader: string | undefined): SequenceResult {
  const words = text
    .replaceAll(/<leader>/gi, " <leader> ")
    .trim()
    .split(/\s+/);
  if (leader === undefined && words.includes("<leader>")) return { ok: false, problem: keybindTexts.needsLeader };
  if (words.length > keysMax) return { ok: false, problem: keybindTexts.tooManyKeys(keysMax) };
  const keys = words.map((word) => (word.toLowerCase() === "<leader>" ? leader : canonicalKey(word)));
  const bad = words.find((_, index) => keys[index] === undefined);
  if (bad !== undefined)
    return { ok: false, problem: bad === "" ? keybindTexts.isEmpty : keybindTexts.unknownKey(bad) };
  return { ok: true, keys: keys.filter((key) => key !== undefined) };
}

/** Alternatives are parted by commas; the comma of `ctrl+,` is a key. */
export function splitAlternatives(text: string): readonly string[] {
  return text.split(/(?<!\+),/).map((part) => part.trim());
}

/** Would be typed if the prompt had it. */
export function isTyped(key: string): boolean {
  return /^(?:shift\+)?(?:.|space)$/su.test(key);
}
