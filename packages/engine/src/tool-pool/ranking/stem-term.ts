/** The stem of a word in the language of tools. */
import { stemWord } from "@kedge/protocol/stem-word";

/** Words whose stem by the rules would be another word. */
const whole: ReadonlySet<string> = new Set(["news"]);

export function stemTerm(word: string): string {
  return whole.has(word) ? word : stemWord(word);
}
