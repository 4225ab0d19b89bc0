/** What the tools share that replace pieces of text in one file that the model has read. */
import type { Tool } from "@kedge/protocol";
import { parseInput } from "../tool-input.ts";
import type { Replacement } from "./edit-matching/plan-replacement.ts";
import { planTextChange } from "./edit-matching/text-change.ts";
import { createCaution, createChangeChecks, makeChange } from "./file-change.ts";

export type ReplacementParts = {
  /** Text that is not exact is matched leniently unless this says otherwise. */
  readonly fuzzyMatch?: () => boolean;
  /** A match that is less similar than this is worth a look by a person. Default 0.95. */
  readonly fuzzyThreshold?: () => number;
  /** Generated files are refused unless this says otherwise. */
  readonly blockGenerated?: () => boolean;
};

/** What tells one of these tools from the other. */
export type ReplacementShape<Input> = Pick<Tool<Input>, "name" | "aliases" | "description" | "inputSchema"> & {
  readonly editsOf: (input: Input) => readonly Replacement[];
};

const fuzzyThresholdDefault = 0.95;

export function createReplacementTool<Input extends { readonly filePath: string }>(
  { editsOf, ...shape }: ReplacementShape<Input>,
  {
    fuzzyMatch = () => true,
    fuzzyThreshold = () => fuzzyThresholdDefault,
    blockGenerated = () => true,
  }: ReplacementParts,
): Tool<Input> {
  const pathOf = ({ filePath }: Input) => filePath;
  const planOf = (input: Input) =>
    planTextChange(editsOf(input), {
      filePath: input.filePath,
      fuzzy: fuzzyMatch(),
      fuzzyThreshold: fuzzyThreshold(),
      blockGenerated: blockGenerated(),
    });
  return {
    ...shape,
    editModes: ["replace"],
    resultCharactersMax: 4_000,
    parse: (input) => parseInput<Input>(shape.inputSchema, input),
    ...createChangeChecks(pathOf, planOf),
    caution: createCaution(pathOf, planOf),
    run: (input, context) => makeChange(input.filePath, planOf(input), context),
  };
}
