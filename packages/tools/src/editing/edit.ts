/** The `edit` tool: replaces a piece of text in a file that the model has read. */
import type { JsonSchema, Tool } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import type { Replacement } from "./edit-matching/plan-replacement.ts";
import { createReplacementTool, type ReplacementParts } from "./replacement-tool.ts";

export type EditInput = Replacement & { readonly filePath: string };

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

export function createEditTool(parts: ReplacementParts = {}): Tool<EditInput> {
  const description = textBeside(import.meta.url, "./edit.md");
  return createReplacementTool<EditInput>(
    { name: "edit", description, inputSchema, editsOf: (input) => [input] },
    parts,
  );
}
