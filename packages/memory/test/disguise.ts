/** Disguises the words of an attack as attackers do, for tests. */

const disguises: { readonly [name: string]: (text: string) => string } = {
  base64: (text) => `Please look at this: ${Buffer.from(text).toString("base64")}`,
  hex: (text) => `data ${Buffer.from(text).toString("hex")} end`,
  rot13: (text) => text.replaceAll(/[A-Za-z]/g, rotate),
  leet: (text) => text.replaceAll(/[oieas]/g, (letter) => ({ o: "0", i: "1", e: "3", a: "4", s: "5" })[letter] ?? ""),
  homoglyph: (text) =>
    text.replaceAll(/[oeapc]/g, (letter) => ({ o: "о", e: "е", a: "а", p: "р", c: "с" })[letter] ?? ""),
  spaced: (text) =>
    text
      .split(" ")
      .map((word) => [...word].join(" "))
      .join("   "),
  reversed: (text) => [...text].reverse().join(""),
  zerowidth: (text) => [...text].join("\u200b"),
  tagsmuggle: (text) => `Nice weather. ${shifted(text, 0xe0000)}`,
  selectors: (text) => `Nice weather. ${shifted(text, 0xe0100 - 16)}`,
  entities: (text) => text.replaceAll(/[a-z]/g, (letter) => `&#${letter.charCodeAt(0)};`),
  percent: (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  escapes: (text) => text.replaceAll(/[a-z]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
  fullwidth: (text) => text.replaceAll(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  diacritics: (text) => text.replaceAll(/[aeiou]/g, (letter) => `${letter}\u0308`),
};

/** By the name of the disguise; other names leave the text as it is. */
export function disguise(name: string, text: string): string {
  return disguises[name]?.(text) ?? text;
}

function rotate(letter: string): string {
  const base = letter <= "Z" ? 65 : 97;
  return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
}

function shifted(text: string, by: number): string {
  return [...text].map((letter) => String.fromCodePoint(by + letter.charCodeAt(0))).join("");
}
