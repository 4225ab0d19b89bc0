/** How a character that nobody sees is shown to a model, and read back from what the model writes. */

/** Invisible or moving text about, and so able to hide words; without the variation selectors of emoji. */
export const hiddenCharacter: RegExp = new RegExp(
  [
    "[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f]",
    "[\\u3164\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufffb]",
    "[\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]",
    // One after another they carry bits.
    "[\\ufe0e\\ufe0f](?=[\\ufe0e\\ufe0f])|(?<=[\\ufe0e\\ufe0f])[\\ufe0e\\ufe0f]",
  ].join("|"),
  "gu",
);

export function showCharacter(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

const shown = /⟨U\+([0-9A-F]{4,6})⟩/g;

/** Puts the characters back that were shown; anything else that is written like one stays. */
export function readShownCharacters(text: string): string {
  if (!text.includes("⟨U+")) return text;
  return text.replace(shown, (written, digits: string) => {
    const code = Number.parseInt(digits, 16);
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : "";
    return character.match(hiddenCharacter) === null ? written : character;
  });
}
