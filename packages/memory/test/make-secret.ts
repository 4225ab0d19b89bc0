/** Makes random secrets from the templates of the table, for tests. */
import type { SeededRandom } from "@kedge/testing";
import { exampleOf, type SecretKind } from "../src/redaction/secret-kinds.ts";

const lower = "abcdefghijklmnopqrstuvwxyz";
const upper = lower.toUpperCase();
const digits = "0123456789";
const alnum = lower + upper + digits;

const alphabets: { readonly [name: string]: string } = {
  alnum,
  lower: lower + digits,
  UPPER: upper + digits,
  hex: `${digits}abcdef`,
  digits,
  word: `${alnum}_-`,
  base64: `${alnum}+/`,
  bech: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
};

type MadeSecret = {
  readonly text: string;
  /** The random parts, longest first: none of them may be left. */
  readonly parts: readonly string[];
};

/** One with a beginning gets one of its beginnings. */
export function makeSecret(kind: SecretKind, random: SeededRandom, hasPrefix: boolean): MadeSecret {
  const { marks } = kind;
  const parts: string[] = [];
  const body = exampleOf(kind).replaceAll(/\{(\d+):(\w+)\}|\{=basic\}/g, (_, count?: string, name = "") => {
    const word = count === undefined ? basic(random) : draw(random, alphabets[name] ?? "", Number(count));
    parts.push(word);
    return word;
  });
  const prefix = hasPrefix ? (marks[random.below(marks.length)] ?? "") : "";
  return { text: prefix + body, parts: parts.sort((left, right) => right.length - left.length) };
}

/** With a digit and a letter of each case where the alphabet has them, as real ones have; the ends are letters or digits. */
export function draw(random: SeededRandom, alphabet: string, length: number): string {
  const sure = [digits, lower, upper].map((kind) => [...kind].filter((each) => alphabet.includes(each)));
  const letters = Array.from({ length }, () => alphabet.charAt(random.below(alphabet.length)));
  const plain = [...alphabet].filter((each) => alnum.includes(each));
  for (const [place, choice] of [...sure, sure[0] ?? []].entries()) {
    if (choice.length > 0 && length > 7) letters[1 + place] = choice[random.below(choice.length)] ?? "";
  }
  if (plain.length > 0) {
    letters[0] = plain[random.below(plain.length)] ?? "";
    letters[length - 1] = plain[random.below(plain.length)] ?? "";
  }
  return letters.join("");
}

function basic(random: SeededRandom): string {
  return Buffer.from(`user:${draw(random, alnum, 12)}`).toString("base64");
}
