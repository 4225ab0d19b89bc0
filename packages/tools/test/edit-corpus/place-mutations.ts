/** Edits whose place is in doubt: repeated and twin blocks, wrong neighbours, foreign code, nothing but braces. */
import { isBlank } from "../../src/editing/edit-matching/text-lines.ts";
import { type BaseEdit, countBlocks, intendedText } from "./base-edit.ts";
import { type CaseParts, type Mutation, pickContextLine, plainCase, slippedCase } from "./edit-case.ts";

const anyLength = [1, 2, 3, 5, 8];
const blocks = [3, 5, 8];

export const placeMutations: readonly Mutation[] = [
  {
    name: "repeated block, exact",
    lineCounts: anyLength,
    mutate: (edit) => mustRefuse({ ...plainCase(edit), text: withTwin(edit, edit.oldLines) }),
  },
  {
    name: "repeated block, trailing spaces",
    lineCounts: anyLength,
    mutate(edit) {
      const slipped = slippedCase(edit, (line) => `${line}  `);
      return slipped && mustRefuse({ ...slipped, text: withTwin(edit, edit.oldLines) });
    },
  },
  {
    name: "repeated block, indentation shifted",
    lineCounts: blocks,
    mutate(edit) {
      const slipped = slippedCase(edit, (line) => (isBlank(line) ? line : edit.step + line));
      const twin = edit.oldLines.map((line) => (isBlank(line) ? line : edit.step + edit.step + line));
      return slipped && mustRefuse({ ...slipped, text: withTwin(edit, twin) });
    },
  },
  {
    name: "twin block differs in a word, oldString in another",
    lineCounts: [5, 8],
    mutate(edit, random) {
      const target = pickContextLine(edit, random);
      if (target === undefined) return undefined;
      const slipped = slippedCase(edit, (line, at) => (at === target ? rename(line, "Right") : line));
      const twin = edit.oldLines.map((line, at) => (at === target ? rename(line, "Left") : line));
      return slipped && mustRefuse({ ...slipped, text: withTwin(edit, twin) });
    },
  },
  {
    name: "twin block differs in a word, oldString in white space",
    lineCounts: blocks,
    mutate(edit, random) {
      const target = pickContextLine(edit, random) ?? edit.editedIndex;
      const twin = edit.oldLines.map((line, at) => (at === target ? rename(line, "Left") : line));
      const slipped = slippedCase(edit, (line, at) => (at === undefined ? line : `${line} `));
      if (slipped === undefined) return undefined;
      const tail = `\n${twin.join("\n")}\n`;
      return { ...slipped, text: slipped.text + tail, intent: intendedText(edit) + tail };
    },
  },
  {
    name: "first line wrong",
    lineCounts: blocks,
    mutate: (edit) => inDoubt(edit.editedIndex === 0 ? undefined : wrongEnd(edit, 0)),
  },
  {
    name: "last line wrong",
    lineCounts: blocks,
    mutate(edit) {
      const last = edit.oldLines.length - 1;
      return inDoubt(edit.editedIndex === last ? undefined : wrongEnd(edit, last));
    },
  },
  {
    name: "a line too much at the end",
    lineCounts: blocks,
    mutate(edit) {
      const plain = plainCase(edit);
      const extra = "\nreturn unexpectedEnd;";
      return inDoubt({ ...plain, oldString: plain.oldString + extra, newString: plain.newString + extra });
    },
  },
  {
    name: "foreign code between the right ends",
    lineCounts: blocks,
    mutate(edit, random) {
      const foreign = [
        "warehouse.reindex(42);",
        "for each cell of the sheet",
        "SELECT 1 FROM dual;",
        "yaw <- pitch * roll",
      ];
      const old = edit.oldLines.map((line, at) =>
        at === 0 || at === edit.oldLines.length - 1 ? line : (random.pick(foreign) ?? line),
      );
      const oldString = old.join("\n");
      const newString = [old[0], "replaced();", old.at(-1)].join("\n");
      return mustRefuse({ ...plainCase(edit), oldString, newString });
    },
  },
  {
    name: "block of another file",
    lineCounts: blocks,
    mutate(edit) {
      const reversed = edit.fileLines.toReversed().map((line) => line.split("").reverse().join(""));
      const text = `${reversed.join("\n")}\n`;
      return countBlocks(reversed, edit.oldLines) > 0 ? undefined : mustRefuse({ ...plainCase(edit), text });
    },
  },
  {
    name: "braces and blank lines only",
    lineCounts: [3],
    mutate(edit) {
      const oldString = "  }\n \n\t}";
      const plain = plainCase(edit);
      return plain.text.includes(oldString) ? undefined : mustRefuse({ ...plain, oldString, newString: "  }" });
    },
  },
];

function withTwin(edit: BaseEdit, twin: readonly string[]): string {
  return `${edit.fileLines.join("\n")}\n\n${twin.join("\n")}\n`;
}

function rename(line: string, suffix: string): string {
  return line.replace(/[A-Za-z]{4,}/, (word) => word + suffix);
}

function wrongEnd(edit: BaseEdit, index: number): CaseParts | undefined {
  return slippedCase(edit, (line, at) => (at === index ? "const neighbour = somethingElse();" : line));
}

function mustRefuse(parts: CaseParts): CaseParts {
  return { ...parts, intent: undefined, unambiguous: false };
}

function inDoubt(parts: CaseParts | undefined): CaseParts | undefined {
  return parts && { ...parts, unambiguous: false };
}
