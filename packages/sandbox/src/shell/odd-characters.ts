/** Finds characters that a person does not see, or sees as something else. */

/** Everything without a shape but the plain space, tab and line end; the joiners of emoji are among them. */
const hidden = [
  "(?![ \\n\\t])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{Zs}\\p{Zl}\\p{Zp}]",
  // Fillers, and marks that choose among shapes.
  "\\u034f|[\\u115f\\u1160]|[\\u17b4\\u17b5]|[\\u180b-\\u180f]|\\u2800|\\u3164|\\uffa0|[\\ufe00-\\ufe0d]|[\\u{e0100}-\\u{e01ef}]",
  // The two that choose between text and emoji are common, but not behind a plain character.
  "(?<=[\\0-\\x7f])[\\ufe0e\\ufe0f]",
];
const anyHidden = new RegExp(hidden.join("|"), "u");

/** The first of them as a code point, such as `U+200B`. */
export function findHiddenCharacter(text: string): string | undefined {
  const found = anyHidden.exec(text);
  if (found === null) return undefined;
  return `U+${(found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Why the name of a program cannot be taken as it looks. */
export function findOddName(name: string): string | undefined {
  if (name === "") return "The name of a program is empty.";
  if (/[^\x21-\x7e]/.test(name)) return `The name of the program ${JSON.stringify(name)} has unusual characters.`;
  return undefined;
}
