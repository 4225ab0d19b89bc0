/** Learns the weights of the text guard from the attacks and the ordinary texts of its tests: `node packages/memory/test/train-text-guard.ts`. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ideaGroups, sumOf, type WeightTable } from "../src/fence/attack-score.ts";
import { searchedText } from "../src/fence/search-text.ts";

type Groups = readonly (readonly string[])[];
type Sample = { readonly groups: Groups; readonly isAttack: boolean; readonly share: number };

const root = join(import.meta.dirname, "../../..");
const weightsPath = join(root, "packages/memory/src/fence/attack-weights.json");
const rounds = 60;
/** Weights that few samples ask for stay small. */
const shrink = 0.02;
/** Texts of documents are many and easy. */
const shareOfDocuments = 0.4;
const base = -3;
/** Chosen so that about one in a hundred paragraphs of documentation weighs more. */
const least = 0.3;
/** Smaller ones change no answer. */
const weightMin = 0.08;

const samples = readSamples();
const weights: Record<string, number> = {};
let seed = 7;
for (let round = 0; round < rounds; round += 1) {
  const speed = 0.08 / (1 + round / 15);
  for (const sample of shuffled(samples)) learn(sample, speed);
}
const kept = Object.entries(weights).filter(([, weight]) => Math.abs(weight) >= weightMin);
const rounded = Object.fromEntries(kept.sort().map(([name, weight]) => [name, Number(weight.toFixed(2))]));
writeFileSync(weightsPath, `${JSON.stringify({ base, least, weights: rounded } satisfies WeightTable, null, 2)}\n`);
console.log(`${samples.length} samples, ${kept.length} weights`);

/** One step of a logistic regression, on the group of sentences that looks most like an attack. */
function learn({ groups, isAttack, share }: Sample, speed: number): void {
  const table = { base, least, weights };
  const group = groups.toSorted((left, right) => sumOf(right, table) - sumOf(left, table))[0];
  if (group === undefined) return;
  const error = (1 / (1 + Math.exp(-sumOf(group, table))) - (isAttack ? 1 : 0)) * share;
  const change = (name: string, decay: number) => {
    const weight = weights[name] ?? 0;
    weights[name] = weight - speed * (error + shrink * decay * weight);
  };
  for (const [place, idea] of group.entries()) {
    change(idea, 1);
    for (const other of group.slice(place + 1)) change(`${idea}+${other}`, 2);
  }
}

function readSamples(): readonly Sample[] {
  const attacks = linesOf("attacks.txt").map((line) => line.slice(line.indexOf("|") + 1));
  const ordinary = [...linesOf("harmless.txt"), ...linesOf("ordinary-prose.txt")];
  const sample = (text: string, isAttack: boolean, share: number): Sample => ({
    ...{ isAttack, share },
    groups: ideaGroups(searchedText(text.replaceAll("\\n", "\n"))),
  });
  return [
    ...attacks.map((text) => sample(text, true, 1)),
    ...ordinary.map((text) => sample(text, false, 1)),
    ...paragraphsOfDocuments().map((text) => sample(text, false, shareOfDocuments)),
  ];
}

function linesOf(name: string): readonly string[] {
  return readFileSync(join(root, "packages/memory/test/fixtures", name), "utf8")
    .trim()
    .split("\n");
}

/** And of our own documents, which speak of agents all the time. A few of each, because some packages have a book. */
function paragraphsOfDocuments(): readonly string[] {
  const names = "{README,CHANGELOG}.md";
  const files = globSync([`node_modules/*/${names}`, `node_modules/@*/*/${names}`, "docs/*.md"], { cwd: root });
  return files.sort().flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split(/\n\s*\n/)
      .filter((text) => text.length > 60 && text.length < 700 && /[a-z]{3,} [a-z]{2,} [a-z]{2,}/.test(text))
      .slice(0, 8),
  );
}

/** The same order in every run, so that the same texts give the same weights. */
function shuffled(list: readonly Sample[]): readonly Sample[] {
  const keyed = list.map((sample) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return { sample, key: seed };
  });
  return keyed.sort((left, right) => left.key - right.key).map(({ sample }) => sample);
}
