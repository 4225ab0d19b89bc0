/** A correct edit of a real file, from which the mutations make what models send. */

import { indentStep } from "../../src/editing/edit-matching/reindent.ts";
import { collapse, indentOf, isBlank } from "../../src/editing/edit-matching/text-lines.ts";
import type { SeededRandom } from "./seeded-random.ts";

export type Source = { readonly name: string; readonly text: string };

/** A line of the new text; `oldIndex` when it is an old line that stays. */
type NewLine = { readonly text: string; readonly oldIndex?: number };

export type BaseEdit = {
  readonly source: Source;
  /** Of the file, without line endings; the file ends in a line feed. */
  readonly fileLines: readonly string[];
  /** Where the block begins in the file. */
  readonly first: number;
  readonly oldLines: readonly string[];
  readonly newLines: readonly NewLine[];
  /** The old line that the change is about. */
  readonly editedIndex: number;
  /** One level of indentation in this file. */
  readonly step: string;
};

/** Undefined when the draw is of no use, such as a block that occurs twice. */
export function drawBaseEdit(source: Source, random: SeededRandom, lineCount: number): BaseEdit | undefined {
  const fileLines = source.text.replace(/\n$/, "").split("\n");
  const first = random.below(Math.max(1, fileLines.length - lineCount));
  const oldLines = fileLines.slice(first, first + lineCount);
  if (oldLines.length < lineCount || isBlank(oldLines[0] ?? "") || isBlank(oldLines.at(-1) ?? "")) return undefined;
  if (countBlocks(fileLines, oldLines) !== 1) return undefined;
  const editedIndex = random.below(lineCount);
  const edited = oldLines[editedIndex] ?? "";
  if (!/[A-Za-z]{4}/.test(edited)) return undefined;
  const step = indentStep(fileLines) ?? "  ";
  const keep = (from: number, to: number): readonly NewLine[] =>
    oldLines.slice(from, to).map((text, offset) => ({ text, oldIndex: from + offset }));
  const newLines = [
    ...keep(0, editedIndex),
    ...changeLine(edited, editedIndex, step, random),
    ...keep(editedIndex + 1, lineCount),
  ];
  return newLines.length === 0 ? undefined : { source, fileLines, first, oldLines, newLines, editedIndex, step };
}

function changeLine(line: string, oldIndex: number, step: string, random: SeededRandom): readonly NewLine[] {
  const renamed = { text: line.replace(/[A-Za-z]{4,}/, (name) => `${name}Changed`) };
  const added = { text: `${indentOf(line)}addedLine(${random.below(1_000)});` };
  switch (random.below(5)) {
    case 0:
      return [{ text: line, oldIndex }, added];
    case 1:
      return [added, { text: line, oldIndex }];
    case 2:
      return [renamed, { text: `${indentOf(line)}${step}nestedLine(${random.below(1_000)});` }];
    default:
      return [renamed];
  }
}

/** How often the block occurs if white space is not looked at. */
export function countBlocks(fileLines: readonly string[], block: readonly string[]): number {
  const wanted = block.map(collapse).join("\n");
  let count = 0;
  for (let first = 0; first + block.length <= fileLines.length; first += 1)
    if (
      fileLines
        .slice(first, first + block.length)
        .map(collapse)
        .join("\n") === wanted
    )
      count += 1;
  return count;
}

/** What the file should become. */
export function intendedText(edit: BaseEdit, fileLines: readonly string[] = edit.fileLines): string {
  const before = fileLines.slice(0, edit.first);
  const after = fileLines.slice(edit.first + edit.oldLines.length);
  const block = edit.newLines.map(({ text, oldIndex }) =>
    oldIndex === undefined ? text : (fileLines[edit.first + oldIndex] ?? text),
  );
  return `${[...before, ...block, ...after].join("\n")}\n`;
}
