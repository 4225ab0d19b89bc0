/** Keys as terminals report them, read as the keys that vim's grammar knows. */

/** `key` is what is printed (`$`, `W`, `é`), the base letter with the shift flag, or a name (`escape`, `left`). */
export type VimKey = {
  readonly key: string;
  readonly ctrl: boolean;
  readonly shift: boolean;
  readonly meta: boolean;
};

type KeyMeaning =
  | { readonly kind: "escape" }
  /** Never text in NORMAL: a command, a part of one, or nothing. */
  | { readonly kind: "printed"; readonly character: string }
  /** Belongs to the application: chords, Enter, Tab, arrows, function keys. */
  | { readonly kind: "foreign" };

const escapeNames: ReadonlySet<string> = new Set(["escape", "Escape", "esc"]);
const eraseNames: ReadonlySet<string> = new Set(["backspace", "delete"]);

export function readKey({ key, ctrl, shift, meta }: VimKey): KeyMeaning {
  if (ctrl || meta) return { kind: "foreign" };
  if (escapeNames.has(key)) return { kind: "escape" };
  if (key === "space") return { kind: "printed", character: " " };
  // Not printed, but the widget would change the text; as no command has such a key, they have no effect.
  if (eraseNames.has(key)) return { kind: "printed", character: key };
  if (!isPrinted(key)) return { kind: "foreign" };
  return { kind: "printed", character: shift ? shifted(key) : key };
}

/** Names are words of ASCII letters and digits; what an input method composes has other letters. */
function isPrinted(key: string): boolean {
  return /^[\x20-\x7e]$/.test(key) || /[\u{a0}-\u{10ffff}]/u.test(key);
}

/** Only letters: the shifted symbol of a digit depends on the keyboard. */
function shifted(key: string): string {
  const upper = key.toUpperCase();
  return upper.length === key.length ? upper : key;
}
