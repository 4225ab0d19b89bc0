/** Slips of memory in the content: escapes, quotes, words, lines left out or made up. */
import { commonIndent, indentOf, isBlank } from "../../src/editing/edit-matching/text-lines.ts";
import type { BaseEdit } from "./base-edit.ts";
import { type CaseParts, type Mutation, pickContextLine, plainCase, slippedCase } from "./edit-case.ts";

const anyLength = [1, 2, 3, 5, 8];
const blocks = [3, 5, 8];
const longBlocks = [5, 8, 12];

export const contentMutations: readonly Mutation[] = [
  { name: "all escaped as in JSON", lineCounts: anyLength, mutate: (edit) => escapedCase(edit, asJson) },
  {
    name: "quotes escaped",
    lineCounts: anyLength,
    mutate: (edit) => escapedCase(edit, (text) => text.replaceAll('"', '\\"')),
  },
  {
    name: "backslashes doubled",
    lineCounts: anyLength,
    mutate: (edit) => escapedCase(edit, (text) => text.replaceAll("\\", "\\\\")),
  },
  {
    name: "backticks and dollars escaped",
    lineCounts: anyLength,
    mutate: (edit) => escapedCase(edit, (text) => text.replaceAll(/[`$]/g, "\\$&")),
  },
  {
    name: "line breaks escaped in oldString only",
    lineCounts: blocks,
    mutate(edit) {
      const plain = plainCase(edit);
      return { ...plain, oldString: plain.oldString.replaceAll("\n", "\\n").replaceAll("\t", "\\t") };
    },
  },
  {
    name: "quotes escaped and indentation lost",
    lineCounts: blocks,
    mutate(edit) {
      const shared = commonIndent([...edit.oldLines, ...edit.newLines.map(({ text }) => text)]).length;
      if (shared === 0 || !edit.oldLines.some((line) => line.includes('"'))) return undefined;
      return slippedCase(edit, (line) => line.slice(shared).replaceAll('"', '\\"'));
    },
  },
  {
    name: "other quotes in a context line",
    lineCounts: blocks,
    mutate(edit, random) {
      const target = pickContextLine(edit, random, /["']/);
      return target === undefined
        ? undefined
        : slippedCase(edit, (line, at) => (at === target ? swapQuotes(line) : line));
    },
  },
  {
    name: "other quotes in the edited line",
    lineCounts: anyLength,
    mutate(edit) {
      if (edit.newLines.some(({ oldIndex }) => oldIndex === edit.editedIndex)) return undefined;
      const slipped = slippedCase(edit, (line, at) =>
        at === edit.editedIndex || at === undefined ? swapQuotes(line) : line,
      );
      return slipped && { ...slipped, unambiguous: false };
    },
  },
  {
    name: "one word in a context line",
    lineCounts: longBlocks,
    mutate: (edit, random) => wrongWord(edit, pickContextLine(edit, random)),
  },
  {
    name: "one word in a context line, indentation shifted",
    lineCounts: longBlocks,
    mutate(edit, random) {
      const target = pickContextLine(edit, random);
      if (target === undefined) return undefined;
      return slippedCase(edit, (line, at) => {
        const moved = isBlank(line) ? line : edit.step + line;
        return at === target ? replaceWord(moved) : moved;
      });
    },
  },
  {
    name: "one word in the edited line",
    lineCounts: blocks,
    mutate(edit) {
      if (edit.newLines.some(({ oldIndex }) => oldIndex === edit.editedIndex)) return undefined;
      const slipped = slippedCase(edit, (line, at) =>
        at === edit.editedIndex || at === undefined ? line.replace(/\w+\W*$/, (end) => `${end}s`) : line,
      );
      return slipped && { ...slipped, unambiguous: false };
    },
  },
  {
    name: "a context line left out",
    lineCounts: longBlocks,
    mutate(edit, random) {
      const target = pickContextLine(edit, random);
      return target === undefined ? undefined : slippedCase(edit, (line, at) => (at === target ? [] : line));
    },
  },
  {
    name: "a context line made up",
    lineCounts: longBlocks,
    mutate(edit, random) {
      const target = pickContextLine(edit, random);
      if (target === undefined) return undefined;
      return slippedCase(edit, (line, at) => (at === target ? [line, `${indentOf(line)}madeUp(value);`] : line));
    },
  },
  { name: "ellipsis in both texts", lineCounts: [8, 12], mutate: (edit) => ellipsisCase(edit) },
  {
    name: "ellipsis in oldString only",
    lineCounts: [8, 12],
    mutate(edit) {
      const shortened = ellipsisCase(edit);
      return shortened && { ...shortened, newString: plainCase(edit).newString, unambiguous: false };
    },
  },
  {
    name: "last line cut short",
    lineCounts: blocks,
    mutate(edit) {
      const last = edit.oldLines.length - 1;
      if (edit.editedIndex >= last - 1) return undefined;
      const cut = slippedCase(edit, (line, at) => (at === last ? line.slice(0, Math.ceil(line.length * 0.7)) : line));
      return cut !== undefined && cut.text.split(cut.oldString).length === 2 ? cut : undefined;
    },
  },
];

function asJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escapedCase(edit: BaseEdit, addEscapes: (text: string) => string): CaseParts | undefined {
  const plain = plainCase(edit);
  const oldString = addEscapes(plain.oldString);
  if (oldString === plain.oldString) return undefined;
  return { ...plain, oldString, newString: addEscapes(plain.newString) };
}

function swapQuotes(line: string): string {
  return line.replaceAll(/["']/g, (quote) => (quote === '"' ? "'" : '"'));
}

function replaceWord(line: string): string {
  return line.replace(/[A-Za-z]{4,}/, (word) => (word === "other" ? "another" : "other"));
}

function wrongWord(edit: BaseEdit, target: number | undefined): CaseParts | undefined {
  return target === undefined ? undefined : slippedCase(edit, (line, at) => (at === target ? replaceWord(line) : line));
}

/** At least two lines that the edit leaves alone become one comment. */
function ellipsisCase(edit: BaseEdit): CaseParts | undefined {
  const last = edit.oldLines.length - 1;
  const isBefore = edit.editedIndex > last / 2;
  const from = isBefore ? 1 : edit.editedIndex + 2;
  const to = isBefore ? edit.editedIndex - 2 : last - 1;
  if (to - from < 1 || edit.editedIndex === 0 || edit.editedIndex === last) return undefined;
  const indent = indentOf(edit.oldLines[from] ?? "");
  return slippedCase(edit, (line, at) => {
    if (at === undefined || at < from || at > to) return line;
    return at === from ? `${indent}// ... existing code ...` : [];
  });
}
