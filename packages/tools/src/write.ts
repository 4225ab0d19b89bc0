/** The `write` tool: creates a file or replaces the whole of one that the model has read. */
import type { JsonSchema, Tool } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { makeChange, type Plan, previewChange, validateChange } from "./file-change.ts";
import { byteOrderMark, lineEndingOf, withLineEnding } from "./file-content.ts";
import { parseInput } from "./tool-input.ts";
import { needPath } from "./tool-path.ts";

export type WriteInput = { readonly filePath: string; readonly content: string };

const inputSchema: JsonSchema = {
  type: "object",
  properties: { filePath: { type: "string", minLength: 1 }, content: { type: "string" } },
  required: ["filePath", "content"],
};

const contentBytesMax = 5 * 1_024 * 1_024;

export function createWriteTool(): Tool<WriteInput> {
  return {
    name: "write",
    description: textBeside(import.meta.url, "./write.md"),
    inputSchema,
    resultCharactersMax: 4_000,
    parse: (input) => parseInput<WriteInput>(inputSchema, input),
    validate: (input, context) => validateChange(input.filePath, planWrite(input.content), context),
    needs: (input, cwd) => needPath("edit", "write", input.filePath, cwd),
    preview: (input, context) => previewChange(input.filePath, planWrite(input.content), context),
    readOnly: () => false,
    concurrencySafe: () => false,
    run: (input, context) => makeChange(input.filePath, planWrite(input.content), context),
  };
}

function planWrite(content: string): Plan {
  return (before) => {
    if (Buffer.byteLength(content) > contentBytesMax)
      return {
        ok: false,
        problem: `The content is larger than ${contentBytesMax} bytes; write it in parts with bash.`,
      };
    if (before === undefined) return { ok: true, after: content };
    const ending = lineEndingOf(before.text);
    const text = content.startsWith(byteOrderMark) ? content.slice(1) : content;
    return { ok: true, after: ending === undefined ? text : withLineEnding(text, ending) };
  };
}
