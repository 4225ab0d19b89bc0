/** The `batch` tool: several calls in one, each through the whole pipeline with its own permission. */
import type { ChildCall, JsonSchema, Tool } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { parseInput } from "../tool-input.ts";

export type BatchInput = { readonly calls: readonly ChildCall[] };

/** These ask a person, change the mode, or would nest without end. */
const refused: ReadonlySet<string> = new Set(["batch", "question", "plan_enter", "plan_exit", "agent", "task"]);
const callsMax = 25;

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    calls: {
      type: "array",
      minItems: 1,
      maxItems: callsMax,
      items: {
        type: "object",
        properties: { tool: { type: "string", minLength: 1 }, input: { type: "object" } },
        required: ["tool", "input"],
      },
    },
  },
  required: ["calls"],
};

export function createBatchTool(): Tool<BatchInput> {
  return {
    name: "batch",
    description: textBeside(import.meta.url, "./batch.md"),
    searchHint: "batch several calls at once",
    inputSchema,
    resultCharactersMax: 100_000,
    parse: (input) => parseInput<BatchInput>(inputSchema, input),
    validate: async ({ calls }) => {
      const nested = calls.find(({ tool }) => refused.has(tool.toLowerCase()));
      return nested === undefined ? undefined : `${nested.tool} cannot be part of a batch; call it by itself.`;
    },
    needs: () => [],
    // Its calls state for themselves what they are; the batch as a whole runs alone.
    readOnly: () => false,
    concurrencySafe: () => false,
    async run({ calls }, context) {
      const results = await context.children.run(calls);
      const failed = results.filter(({ isError }) => isError).length;
      const parts = results.map(
        ({ tool, output, isError }, index) => `## ${index + 1}. ${tool}${isError ? " (failed)" : ""}\n${output}`,
      );
      const title = `${results.length} calls${failed === 0 ? "" : `, ${failed} failed`}`;
      return { output: parts.join("\n\n"), title, metadata: { calls: results.length, failed } };
    },
  };
}
