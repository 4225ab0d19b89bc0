/** What the end of a call leaves in the conversation, and the tools that it made callable. */
import type { FactOf } from "./facts.ts";
import type { CallResult } from "./session-state.ts";

const none: readonly string[] = [];

/** Most results have none of the three, and a spread that adds nothing still takes its time. */
export function resultOf(
  { callId, tool, outcome, output, media, metadata }: FactOf<"tool.ended">,
  found: readonly string[],
): CallResult {
  const result: CallResult = { callId, tool, outcome, output };
  const isUseless = metadata?.["useless"] === true;
  // Where names were missing, the text says more than the tools that were found.
  const isWhole = found.length > 0 && metadata?.["missingTools"] === undefined;
  if (media === undefined && !isUseless && !isWhole) return result;
  return {
    ...result,
    ...(media !== undefined && { media }),
    ...(isUseless && { useless: true }),
    ...(isWhole && { foundTools: found }),
  };
}

/** A search for tools names what it found in its metadata. */
export function foundTools({ metadata }: FactOf<"tool.ended">): readonly string[] {
  return namesIn(metadata?.["foundTools"]);
}

export function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : none;
}
