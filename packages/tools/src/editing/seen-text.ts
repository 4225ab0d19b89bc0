/** Between what the model saw of a file and what the file is: redacted secrets, and invisible characters that were shown. */
import { readShownCharacters, redactionMark } from "@kedge/protocol";

/** A sentence for the model when the change would put a mark in the place of the secret that it stands for. */
export function describeRedacted(filePath: string, before: string | undefined, after: string): string | undefined {
  if (before === undefined || !after.includes("[REDACTED:")) return undefined;
  const mark = after.match(redactionMark)?.find((each) => count(after, each) > count(before, each));
  if (mark === undefined) return undefined;
  return `${mark} stands for a secret in ${filePath} that was hidden from you, and writing it would destroy the secret; change other lines only, or ask the user.`;
}

/** The same for the text that is looked for: the file does not have it. */
export function describeRedactedSearch(filePath: string, text: string, oldString: string): string | undefined {
  const mark = oldString.match(redactionMark)?.find((each) => !text.includes(each));
  if (mark === undefined) return undefined;
  return `${mark} in oldString stands for a secret in ${filePath} that was hidden from you; leave that line out of oldString.`;
}

/** With the characters in place of how they were shown; a file that has such a notation itself keeps it. */
export function asInFile(text: string, file: string | undefined): string {
  return file === undefined || file.includes("⟨U+") ? text : readShownCharacters(text);
}

function count(text: string, piece: string): number {
  return text.split(piece).length - 1;
}
