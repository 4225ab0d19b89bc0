/** Slips of writing: other characters for the same text, line numbers copied along, lines that were never written out. */
import { collapse, indentOf, isBlank } from "../../src/editing/edit-matching/text-lines.ts";
import { type BaseEdit, intendedText } from "./base-edit.ts";
import { type CaseParts, type Mutation, plainCase, rememberedAs, slippedCase } from "./edit-case.ts";

const anyLength = [1, 2, 3, 5, 8];
const blocks = [3, 5, 8];

export const typingMutations: readonly Mutation[] = [
  {
    name: "non-breaking spaces in both texts",
    lineCounts: anyLength,
    mutate: (edit) => slippedCase(edit, (line) => indentOf(line) + line.trimStart().replaceAll(" ", "\u00a0")),
  },
  {
    name: "non-breaking spaces in the file",
    lineCounts: blocks,
    mutate: (edit) => oddFile(edit, (line) => indentOf(line) + line.trimStart().replace(" ", "\u00a0")),
  },
  {
    name: "typographic quotes and dashes in the file",
    lineCounts: anyLength,
    mutate: (edit) => oddFile(edit, asTypeset),
  },
  {
    name: "typographic quotes and dashes in both texts",
    lineCounts: anyLength,
    mutate: (edit) => slippedCase(edit, asTypeset),
  },
  ...["|", "\t", "→", ": "].map((mark): Mutation => lineNumbers(mark)),
  {
    name: "line numbers in oldString only",
    lineCounts: blocks,
    mutate(edit) {
      const plain = plainCase(edit);
      return { ...plain, oldString: numbered(edit, "|").oldString };
    },
  },
  {
    name: "end of the line left out, with a line break",
    lineCounts: [1],
    mutate(edit) {
      const [line = ""] = edit.oldLines;
      const cut = line.search(/\S[^\w\s]+\S*$/u) + 1;
      if (cut < line.length / 2 || !/[ \t]/.test(line.slice(0, cut).trim())) return undefined;
      const plain = plainCase(edit);
      const oldString = `${line.slice(0, cut).replace(/(\S) (?=\S)/, "$1  ")}\n`;
      if (oldString.trim() === line.slice(0, cut).trim()) return undefined;
      return {
        ...plain,
        oldString,
        newString: oldString.replace(/[A-Za-z]{4}/, "done"),
        intent: undefined,
        unambiguous: false,
      };
    },
  },
  {
    name: "end within an operator",
    lineCounts: [1],
    mutate(edit) {
      const [line = ""] = edit.oldLines;
      const operator = /\S (?:=>|===?|!==?|<=|>=|&&|\|\||\+=|->|::)/.exec(line);
      if (operator === null) return undefined;
      const end = operator.index + operator[0].length - 1;
      const piece = line.slice(0, end).trimStart();
      const oldString = piece.replace(/(\S) (?=\S+$)/, "$1  ");
      if (oldString === piece) return undefined;
      return {
        ...plainCase(edit),
        oldString,
        newString: `changed ${oldString}`,
        intent: undefined,
        unambiguous: false,
      };
    },
  },
  {
    name: "spaces within a line without indentation, replaced by several",
    lineCounts: [1],
    mutate(edit) {
      const [line = ""] = edit.oldLines;
      const indent = indentOf(line);
      const widened = line.trimStart().replace(/(\S) (?=\S)/, "$1   ");
      if (indent === "" || /["'`]/.test(line) || widened === line.trimStart()) return undefined;
      const newLines = [
        { text: `${indent}guarded(() => {` },
        { text: `${indent}${edit.step}nestedLine(1);` },
        { text: `${indent}});` },
      ];
      const wrapped: BaseEdit = { ...edit, newLines };
      const newString = newLines.map(({ text }) => text.slice(indent.length)).join("\n");
      return { ...plainCase(wrapped), oldString: widened, newString };
    },
  },
  {
    name: "the same, found as a piece of its line",
    lineCounts: [1],
    mutate(edit) {
      const [line = ""] = edit.oldLines;
      const indent = indentOf(line);
      const fileLine = `${line}  // kept to the end`;
      const fileLines = edit.fileLines.with(edit.first, fileLine);
      const widened = line.trimStart().replace(/(\S) (?=\S)/, "$1   ");
      if (indent === "" || /["'`]/.test(line) || widened === line.trimStart()) return undefined;
      const intent = fileLines.with(
        edit.first,
        `${indent}first();\n${indent}${edit.step}second();  // kept to the end`,
      );
      return {
        text: `${fileLines.join("\n")}\n`,
        oldString: widened,
        newString: `first();\n${edit.step}second();`,
        intent: `${intent.join("\n")}\n`,
        unambiguous: true,
      };
    },
  },
  {
    name: "twin block with other line endings",
    lineCounts: blocks,
    mutate(edit) {
      const plain = plainCase(edit);
      const twin = `\r\n${edit.oldLines.join("\r\n")}\r\n`;
      return { ...plain, text: plain.text + twin, intent: undefined, unambiguous: false };
    },
  },
  ...[
    "// ... rest of the methods",
    "# ... existing code ...",
    "/* … remaining code unchanged … */",
    "// rest of the code remains the same",
    "<!-- rest of the file -->",
    "// (other methods unchanged)",
  ].map(
    (placeholder): Mutation => ({
      name: `placeholder: ${placeholder}`,
      lineCounts: [8],
      mutate(edit) {
        const plain = plainCase(edit);
        const newString = [...edit.newLines.slice(0, 2).map(({ text }) => text), placeholder].join("\n");
        return { ...plain, newString, intent: undefined, unambiguous: false };
      },
    }),
  ),
];

function oddFile(edit: BaseEdit, change: (line: string) => string): CaseParts | undefined {
  const fileLines = edit.fileLines.map(change);
  const kept = (text: string, oldIndex: number | undefined) => (oldIndex === undefined ? text : change(text));
  if (edit.oldLines.every((line) => change(line) === line)) return undefined;
  // A line that is written afresh may use plain characters; what it should look like is not for a corpus to say.
  const edited = edit.oldLines[edit.editedIndex] ?? "";
  const staysPlain = edit.newLines.every(({ oldIndex }) => oldIndex !== undefined) || change(edited) === edited;
  const block = edit.newLines.map(({ text, oldIndex }) => kept(text, oldIndex));
  const intent = [...fileLines.slice(0, edit.first), ...block, ...fileLines.slice(edit.first + edit.oldLines.length)];
  if (!staysPlain && change(collapse(edited)) !== collapse(edited)) return undefined;
  return {
    text: `${fileLines.join("\n")}\n`,
    ...rememberedAs(edit, (line) => line),
    intent: `${intent.join("\n")}\n`,
    unambiguous: true,
  };
}

function asTypeset(line: string): string {
  return line
    .replaceAll(/"([^"]*)"/g, "“$1”")
    .replaceAll("'", "’")
    .replaceAll(" - ", " – ");
}

function lineNumbers(mark: string): Mutation {
  return {
    name: `line numbers copied along, ${JSON.stringify(mark)}`,
    lineCounts: mark === ": " ? blocks : anyLength,
    mutate: (edit) => ({ ...plainCase(edit), intent: intendedText(edit), ...numbered(edit, mark) }),
  };
}

function numbered(edit: BaseEdit, mark: string): Pick<CaseParts, "oldString" | "newString"> {
  const at = (index: number) => `${String(edit.first + 1 + index).padStart(6)}${mark}`;
  return {
    oldString: edit.oldLines.map((line, index) => at(index) + line).join("\n"),
    newString: edit.newLines.map(({ text }, index) => (isBlank(text) ? at(index) : at(index) + text)).join("\n"),
  };
}
