/** Whether the user asked for an act outside of this machine in so many words: by the text of the command alone. */
import { textBeside } from "@kedge/protocol/text-file";

/** Words that a user leaves out and that add no target and no content. Checked by the test of this module. */
const unsaidWords: ReadonlySet<string> = new Set(
  JSON.parse(textBeside(import.meta.url, "./unsaid-words.json")) as readonly string[],
);

const negation = /\b(?:not|never|no|nobody|without|don'?t|won'?t|avoid|stop|except|instead|unless|before|until)\b/iu;

/**
 * True when one sentence of the user names every word of the command and forbids nothing. The user's own messages of
 * the run belong here, and nothing else: what tools printed could ask for anything.
 */
export function isAskedFor(command: string, userTexts: readonly string[]): boolean {
  const [program, verb, ...others] = wordsOf(command).filter((word) => !unsaidWords.has(word));
  if (program === undefined || verb === undefined) return false;
  return userTexts.flatMap(sentencesOf).some((sentence) => {
    if (negation.test(sentence.replaceAll("\u2019", "'"))) return false;
    const said = wordsOf(sentence).map(withoutMarks);
    const saidInAnyCase = new Set(said.map((word) => word.toLowerCase()));
    if (![program, verb].every((word) => saidInAnyCase.has(word.toLowerCase()))) return false;
    // Names keep their case: `main` and `Main` are two branches.
    return others.every((word) => said.includes(withoutMarks(word)));
  });
}

function sentencesOf(text: string): readonly string[] {
  return text.split(/[.!?;](?:\s|$)|\n/u);
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/u).filter((word) => word !== "");
}

/** Taken off is how people set a word off in a sentence. */
function withoutMarks(word: string): string {
  return word.replace(/^["'`(]+/u, "").replace(/["'`),:]+$/u, "");
}
