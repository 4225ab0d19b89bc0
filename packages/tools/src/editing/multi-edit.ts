/** The `multi_edit` tool: several replacements in one file that the model has read, all of them or none. */
import type { JsonSchema, Tool } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { parseInput } from "../tool-input.ts";
import { needPath } from "../tool-path.ts";
import { changeOptions, type EditParts } from "./edit.ts";
import type { Replacement } from "./edit-matching/plan-replacement.ts";
import { createTextChange } from "./edit-matching/text-change.ts";
import { makeChange, previewChange, validateChange } from "./file-change.ts";

export type MultiEditInput = { readonly filePath: string; readonly edits: readonly Replacement[] };

const editsMax = 50;

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    filePath: { type: "string", minLength: 1 },
    edits: {
      type: "array",
      minItems: 1,
      maxItems: editsMax,
      items: {
        type: "object",
        properties: {
          oldString: { type: "string" },
          newString: { type: "string" },
          replaceAll: { type: "boolean" },
        },
        required: ["oldString", "newString"],
      },
    },
  },
  required: ["filePath", "edits"],
};

export function createMultiEditTool(parts: EditParts = {}): Tool<MultiEditInput> {
  const change = ({ edits, filePath }: MultiEditInput) => createTextChange(edits, changeOptions(filePath, parts));
  return {
    name: "multi_edit",
    aliases: ["MultiEdit"],
    description: textBeside(import.meta.url, "./multi-edit.md"),
    inputSchema,
    editModes: ["replace"],
    resultCharactersMax: 4_000,
    parse: (input) => parseInput<MultiEditInput>(inputSchema, input),
    validate: (input, context) => validateChange(input.filePath, change(input).plan, context),
    needs: (input, cwd) => needPath("edit", "write", input.filePath, cwd),
    preview: (input, context) => previewChange(input.filePath, change(input).plan, context),
    readOnly: () => false,
    concurrencySafe: () => false,
    async run(input, context) {
      const { plan, report } = change(input);
      return report(await makeChange(input.filePath, plan, context));
    },
  };
}
