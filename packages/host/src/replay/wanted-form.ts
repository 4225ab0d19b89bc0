/** Answers in a wanted form: whether a run was given one, and what stands for a schema that is not in the record. */
import { isJsonObject, type JsonSchema, toolCalls } from "@kedge/protocol";
import type { RecordedRun } from "./recorded-session.ts";

export const structuredTool = "structured_output";

export function wantsForm({ options, steps, end }: RecordedRun): boolean {
  if (options?.answerSchema !== undefined) return true;
  if (end?.fact.structured !== undefined || end?.fact.transitions.includes("structured_retry")) return true;
  if (end?.fact.reason === "error_max_structured_output_retries") return true;
  return steps.some(({ ended }) => toolCalls(ended?.content ?? []).some(({ tool }) => tool === structuredTool));
}

/** Neither an early kedge nor a run that was gone on with without a prompt has left its schema. */
export function lacksSchema(run: RecordedRun): boolean {
  return run.options?.answerSchema === undefined;
}

/** Accepts what was accepted then, and refuses everything else. */
export function inferredSchema({ steps }: RecordedRun): JsonSchema {
  const accepted = steps.flatMap(({ calls }) =>
    [...calls.values()].flatMap(({ ended, started }) => {
      const isAccepted = ended.tool === structuredTool && ended.outcome === "completed";
      return isAccepted && started !== undefined ? [schemaOf(started.fact.inputText)] : [];
    }),
  );
  return { anyOf: accepted };
}

/** What was mended before it was read is taken for anything. */
function schemaOf(inputText: string): JsonSchema {
  try {
    return onlyThis(JSON.parse(inputText));
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function onlyThis(value: unknown): JsonSchema {
  if (Array.isArray(value)) {
    const { length } = value;
    return { type: "array", minItems: length, maxItems: length, items: { anyOf: value.map(onlyThis) } };
  }
  if (isJsonObject(value)) {
    const properties = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, onlyThis(member)]));
    return { type: "object", properties, required: Object.keys(value), additionalProperties: false };
  }
  // What JSON holds beside lists and objects.
  return { const: value as string | number | boolean | null };
}
