/** Slips of memory in white space: at line ends, inside lines, in indentation, in blank lines and line endings. */
import { collapse, commonIndent, indentOf, isBlank } from "../../src/editing/edit-matching/text-lines.ts";
import { type BaseEdit, intendedText } from "./base-edit.ts";
import { type Mutation, pickContextLine, plainCase, slippedCase } from "./edit-case.ts";

const anyLength = [1, 2, 3, 5, 8];
const blocks = [3, 5, 8];
/** A quoted text with a space in it, before which nothing is quoted. */
const firstLiteral = /^([^"]*)("[^" ]* [^"]*")/;

export const spaceMutations: readonly Mutation[] = [
  { name: "exact", lineCounts: anyLength, mutate: plainCase },
  {
    name: "trailing spaces in oldString",
    lineCounts: anyLength,
    mutate: (edit) => slippedCase(edit, (line, index) => (index === undefined ? line : `${line}  `)),
  },
  {
    name: "trailing spaces in file",
    lineCounts: anyLength,
    mutate(edit) {
      const fileLines = edit.fileLines.map((line, index) => (index % 2 === 0 && !isBlank(line) ? `${line} \t` : line));
      const isIn = edit.oldLines.some((_, offset) => (edit.first + offset) % 2 === 0);
      const hasBreak = edit.oldLines.length > 1;
      if (!isIn || !hasBreak) return undefined;
      // An exact match of a block whose last line alone is longer in the file leaves the spaces behind the new text.
      if (fileLines.join("\n").includes(edit.oldLines.join("\n"))) return undefined;
      return { ...plainCase(edit), text: `${fileLines.join("\n")}\n`, intent: intendedText(edit, fileLines) };
    },
  },
  {
    name: "spaces within context lines",
    lineCounts: blocks,
    mutate: (edit) =>
      slippedCase(edit, (line, index) =>
        index === undefined || index === edit.editedIndex ? line : indentOf(line) + widen(line.trimStart()),
      ),
  },
  {
    name: "spaces within the edited line",
    lineCounts: anyLength,
    mutate(edit) {
      const edited = edit.oldLines[edit.editedIndex] ?? "";
      if (/["'`]/.test(edited)) return undefined;
      return slippedCase(edit, (line, index) =>
        index === edit.editedIndex ? indentOf(line) + widen(line.trimStart()) : line,
      );
    },
  },
  {
    name: "spaces within a literal of a context line",
    lineCounts: blocks,
    mutate(edit, random) {
      const target = pickContextLine(edit, random, firstLiteral);
      if (target === undefined) return undefined;
      return slippedCase(edit, (line, index) => (index === target ? widenLiteral(line) : line));
    },
  },
  {
    name: "spaces within a literal of the edited line",
    lineCounts: anyLength,
    mutate(edit) {
      if (!firstLiteral.test(edit.oldLines[edit.editedIndex] ?? "")) return undefined;
      if (edit.newLines.some(({ oldIndex }) => oldIndex === edit.editedIndex)) return undefined;
      const slipped = slippedCase(edit, (line, index) =>
        index === edit.editedIndex || index === undefined ? widenLiteral(line) : line,
      );
      return slipped && { ...slipped, unambiguous: false };
    },
  },
  {
    name: "indentation lost",
    lineCounts: anyLength,
    mutate(edit) {
      const shared = commonIndent([...edit.oldLines, ...edit.newLines.map(({ text }) => text)]).length;
      // Without its indentation a single line is found exactly, and the block is no longer one of whole lines.
      if (edit.oldLines.length === 1) return undefined;
      return slippedCase(edit, (line) => line.slice(shared));
    },
  },
  {
    name: "indentation narrower, found within that of the file",
    lineCounts: [1],
    mutate(edit, random) {
      const narrower = narrowerBy(edit);
      if (narrower === undefined) return undefined;
      const slipped = slippedCase(edit, (line) => line.slice(narrower));
      const ending = random.pick(["", "\n"]) ?? "";
      return slipped && { ...slipped, oldString: slipped.oldString + ending, newString: slipped.newString + ending };
    },
  },
  {
    name: "indentation narrower, replaced by several lines",
    lineCounts: [1],
    mutate(edit, random) {
      const narrower = narrowerBy(edit);
      if (narrower === undefined) return undefined;
      const [line = ""] = edit.oldLines;
      const indent = indentOf(line);
      const newLines = [
        { text: `${indent}guarded(() => {` },
        { text: `${indent}${edit.step}nestedLine(${random.below(1_000)});` },
        { text: line, oldIndex: 0 },
        { text: `${indent}});` },
      ];
      const wrapped: BaseEdit = { ...edit, newLines };
      return slippedCase(wrapped, (text) => text.slice(narrower));
    },
  },
  {
    name: "deleted line without some or all of its indentation",
    lineCounts: [1],
    mutate(edit, random) {
      const [line = ""] = edit.oldLines;
      const indent = indentOf(line).length;
      if (indent === 0) return undefined;
      const oldString = `${line.slice(1 + random.below(indent))}\n`;
      const deleted: BaseEdit = { ...edit, newLines: [] };
      const plain = plainCase(edit);
      if (plain.text.split(oldString).length !== 2) return undefined;
      return { ...plain, oldString, newString: "", intent: intendedText(deleted) };
    },
  },
  {
    name: "indentation one level too deep",
    lineCounts: anyLength,
    mutate: (edit) => slippedCase(edit, (line) => (isBlank(line) ? line : edit.step + line)),
  },
  { name: "tabs for spaces or spaces for tabs", lineCounts: anyLength, mutate: swapTabs },
  { name: "other width of indentation", lineCounts: blocks, mutate: swapWidth },
  {
    name: "first line without indentation, spaces behind others",
    lineCounts: blocks,
    mutate(edit) {
      if (indentOf(edit.oldLines[0] ?? "") === "" || edit.editedIndex === 0) return undefined;
      return slippedCase(edit, (line, index) => (index === 0 ? line.trimStart() : index === 1 ? `${line} ` : line));
    },
  },
  {
    name: "indentation of one context line wrong",
    lineCounts: blocks,
    mutate(edit, random) {
      const target = pickContextLine(edit, random);
      return target === undefined ? undefined : slippedCase(edit, (line, at) => (at === target ? `   ${line}` : line));
    },
  },
  {
    name: "blank lines around both texts",
    lineCounts: anyLength,
    mutate(edit) {
      const plain = plainCase(edit);
      const around = (text: string) => `\n\n\n${text}\n\n\n\n`;
      return { ...plain, oldString: around(plain.oldString), newString: around(plain.newString) };
    },
  },
  {
    name: "blank lines around oldString only",
    lineCounts: anyLength,
    mutate(edit) {
      const plain = plainCase(edit);
      return { ...plain, oldString: `\n\n\n${plain.oldString}\n\n\n` };
    },
  },
  {
    name: "blank line within missing",
    lineCounts: [5, 8],
    mutate(edit) {
      return slippedCase(edit, (line, index) => (index !== undefined && isBlank(line) ? [] : line));
    },
  },
  {
    name: "CRLF file",
    lineCounts: anyLength,
    mutate(edit) {
      const plain = plainCase(edit);
      const asCrlf = (text: string) => text.replaceAll("\n", "\r\n");
      return { ...plain, text: asCrlf(plain.text), intent: asCrlf(plain.intent ?? "") };
    },
  },
  {
    name: "CRLF file, indentation shifted",
    lineCounts: blocks,
    mutate(edit) {
      const slipped = slippedCase(edit, (line) => (isBlank(line) ? line : edit.step + line));
      if (slipped === undefined) return undefined;
      const asCrlf = (text: string) => text.replaceAll("\n", "\r\n");
      return { ...slipped, text: asCrlf(slipped.text), intent: asCrlf(slipped.intent ?? "") };
    },
  },
  {
    name: "mixed line endings",
    lineCounts: [5, 8],
    mutate(edit, random) {
      const target = pickContextLine(edit, random);
      if (target === undefined) return undefined;
      const fileLines = edit.fileLines.with(edit.first + target, `${edit.fileLines[edit.first + target]}\r`);
      return { ...plainCase(edit), text: `${fileLines.join("\n")}\n`, intent: intendedText(edit, fileLines) };
    },
  },
];

function widen(text: string): string {
  return text.replaceAll(/(?<=\S) (?=\S)/g, "  ");
}

function widenLiteral(line: string): string {
  return line.replace(firstLiteral, (_, before: string, literal: string) => before + literal.replace(" ", "   "));
}

/** How much of a line's indentation can be lost so that some is left. */
function narrowerBy({ oldLines, step }: BaseEdit): number | undefined {
  const indent = indentOf(oldLines[0] ?? "");
  if (indent.length > step.length) return step.length;
  return indent.length > 1 ? indent.length - 1 : undefined;
}

function swapTabs(edit: BaseEdit) {
  const isTabbed = edit.step === "\t";
  return slippedCase(edit, (line) => {
    const indent = indentOf(line);
    const levels = isTabbed ? indent.length : Math.floor(indent.length / edit.step.length);
    const rest = isTabbed ? "" : " ".repeat(indent.length % edit.step.length);
    return (isTabbed ? "    " : "\t").repeat(levels) + rest + line.slice(indent.length);
  });
}

function swapWidth(edit: BaseEdit) {
  if (edit.step === "\t") return undefined;
  const step = edit.step === "  " ? "    " : "  ";
  // A block of one level does not show how wide a level is.
  if (new Set(edit.oldLines.filter((line) => collapse(line) !== "").map(indentOf)).size < 2) return undefined;
  return slippedCase(edit, (line) => {
    const indent = indentOf(line);
    const levels = Math.floor(indent.length / edit.step.length);
    return step.repeat(levels) + " ".repeat(indent.length % edit.step.length) + line.slice(indent.length);
  });
}
