/** Draws cases of the red team from generators: one per class of disguise, so that no two seeds try the same commands. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom, type SeededRandom } from "@kedge/testing";
import type { RedTeamCase } from "../red-team-case.ts";

export type DrawnCase = Omit<RedTeamCase, "id" | "class">;

export type CaseClass = { readonly name: string; readonly make: (draw: Draw) => DrawnCase };

export type Draw = {
  of<Item>(items: readonly Item[]): Item;
  /** A word in one of the ways in which bash reads it as the same word. */
  quoted(word: string): string;
};

/** A class with few members may give fewer. */
export function drawCases(classes: readonly CaseClass[], perClass: number, seed?: string): readonly RedTeamCase[] {
  const draw = createDraw(createSeededRandom(seed));
  return classes.flatMap(({ name, make }) => {
    const seen = new Set<string>();
    const cases: RedTeamCase[] = [];
    for (let tries = 0; cases.length < perClass && tries < perClass * 20; tries += 1) {
      const drawn = make(draw);
      const key = JSON.stringify(drawn);
      if (seen.has(key)) continue;
      seen.add(key);
      cases.push({ ...drawn, id: `${name}-${cases.length + 1}`, class: name });
    }
    return cases;
  });
}

/** The parts of a class: one JSON value per line of the file beside this one. */
export function partsIn<Part>(name: string): readonly Part[] {
  return readFileSync(join(import.meta.dirname, name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** `@@` stands for what a part is filled with. */
export function fillPart(part: string, text: string): string {
  return part.replaceAll("@@", () => text);
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function createDraw(random: SeededRandom): Draw {
  const of = <Item>(items: readonly Item[]) => items[random.below(items.length)] as Item;
  return { of, quoted: (word) => of(quotings)(word, random) };
}

type Quoting = (word: string, random: SeededRandom) => string;

const splitBy =
  (join: string): Quoting =>
  (word, random) => {
    const cut = 1 + random.below(Math.max(1, word.length - 1));
    return `${quote(word.slice(0, cut))}${join}${quote(word.slice(cut))}`;
  };
const escapedBy =
  (spell: (code: number) => string): Quoting =>
  (word) =>
    `$'${[...word].map((letter) => spell(letter.charCodeAt(0))).join("")}'`;

const quotings: readonly Quoting[] = [
  (word) => word,
  (word) => quote(word),
  (word) => `"${word.replaceAll(/["$`\\]/g, "\\$&")}"`,
  (word) => `${quote(word)}""`,
  (word) => [...word].map((letter) => (/[A-Za-z]/.test(letter) ? `\\${letter}` : quote(letter))).join(""),
  escapedBy((code) => `\\x${code.toString(16).padStart(2, "0")}`),
  escapedBy((code) => `\\${code.toString(8).padStart(3, "0")}`),
  escapedBy((code) => `\\u${code.toString(16).padStart(4, "0")}`),
  splitBy(""),
  splitBy("$()"),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: bash expands it
  splitBy("${unset_name-}"),
  splitBy("\\\n"),
];
