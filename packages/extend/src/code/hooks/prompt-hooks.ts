/** Hooks of code that see a prompt before it counts, and what they plan for it. */
import { isJsonObject, type PromptAnswer, type SubmittedPrompt } from "@kedge/protocol";
import type { PlanContext } from "./plan-context.ts";
import type { UnitHooks } from "./unit-hooks.ts";

const promptHooks = ["chat.message", "command.execute.before", "before_plan"] as const;

export type PromptHooks = {
  readonly isWanted: boolean;
  readonly submitted: (prompt: SubmittedPrompt, signal: AbortSignal) => Promise<PromptAnswer | undefined>;
  readonly forget: (sessionId: string) => void;
};

export function createPromptHooks(hooks: UnitHooks, plan: PlanContext): PromptHooks {
  /** The run that each session planned last: it plans once in each. */
  const planned = new Map<string, string>();
  return {
    isWanted: promptHooks.some(hooks.has),
    async submitted(prompt, signal) {
      const text = await changePrompt(hooks, prompt, signal);
      if (typeof text !== "string") return { decision: "refuse", text: text.refused };
      const { sessionId, runId, cwd, mode } = prompt;
      const isFirst = planned.get(sessionId) !== runId;
      planned.set(sessionId, runId);
      const input = { sessionID: sessionId, runID: runId, prompt: text, cwd, mode };
      const context = isFirst && hooks.has("before_plan") ? await plan.read(sessionId, input, signal) : [];
      const isChanged = text !== prompt.text;
      if (!isChanged && context.length === 0) return undefined;
      return { decision: "pass", ...(isChanged && { text }), context };
    },
    forget: (sessionId) => planned.delete(sessionId),
  };
}

/** The first text counts as the prompt, as it is there. */
async function changePrompt(
  hooks: UnitHooks,
  prompt: SubmittedPrompt,
  signal: AbortSignal,
): Promise<string | { readonly refused: string }> {
  const { sessionId, promptId, model, command } = prompt;
  const part = (text: string) => ({ parts: [{ type: "text", id: promptId, sessionID: sessionId, text }] });
  let { text } = prompt;
  if (command !== undefined) {
    const input = { command: command.name, arguments: command.argument, sessionID: sessionId };
    const end = await hooks.run({ hook: "command.execute.before", sessionId, input, output: part(text), signal });
    if (end.kind === "threw") return { refused: end.problem };
    if (end.kind === "done") text = textOfParts(end.output["parts"]) ?? text;
  }
  const message = { id: promptId, sessionID: sessionId, role: "user" };
  const input = { sessionID: sessionId, messageID: promptId, agent: "main", model: modelOf(model) };
  const output = { message, ...part(text) };
  const end = await hooks.run({ hook: "chat.message", sessionId, input, output, signal });
  if (end.kind === "threw") return { refused: end.problem };
  return end.kind === "done" ? (textOfParts(end.output["parts"]) ?? text) : text;
}

/** A model as plugins know it. */
export function modelOf(ref: string) {
  const at = ref.indexOf("/");
  return { providerID: ref.slice(0, Math.max(0, at)), modelID: ref.slice(at + 1) };
}

/** What all texts together say; undefined where there is none. */
function textOfParts(parts: unknown): string | undefined {
  if (!Array.isArray(parts)) return undefined;
  const texts = parts.filter(isJsonObject).flatMap(({ type, text }) => (type === "text" ? [String(text)] : []));
  return texts.length === 0 ? undefined : texts.join("\n");
}
