/** Strategy 10: equal once typographic quotes, dashes and spaces count as the plain characters that a keyboard has. */
import { withLineEnding } from "../../file-content.ts";
import { alignLines } from "./align-lines.ts";
import { findExact } from "./simple.ts";
import type { Candidate, Search, Strategy } from "./strategy.ts";

export const typographic: Strategy = {
  name: "Typographic",
  combinesWithReplaceAll: true,
  find({ text, oldString, newString }) {
    const plainText = asPlain(text);
    const plainOld = asPlain(oldString);
    if (plainText === text && plainOld === oldString) return [];
    return findExact({ text: plainText, oldString: plainOld, newString: "" }).map((place) =>
      carryOver(text, place, { oldString, newString }),
    );
  },
};

const typographicCharacters =
  /[\u00a0\u2000-\u200a\u202f\u205f\u2018-\u201b\u2032\u201c-\u201f\u2033\u2010-\u2015\u2212]/g;

/** One character for one character, so that places stay where they are. */
export function asPlain(text: string): string {
  return text.replaceAll(typographicCharacters, (character) => {
    if (/[\u2018-\u201b\u2032]/.test(character)) return "'";
    if (/[\u201c-\u201f\u2033]/.test(character)) return '"';
    return /[\u2010-\u2015\u2212]/.test(character) ? "-" : " ";
  });
}

/** What the change leaves alone stays as the file has it; the rest is written in the file's characters where these are clear. */
function carryOver(
  text: string,
  { start, end, similarity }: Candidate,
  { oldString, newString }: Pick<Search, "oldString" | "newString">,
): Candidate {
  const present = text.slice(start, end);
  const ending = present.includes("\r\n") ? "\r\n" : "\n";
  const old = withLineEnding(oldString, ending);
  const oldTokens = splitTokens(old);
  const newTokens = splitTokens(withLineEnding(newString, ending));
  const presentTokens: string[] = [];
  let offset = 0;
  for (const token of oldTokens) {
    presentTokens.push(present.slice(offset, offset + token.length));
    offset += token.length;
  }
  const result = newTokens.map((token) => inCharactersOf(token, old, present));
  for (const [index, partner] of alignLines(oldTokens, newTokens).entries())
    if (partner !== undefined) result[partner] = presentTokens[index] ?? "";
  return { start, end, newText: result.join(""), similarity };
}

function splitTokens(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+|[\s\S]/gu) ?? [];
}

/** A character that the file has otherwise at every place of the old text is meant otherwise in the new one too. */
function inCharactersOf(token: string, old: string, present: string): string {
  if (token.length !== 1) return token;
  const inFile = new Set<string>();
  for (let at = old.indexOf(token); at !== -1; at = old.indexOf(token, at + 1)) inFile.add(present.charAt(at));
  const [only] = inFile;
  return inFile.size === 1 && only !== undefined ? only : token;
}
