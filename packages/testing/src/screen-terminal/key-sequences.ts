/** What a terminal sends for a key, in the form that every terminal knows. */

const namedSequences: { readonly [name: string]: string } = {
  enter: "\r",
  tab: "\t",
  escape: "\u001b",
  backspace: "\u007f",
  space: " ",
};

/** The last letter of `ESC [ letter`, or of `ESC [ 1 ; modifiers letter`. */
const letteredKeys: { readonly [name: string]: string } = {
  up: "A",
  down: "B",
  right: "C",
  left: "D",
  home: "H",
  end: "F",
  f1: "P",
  f2: "Q",
  f3: "R",
  f4: "S",
};

/** The number of `ESC [ number ~`. */
const numberedKeys: { readonly [name: string]: number } = {
  insert: 2,
  delete: 3,
  pageup: 5,
  pagedown: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
};

const functionKeys = new Set(["f1", "f2", "f3", "f4"]);
const escapeCharacter = "\u001b";
const controlMask = 0x1f;

/** Takes names such as `enter`, `ctrl+c`, `alt+enter`, `shift+tab`, `ctrl+pageUp`. Throws for a key that has no sequence. */
export function keySequence(key: string): string {
  const words = key.split("+");
  const name = words.pop() ?? "";
  const modifiers = new Set(words);
  const unknown = words.find((word) => !["ctrl", "alt", "shift"].includes(word));
  if (unknown !== undefined) throw new Error(`"${unknown}" of the key "${key}" is no modifier.`);
  const known = name.toLowerCase();
  const letter = letteredKeys[known];
  if (letter !== undefined) return letteredSequence(known, letter, modifierNumber(modifiers));
  const number = numberedKeys[known];
  if (number !== undefined) {
    const modifier = modifierNumber(modifiers);
    return `${escapeCharacter}[${number}${modifier === 1 ? "" : `;${modifier}`}~`;
  }
  if (known === "tab" && modifiers.has("shift")) return `${escapeCharacter}[Z`;
  const plain = namedSequences[known] ?? name;
  if ([...plain].length !== 1) throw new Error(`The key "${key}" has no name here.`);
  return `${modifiers.has("alt") ? escapeCharacter : ""}${modifiers.has("ctrl") ? controlCharacter(plain, key) : plain}`;
}

function letteredSequence(name: string, letter: string, modifier: number): string {
  if (modifier !== 1) return `${escapeCharacter}[1;${modifier}${letter}`;
  return functionKeys.has(name) ? `${escapeCharacter}O${letter}` : `${escapeCharacter}[${letter}`;
}

/** As terminals count: one, and a bit for each modifier. */
function modifierNumber(modifiers: ReadonlySet<string>): number {
  return 1 + (modifiers.has("shift") ? 1 : 0) + (modifiers.has("alt") ? 2 : 0) + (modifiers.has("ctrl") ? 4 : 0);
}

function controlCharacter(character: string, key: string): string {
  if (character === " ") return "\u0000";
  if (!/^[a-zA-Z[\]\\^_]$/.test(character)) throw new Error(`The key "${key}" has no sequence in a terminal.`);
  return String.fromCharCode(character.toUpperCase().charCodeAt(0) & controlMask);
}
