/** The `edit` tool: replaces an exact piece of text in a file that the model has read. */
import type { JsonSchema, Tool } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { makeChange, type Plan, type Planned, previewChange, validateChange } from "./file-change.ts";
import { lineEndingOf, withLineEnding } from "./file-content.ts";
import { similarRegion } from "./similar-region.ts";
import { parseInput } from "./tool-input.ts";
import { needPath } from "./tool-path.ts";

export type EditInput = {
  readonly filePath: string;
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll?: boolean;
};

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    filePath: { type: "string", minLength: 1 },
    oldString: { type: "string" },
    newString: { type: "string" },
    replaceAll: { type: "boolean" },
  },
  required: ["filePath", "oldString", "newString"],
};

export function createEditTool(): Tool<EditInput> {
  return {
    name: "edit",
    description: textBeside(import.meta.url, "./edit.md"),
    inputSchema,
    resultCharactersMax: 4_000,
    parse: (input) => parseInput<EditInput>(inputSchema, input),
    validate: (input, context) => validateChange(input.filePath, planEdit(input), context),
    needs: (input, cwd) => needPath("edit", "write", input.filePath, cwd),
    preview: (input, context) => previewChange(input.filePath, planEdit(input), context),
    readOnly: () => false,
    concurrencySafe: () => false,
    run: (input, context) => makeChange(input.filePath, planEdit(input), context),
  };
}

function planEdit(input: EditInput): Plan {
  const refuse = (problem: string): Planned => ({ ok: false, problem });
  return (before) => {
    if (input.oldString === input.newString) return refuse("oldString and newString are equal; nothing would change.");
    if (before === undefined) {
      if (input.oldString === "") return { ok: true, after: input.newString };
      return refuse(`${input.filePath} does not exist; use an empty oldString to create it.`);
    }
    if (input.oldString === "")
      return refuse(`${input.filePath} exists already; give the text to replace, or use write to replace all of it.`);
    return replaceText(before.text, input);
  };
}

const shownMatchesMax = 10;

function replaceText(text: string, input: EditInput): Planned {
  const wanted = matchingForm(text, input.oldString);
  if (wanted === undefined) return { ok: false, problem: describeNoMatch(text, input) };
  const ending = lineEndingOf(wanted) ?? lineEndingOf(text);
  const replacement = ending === undefined ? input.newString : withLineEnding(input.newString, ending);
  const first = text.indexOf(wanted);
  const second = text.indexOf(wanted, first + wanted.length);
  if (second === -1) return { ok: true, after: text.slice(0, first) + replacement + text.slice(first + wanted.length) };
  if (input.replaceAll === true) return { ok: true, after: text.split(wanted).join(replacement) };
  const lines = matchLines(text, wanted);
  const shown = lines.slice(0, shownMatchesMax).join(", ") + (lines.length > shownMatchesMax ? ", …" : "");
  return {
    ok: false,
    problem: `oldString occurs ${lines.length} times, at lines ${shown}. Add surrounding lines or set replaceAll.`,
  };
}

/** Models write line feeds only; in a file with carriage returns the same text is looked for in the file's own form. */
function matchingForm(text: string, wanted: string): string | undefined {
  if (text.includes(wanted)) return wanted;
  const otherForm = withLineEnding(wanted, wanted.includes("\r\n") ? "\n" : "\r\n");
  return text.includes(otherForm) ? otherForm : undefined;
}

function matchLines(text: string, wanted: string): readonly number[] {
  const lines: number[] = [];
  let line = 1;
  let counted = 0;
  for (let index = text.indexOf(wanted); index !== -1; index = text.indexOf(wanted, index + wanted.length)) {
    for (let end = text.indexOf("\n", counted); end !== -1 && end < index; end = text.indexOf("\n", counted)) {
      line += 1;
      counted = end + 1;
    }
    lines.push(line);
  }
  return lines;
}

function describeNoMatch(text: string, input: EditInput): string {
  const region = similarRegion(text, input.oldString);
  const missing = `oldString was not found in ${input.filePath}; it must match exactly, including white space.`;
  return region === undefined ? missing : `${missing} Most similar, from line ${region.line}:\n${region.text}`;
}
