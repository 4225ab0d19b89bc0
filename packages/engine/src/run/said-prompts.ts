/** Which prompts a step takes from the queue: those of its run, and what the user said meanwhile. */
import type { QueuedPrompt } from "@kedge/protocol";

/** How many of the messages that wait are taken together. */
export type QueueMode = "one-at-a-time" | "all";

type RunOfPrompts = {
  readonly runId: string;
  /** A prompt that no run of this process was begun for. */
  readonly isLeftOver: (prompt: QueuedPrompt) => boolean;
};

export function saidPrompts(
  queue: readonly QueuedPrompt[],
  { runId, isLeftOver }: RunOfPrompts,
  mode: QueueMode,
): readonly QueuedPrompt[] {
  const said = queue.filter((prompt) => prompt.delivery === "steer" || prompt.runId === runId || isLeftOver(prompt));
  if (mode === "all") return said;
  // What is left of a process that is gone comes along with the first one.
  const first = said.findIndex((prompt) => !isLeftOver(prompt));
  if (first < 0) return said;
  const next = said.findIndex((prompt, index) => index > first && prompt.delivery === "steer" && !isLeftOver(prompt));
  return next < 0 ? said : said.slice(0, next);
}
