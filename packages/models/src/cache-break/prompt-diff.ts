/** The unified diff of two prompts, part by part and without secrets, for a person who asks why a cache was lost. */
import { type PromptState, promptSections } from "./prompt-state.ts";

/** Beyond this many changed lines of a part an exact diff takes seconds; the part is then shown as replaced. */
const editLengthMax = 1_000;
const diffCharactersMax = 200_000;
const contextLines = 3;

/** Empty when the prompts are equal. Secrets are taken out first, because one may span several lines. */
export async function diffPrompts(
  before: PromptState,
  after: PromptState,
  redact: (text: string) => string,
): Promise<string> {
  const old = sectionTexts(before, redact);
  const current = sectionTexts(after, redact);
  const names = new Set([...old.keys(), ...current.keys()]);
  const patches: string[] = [];
  for (const name of names) {
    const [left, right] = [old.get(name), current.get(name)];
    if (left !== right) patches.push(await diffSection(name, left, right));
  }
  const text = patches.join("");
  if (text.length <= diffCharactersMax) return text;
  return `${text.slice(0, diffCharactersMax)}\n… ${text.length - diffCharactersMax} more characters\n`;
}

function sectionTexts(state: PromptState, redact: (text: string) => string): ReadonlyMap<string, string> {
  return new Map(promptSections(state).map(({ name, text }) => [redact(name), redact(text)]));
}

async function diffSection(name: string, before: string | undefined, after: string | undefined): Promise<string> {
  // Loading the library takes 22 ms, which only a lost cache should cost.
  const { createTwoFilesPatch } = await import("diff");
  const from = before === undefined ? "/dev/null" : `before/${name}`;
  const to = after === undefined ? "/dev/null" : `after/${name}`;
  const limits = { context: contextLines, maxEditLength: editLengthMax };
  const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", undefined, undefined, limits);
  if (patch === undefined) return replaceAll(from, to, before ?? "", after ?? "");
  // The library begins with a line of equal signs, which is no part of the unified format.
  return patch.slice(patch.indexOf("--- "));
}

function replaceAll(from: string, to: string, before: string, after: string): string {
  const removed = linesOf(before);
  const added = linesOf(after);
  const range = ({ length }: readonly string[]) => (length === 0 ? "0,0" : `1,${length}`);
  const lines = [
    `--- ${from}`,
    `+++ ${to}`,
    `@@ -${range(removed)} +${range(added)} @@`,
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
  ];
  return `${lines.join("\n")}\n`;
}

function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}
