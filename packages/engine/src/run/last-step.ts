/** The last step that a run may take: its report, or an answer of the wanted form, and nothing else. */
import type { Model, RunOptions, ToolChoice, ToolSchema } from "@kedge/protocol";
import type { Pipeline } from "../call/pipeline.ts";
import type { Spent } from "./budget.ts";
import type { Run } from "./loop-state.ts";

export function isLastStep({ stepsMax }: RunOptions, { turns }: Spent): boolean {
  return stepsMax !== undefined && turns + 1 >= stepsMax;
}

/** It has no tools but the one that gives an answer its form. */
export function answerTools({ structured, tools }: Run, model: Model): readonly ToolSchema[] {
  return structured === undefined ? [] : tools(model).filter(({ name }) => name === structured.tool.name);
}

/** A model may call what it was not offered; in the last step that fails, and nothing runs. */
export function answersOnly(pipeline: Pipeline, { structured }: Run): Pipeline {
  return {
    ...pipeline,
    prepare(block, origin) {
      const call = pipeline.prepare(block, origin);
      return call.tool.name === structured?.tool.name ? call : { ...call, end: noToolsLeft };
    },
  };
}

const noToolsLeft = {
  outcome: "failed",
  output: "There are no tools in this turn, so nothing ran. Give your report now.",
} as const;

/** A model that answered in plain text although a form was wanted, or has no other step, may do nothing else now. */
export function mustGiveAnswer(
  { structured }: Run,
  { capabilities }: Model,
  isDue: boolean,
): { readonly toolChoice?: ToolChoice } {
  const isForced = isDue && capabilities?.forcedToolChoice !== false;
  return structured === undefined || !isForced ? {} : { toolChoice: { tool: structured.tool.name, parallel: false } };
}
