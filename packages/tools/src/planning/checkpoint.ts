/** The tools `checkpoint` and `rewind`: look around at length, then go on with a report in the place of all that was seen. */
import type { JsonSchema, Tool } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { parseInput } from "../tool-input.ts";

const resultCharactersMax = 4_000;
const goalCharactersMax = 2_000;
const reportCharactersMax = 50_000;

export type CheckpointInput = { readonly goal: string };

const checkpointSchema: JsonSchema = {
  type: "object",
  properties: { goal: { type: "string", minLength: 1, maxLength: goalCharactersMax } },
  required: ["goal"],
};

export function createCheckpointTool(): Tool<CheckpointInput> {
  return {
    name: "checkpoint",
    description: textBeside(import.meta.url, "./checkpoint.md"),
    searchHint: "checkpoint investigate explore mark context save tokens return",
    inputSchema: checkpointSchema,
    resultCharactersMax,
    parse: (input) => parseInput<CheckpointInput>(checkpointSchema, input),
    needs: () => [],
    readOnly: () => true,
    concurrencySafe: () => false,
    async run({ goal }, { checkpoints }) {
      const open = checkpoints.current();
      if (open !== undefined) {
        const output = `A checkpoint is open already (${open.goal}). Call rewind with a report on it first.`;
        return { output, isError: true, title: goal };
      }
      await checkpoints.open(goal);
      const startedAt = checkpoints.current()?.startedAt;
      const output = `Checkpoint opened. Goal: ${goal}\nInvestigate now. When you know enough, call rewind with a report of what you found: it is all that stays.`;
      return { output, title: goal, metadata: { goal, ...(startedAt !== undefined && { startedAt }) } };
    },
  };
}

export type RewindInput = { readonly report: string };

const rewindSchema: JsonSchema = {
  type: "object",
  properties: { report: { type: "string", minLength: 1, maxLength: reportCharactersMax } },
  required: ["report"],
};

export function createRewindTool(): Tool<RewindInput> {
  return {
    name: "rewind",
    description: textBeside(import.meta.url, "./rewind.md"),
    searchHint: "rewind checkpoint report findings return context",
    inputSchema: rewindSchema,
    resultCharactersMax,
    parse: (input) => parseInput<RewindInput>(rewindSchema, input),
    needs: () => [],
    readOnly: () => true,
    concurrencySafe: () => false,
    async run({ report }, { checkpoints }) {
      const open = checkpoints.current();
      if (open === undefined) {
        const output = "No checkpoint is open, so there is nothing to return to. Continue with the work.";
        return { output, isError: true, title: "no checkpoint" };
      }
      const text = report.trim();
      if (text === "") {
        const output = "The report is empty. Say what you found; nothing else of the investigation stays.";
        return { output, isError: true, title: open.goal };
      }
      await checkpoints.rewind(text);
      const output =
        "The conversation goes back to the checkpoint with the end of this step and continues with your report.";
      return { output, title: open.goal };
    },
  };
}
