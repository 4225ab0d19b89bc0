/** What the tools share that replace pieces of text in one file that the model has read. */
import type { Tool } from "@kedge/protocol";
import { parseInput } from "../tool-input.ts";
import type { Replacement } from "./edit-matching/plan-replacement.ts";
import { createTextChange } from "./edit-matching/text-change.ts";
import { createChangeChecks, makeChange } from "./file-change.ts";

export type ReplacementParts = {
  /** Text that is not exact is matched leniently unless this says otherwise. */
  readonly fuzzyMatch?: () => boolean;
  /** Generated files are refused unless this says otherwise. */
  readonly blockGenerated?: () => boolean;
};

/** What tells one of these tools from the other. */
export type ReplacementShape<Input> = Pick<Tool<Input>, "name" | "aliases" | "description" | "inputSchema"> & {
  readonly editsOf: (input: Input) => readonly Replacement[];
};

export function createReplacementTool<Input extends { readonly filePath: string }>(
  { editsOf, ...shape }: ReplacementShape<Input>,
  { fuzzyMatch = () => true, blockGenerated = () => true }: ReplacementParts,
): Tool<Input> {
  const change = (input: Input) =>
    createTextChange(editsOf(input), {
      filePath: input.filePath,
      fuzzy: fuzzyMatch(),
      blockGenerated: blockGenerated(),
    });
  return {
    ...shape,
    editModes: ["replace"],
    resultCharactersMax: 4_000,
    parse: (input) => parseInput<Input>(shape.inputSchema, input),
    ...createChangeChecks<Input>(
      (input) => input.filePath,
      (input) => change(input).plan,
    ),
    async run(input, context) {
      const { plan, report } = change(input);
      return report(await makeChange(input.filePath, plan, context));
    },
  };
}
