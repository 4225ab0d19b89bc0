/** Tags: the short names of file versions, taken from the hash of the normalised text. */
import { hashContent } from "../../file-content.ts";

const tagDigits = 4;

export function hashText(normalised: string): string {
  return hashContent(normalised).toUpperCase();
}

/** The first four digits that no other version of the file uses. */
export function tagOf(hash: string, taken: ReadonlySet<string>): string {
  for (let start = 0; start + tagDigits <= hash.length; start += tagDigits) {
    const tag = hash.slice(start, start + tagDigits);
    if (!taken.has(tag)) return tag;
  }
  throw new Error("more versions of one file than a hash has tags");
}
