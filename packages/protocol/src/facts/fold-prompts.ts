/** The part of the fold that holds prompts until a step takes them. */
import type { FactOf } from "./facts.ts";
import type { SessionState } from "./session-state.ts";

const titleCharactersMax = 50;

export function admitPrompt(state: SessionState, fact: FactOf<"prompt.admitted">): void {
  state.queue.push({
    promptId: fact.promptId,
    runId: fact.runId,
    delivery: fact.delivery,
    text: fact.text,
    ...(fact.attachments !== undefined && { attachments: fact.attachments }),
    ...(fact.subtasks !== undefined && { subtasks: fact.subtasks }),
  });
  if (state.title === "") state.title = titleOfPrompt(fact.text);
  state.runId ??= fact.runId;
}

export function revisePrompt(state: SessionState, { promptId, text }: FactOf<"prompt.revised">): void {
  state.queue = state.queue.map((prompt) => (prompt.promptId === promptId ? { ...prompt, text } : prompt));
}

export function withdrawPrompt(state: SessionState, { promptId }: FactOf<"prompt.withdrawn">): void {
  state.queue = state.queue.filter((prompt) => prompt.promptId !== promptId);
}

/** A session is called by the first line of its first prompt. */
export function titleOfPrompt(text: string): string {
  const firstLine = text.trimStart().split(/[\r\n]/, 1)[0] ?? "";
  // By code point, so that a character outside the basic plane is never cut in half.
  const characters = Array.from(firstLine.slice(0, titleCharactersMax * 2));
  return characters.slice(0, titleCharactersMax).join("").trimEnd();
}
