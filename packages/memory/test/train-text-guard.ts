/** Learns the weights of the text guard from the attacks and the ordinary texts of its tests: `node packages/memory/test/train-text-guard.ts`. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { markNames, type Passage, passages, shareOfWords, sumOf, type WeightTable } from "../src/fence/attack-score.ts";
import { ruleMarks } from "../src/fence/find-attack.ts";
import { searchedText } from "../src/fence/search-text.ts";

type Sample = { readonly passages: readonly Passage[]; readonly isAttack: boolean; readonly share: number };

const root = join(import.meta.dirname, "../../..");
const weightsPath = join(root, "packages/memory/src/fence/attack-weights.json");
const rounds = 24;
/** Weights that few samples ask for stay small. */
const shrink = 0.006;
/** Texts of documents are many and easy. */
const shareOfDocuments = 0.4;
/** A word that one sample alone has says more about the sample than about attacks. */
const samplesMin = 3;
const base = -1.5;
/** Chosen by cross-validation, so that fewer than one in twenty of the ordinary texts that resemble attacks weighs more. */
const least = 0.5;
/** Smaller ones change no answer. */
const weightMin = 0.08;

const samples = readSamples();
const often = countNames(samples);
const [marks, words] = [new Map<string, number>(), new Map<string, number>()];
let seed = 7;
for (let round = 0; round < rounds; round += 1) {
  const speed = 0.3 / (1 + round / 5);
  for (const sample of shuffled(samples)) learn(sample, speed);
}
const table = { base, least, marks: kept(marks), words: kept(words) } satisfies WeightTable;
writeFileSync(weightsPath, `${JSON.stringify(table, null, 1)}\n`);
console.log(`${samples.length} samples, ${Object.keys(table.marks).length + Object.keys(table.words).length} weights`);

/** One step of a logistic regression, on the passage that looks most like an attack. */
function learn(sample: Sample, speed: number): void {
  let [passage, sum] = [sample.passages[0], Number.NEGATIVE_INFINITY];
  for (const each of sample.passages) {
    const own = sumOf(each, base, marks, words);
    if (own > sum) [passage, sum] = [each, own];
  }
  if (passage === undefined) return;
  const error = (1 / (1 + Math.exp(-sum)) - (sample.isAttack ? 1 : 0)) * sample.share;
  const change = (weights: Map<string, number>, name: string, value: number) => {
    if ((often.get(name) ?? 0) < samplesMin) return;
    const weight = weights.get(name) ?? 0;
    weights.set(name, weight - speed * (error * value + shrink * weight));
  };
  for (const name of markNames(passage.marks)) change(marks, name, 1);
  const share = shareOfWords(passage.length);
  for (const sentence of passage.words) for (const name of sentence) change(words, name, share);
}

function kept(weights: ReadonlyMap<string, number>): { [name: string]: number } {
  const large = [...weights].filter(([, weight]) => Math.abs(weight) >= weightMin);
  return Object.fromEntries(large.sort().map(([name, weight]) => [name, Number(weight.toFixed(2))]));
}

function countNames(all: readonly Sample[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { passages: own } of all) {
    const names = new Set(own.flatMap(({ marks: found, words: spoken }) => [...markNames(found), ...spoken.flat()]));
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function readSamples(): readonly Sample[] {
  const attacks = linesOf("attacks.txt").map((line) => line.slice(line.indexOf("|") + 1));
  const ordinary = [...linesOf("harmless.txt"), ...linesOf("ordinary-prose.txt")];
  const sample = (text: string, isAttack: boolean, share: number): Sample => {
    const searched = searchedText(text.replaceAll("\\n", "\n").normalize("NFKC"));
    return { isAttack, share, passages: passages(searched, ruleMarks(searched)) };
  };
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
