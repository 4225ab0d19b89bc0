/** Text from models, tools and files as a page may show it: nothing hidden in it stays hidden, nothing moves letters about. */
import { hiddenCharacter, showCharacter, stripControlSequences } from "@kedge/protocol";

const tabText = "    ";
const beyondPlain = /[^\t\n -~]/;

/** Joiners hold an emoji together, and some scripts cannot be written without them. */
const joinedScripts = ["Arabic", "Syriac", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Tamil", "Telugu"]
  .concat(["Kannada", "Malayalam", "Sinhala", "Khmer", "Mongolian"])
  .map((script) => `\\p{Script=${script}}`)
  .join("");
const emoji = "[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]";
const ordinaryJoiner = new RegExp(
  `(?<=${emoji})\\u200d(?=\\p{Extended_Pictographic})|(?<=[${joinedScripts}\\p{Mn}])[\\u200c\\u200d](?=[${joinedScripts}])`,
  "gu",
);

/** Text that flows, such as answers and output. */
export function visibleText(text: string): string {
  if (!beyondPlain.test(text)) return text;
  const clean = stripControlSequences(text).toWellFormed();
  const joiners = new Set([...clean.matchAll(ordinaryJoiner)].map(({ index }) => index));
  return clean.replaceAll(hiddenCharacter, (character: string, ...rest: unknown[]) => {
    const index = rest.find((value) => typeof value === "number");
    return index !== undefined && joiners.has(index) ? character : showCharacter(character);
  });
}

/** Names and titles: one line, whatever was in it. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll(/\s+/g, " ").trim();
}

/** Code and output, whose columns matter. */
export function visibleCode(text: string): string {
  return visibleText(text).replaceAll("\t", tabText);
}
