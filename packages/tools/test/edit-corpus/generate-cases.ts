/** Makes the corpus: every mutation on edits drawn from every source, the same in every run of one seed. */
import { readdirSync, readFileSync } from "node:fs";
import { drawBaseEdit, type Source } from "./base-edit.ts";
import { contentMutations } from "./content-mutations.ts";
import type { EditCase, Mutation } from "./edit-case.ts";
import { placeMutations } from "./place-mutations.ts";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";
import { spaceMutations } from "./space-mutations.ts";
import { typingMutations } from "./typing-mutations.ts";

const mutations: readonly Mutation[] = [...spaceMutations, ...contentMutations, ...typingMutations, ...placeMutations];

const drawsMax = 60;

export function generateCases(seed: number): readonly EditCase[] {
  const random = createSeededRandom(seed);
  const cases: EditCase[] = [];
  const sources = loadSources();
  for (const mutation of mutations)
    for (const source of sources) {
      const found = drawCase(mutation, source, random);
      if (found !== undefined) cases.push(found);
    }
  return cases;
}

function drawCase(mutation: Mutation, source: Source, random: SeededRandom): EditCase | undefined {
  for (let draw = 0; draw < drawsMax; draw += 1) {
    const edit = drawBaseEdit(source, random, random.pick(mutation.lineCounts) ?? 1);
    const parts = edit && mutation.mutate(edit, random);
    if (parts !== undefined && parts.oldString !== parts.newString)
      return { mutation: mutation.name, source: source.name, ...parts };
  }
  return undefined;
}

function loadSources(): readonly Source[] {
  const directory = new URL("./fixtures/", import.meta.url);
  const names = readdirSync(directory).sort();
  return names.map((name) => ({ name, text: readFileSync(new URL(name, directory), "utf8") }));
}
