/** The `edit` tool: replaces a piece of text in a file that the model has read. */
import type { JsonSchema, Tool } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { parseInput } from "../tool-input.ts";
import { needPath } from "../tool-path.ts";
import type { Replacement } from "./edit-matching/plan-replacement.ts";
import { createTextChange, type TextChangeOptions } from "./edit-matching/text-change.ts";
import { makeChange, previewChange, validateChange } from "./file-change.ts";

export type EditInput = Replacement & { readonly filePath: string };

export type EditParts = {
  /** Text that is not exact is matched leniently unless this says otherwise. */
  readonly fuzzyMatch?: () => boolean;
  /** Generated files are refused unless this says otherwise. */
  readonly blockGenerated?: () => boolean;
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

export function createEditTool(parts: EditParts = {}): Tool<EditInput> {
  const change = (input: EditInput) => createTextChange([input], changeOptions(input.filePath, parts));
  return {
    name: "edit",
    description: textBeside(import.meta.url, "./edit.md"),
    inputSchema,
    editModes: ["replace"],
    resultCharactersMax: 4_000,
    parse: (input) => parseInput<EditInput>(inputSchema, input),
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

export function changeOptions(
  filePath: string,
  { fuzzyMatch = () => true, blockGenerated = () => true }: EditParts,
): TextChangeOptions {
  return { filePath, fuzzy: fuzzyMatch(), blockGenerated: blockGenerated() };
}
