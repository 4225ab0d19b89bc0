/** The `multi_edit` tool: several replacements in one file that the model has read, all of them or none. */
import type { JsonSchema, Tool } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import type { Replacement } from "./edit-matching/plan-replacement.ts";
import { createReplacementTool, type ReplacementParts } from "./replacement-tool.ts";

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

export function createMultiEditTool(parts: ReplacementParts = {}): Tool<MultiEditInput> {
  return createReplacementTool<MultiEditInput>(
    {
      name: "multi_edit",
      aliases: ["MultiEdit"],
      description: textBeside(import.meta.url, "./multi-edit.md"),
      inputSchema,
      editsOf: ({ edits }) => edits,
    },
    parts,
  );
}
