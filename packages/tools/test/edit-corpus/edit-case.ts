/** One case of the corpus: what a model sent, and what it meant. */
import { type BaseEdit, intendedText } from "./base-edit.ts";
import type { SeededRandom } from "./seeded-random.ts";

export type EditCase = {
  readonly mutation: string;
  readonly source: string;
  readonly text: string;
  readonly oldString: string;
  readonly newString: string;
  /** The only result that is right; undefined when every application would be wrong. */
  readonly intent: string | undefined;
  /** Whether a reader of the file could tell without doubt what was meant. */
  readonly unambiguous: boolean;
};

export type CaseParts = Omit<EditCase, "mutation" | "source">;

export type Mutation = {
  readonly name: string;
  /** How long the edited blocks are. */
  readonly lineCounts: readonly number[];
  /** Undefined when the edit has nothing to which it applies. */
  mutate(edit: BaseEdit, random: SeededRandom): CaseParts | undefined;
};

/** Changes a line as the model remembers it; `oldIndex` is undefined for lines that the edit brings. */
type LineChange = (line: string, oldIndex: number | undefined) => string | readonly string[];

/** Old and new text with every line passed through the same slip of memory. */
export function rememberedAs(edit: BaseEdit, change: LineChange): Pick<CaseParts, "oldString" | "newString"> {
  const oldLines = edit.oldLines.flatMap((line, index) => change(line, index));
  const newLines = edit.newLines.flatMap(({ text, oldIndex }) => change(text, oldIndex));
  return { oldString: oldLines.join("\n"), newString: newLines.join("\n") };
}

export function plainCase(edit: BaseEdit): CaseParts {
  return {
    text: `${edit.fileLines.join("\n")}\n`,
    ...rememberedAs(edit, (line) => line),
    intent: intendedText(edit),
    unambiguous: true,
  };
}

/** Undefined when the slip changed nothing of the old text. */
export function slippedCase(edit: BaseEdit, change: LineChange): CaseParts | undefined {
  const plain = plainCase(edit);
  const remembered = rememberedAs(edit, change);
  return remembered.oldString === plain.oldString ? undefined : { ...plain, ...remembered };
}

/** A line between the first and the last that the edit leaves alone and that says something. */
export function pickContextLine(edit: BaseEdit, random: SeededRandom, pattern = /[A-Za-z]{4}/): number | undefined {
  const indexes = edit.oldLines
    .map((_, index) => index)
    .slice(1, -1)
    .filter((index) => index !== edit.editedIndex && pattern.test(edit.oldLines[index] ?? ""));
  return random.pick(indexes);
}
