/** Characters that nobody sees: taken out where words are read, shown where bytes have to stay. */
import { hiddenCharacter, showCharacter } from "@kedge/protocol";

/** Control characters but tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Longer runs carry a message; what they say is of no use to anybody. */
const shownInRowMax = 16;
const hiddenRun = new RegExp(`(?:${hiddenCharacter.source})+`, "gu");
/** Most texts have nothing above Latin, and these need no closer look. */
const mayHide = /[\u00ad\u061c\u115f-\uffff]|\u034f/;

export function withoutHidden(text: string): string {
  const plain = text.replaceAll("\r\n", "\n").replaceAll(control, "");
  return mayHide.test(plain) ? plain.replaceAll(hiddenCharacter, "") : plain;
}

/** The text with each of them written out, and how many there were. Those that belong to an emoji or a script stay. */
export function showHidden(text: string): { readonly text: string; readonly count: number } {
  if (!mayHide.test(text)) return { text, count: 0 };
  let count = 0;
  const shown = text.replaceAll(hiddenRun, (run: string, ...rest) => {
    const place = rest.at(-2) as number;
    if (belongs(run, text, place)) return run;
    const characters = [...run];
    count += characters.length;
    return characters.length > shownInRowMax
      ? `⟨${characters.length} invisible characters⟩`
      : characters.map(showCharacter).join("");
  });
  return { text: shown, count };
}

const joiner = "\u200d";
/** Scripts whose letters are joined or parted on purpose, and variants of ideographs. */
const joiningBefore = /[\u0590-\u109f\u1780-\u18af\ua800-\uabff]$/u;
const directed = /[\u0590-\u08ff]/;

function belongs(run: string, text: string, place: number): boolean {
  if (run === "\ufeff") return place === 0;
  const before = text.slice(Math.max(0, place - 2), place);
  // Classes of Unicode are written where they are needed: to read them takes longer than most texts.
  if (run === joiner && /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u.test(before)) {
    return /^\p{Extended_Pictographic}/u.test(text.slice(place + 1, place + 3));
  }
  if (run === joiner || run === "\u200c") return joiningBefore.test(before);
  // Marks of direction beside letters that are written from right to left.
  if (run === "\u200e" || run === "\u200f") return directed.test(text.slice(Math.max(0, place - 3), place + 4));
  return /^[\u{e0100}-\u{e01ef}]$/u.test(run) && /\p{Ideographic}$/u.test(before);
}
