/** Hooks of code at the turning points of a session: prompts, commands, permissions, compaction and the system prompt. */
import {
  type AskedPermission,
  type CallsAnswer,
  type CompactionAnswer,
  type EndedCalls,
  isJsonObject,
  type MomentPermission,
  type MoveAnswer,
  type MovingLeaf,
  type PromptAnswer,
  type SessionMoment,
  type SessionPlace,
  type StartingCompaction,
  type SubmittedPrompt,
} from "@kedge/protocol";
import type { PlanContext } from "./plan-context.ts";
import { canceled, joinWishes, readCompacting } from "./read-compacting.ts";
import { shownTool } from "./tool-names.ts";
import type { UnitHooks } from "./unit-hooks.ts";

export type MomentParts = {
  readonly plan: PlanContext;
  /** What the system prompt gets beside its own text, for sources of context. */
  readonly addSystem: (sessionId: string, texts: readonly string[]) => void;
  /** True once after the model began to plan. */
  readonly takePlanEntered: (sessionId: string) => boolean;
  readonly onNotice: (sentence: string) => void;
};

const compactingHooks = ["session.compacting", "experimental.session.compacting"] as const;

export function createCodeMoment(hooks: UnitHooks, parts: MomentParts): SessionMoment | undefined {
  const { name } = hooks;
  const planned = new Map<string, string>();
  let hasToldOfAllow = false;

  async function addSystem({ sessionId, model }: SessionPlace, signal: AbortSignal): Promise<undefined> {
    const run = { hook: "experimental.chat.system.transform", sessionId, signal } as const;
    const end = await hooks.run({
      ...run,
      input: { sessionID: sessionId, model: modelOf(model) },
      output: { system: [] },
    });
    if (end.kind !== "done") return undefined;
    const { system } = end.output;
    if (Array.isArray(system))
      parts.addSystem(
        sessionId,
        system.filter((text) => typeof text === "string"),
      );
    return undefined;
  }

  /** The first text counts as the prompt, as it is there. */
  async function changePrompt(prompt: SubmittedPrompt, signal: AbortSignal): Promise<string | { refused: string }> {
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

  async function promptSubmitted(prompt: SubmittedPrompt, signal: AbortSignal): Promise<PromptAnswer | undefined> {
    const text = await changePrompt(prompt, signal);
    if (typeof text !== "string") return { decision: "refuse", text: text.refused };
    const { sessionId, runId, cwd, mode } = prompt;
    // Once per run.
    const isFirst = planned.get(sessionId) !== runId;
    planned.set(sessionId, runId);
    const input = { sessionID: sessionId, runID: runId, prompt: text, cwd, mode };
    const context = isFirst && hooks.has("before_plan") ? await parts.plan.read(sessionId, input, signal) : [];
    const isChanged = text !== prompt.text;
    if (!isChanged && context.length === 0) return undefined;
    return { decision: "pass", ...(isChanged && { text }), context };
  }

  async function callsEnded(
    { sessionId, cwd, mode }: EndedCalls,
    signal: AbortSignal,
  ): Promise<CallsAnswer | undefined> {
    if (!parts.takePlanEntered(sessionId)) return undefined;
    const context = await parts.plan.read(sessionId, { sessionID: sessionId, cwd, mode }, signal);
    return { context };
  }

  /** It may only tighten: a yes is as if it had said nothing. */
  async function permissionAsked(
    { sessionId, callId, tool, input: args, reason }: AskedPermission,
    signal: AbortSignal,
  ): Promise<MomentPermission | undefined> {
    const input = {
      ...{ id: callId, type: shownTool(tool), sessionID: sessionId, callID: callId, messageID: callId },
      ...{ title: reason, metadata: args, pattern: "*" },
    };
    const end = await hooks.run({ hook: "permission.ask", sessionId, input, output: { status: "ask" }, signal });
    if (end.kind === "threw") return { decision: "refuse", text: end.problem };
    if (end.kind !== "done") return undefined;
    const { status } = end.output;
    if (status === "deny") return { decision: "refuse", text: `${name} denies this call.` };
    if (status === "allow" && !hasToldOfAllow) {
      hasToldOfAllow = true;
      parts.onNotice(`${hooks.unit.name} answered permission.ask with allow, which is ignored: it may only deny.`);
    }
    return undefined;
  }

  /** Here a no is said with `cancel`; what is thrown leaves everything as it was. */
  function tellOfFailure(hook: string, problem: string): void {
    parts.onNotice(`The hook ${hook} of ${hooks.unit.name} failed: ${problem}.`);
  }

  async function compacting(
    { sessionId, trigger, strategy, instructions }: StartingCompaction,
    signal: AbortSignal,
  ): Promise<CompactionAnswer | undefined> {
    const asked = instructions === undefined ? {} : { instructions };
    const input = { sessionID: sessionId, reason: trigger, strategy, ...asked };
    const answers: CompactionAnswer[] = [];
    for (const hook of compactingHooks) {
      const end = await hooks.run({ hook, sessionId, input, output: { context: [] }, signal });
      if (end.kind === "threw") tellOfFailure(hook, end.problem);
      if (end.kind === "done") answers.push(readCompacting(end.output));
    }
    return answers.findLast(({ decision }) => decision !== "pass") ?? answers.reduce(joinWishes, { decision: "pass" });
  }

  async function leafMoving(
    { sessionId, fromLeafId, toLeafId, wantsSummary }: MovingLeaf,
    signal: AbortSignal,
  ): Promise<MoveAnswer | undefined> {
    const places = {
      ...(fromLeafId !== undefined && { fromLeafID: fromLeafId }),
      ...(toLeafId && { leafID: toLeafId }),
    };
    const input = { sessionID: sessionId, ...places, wantsSummary };
    const end = await hooks.run({ hook: "session.tree.before", sessionId, input, output: {}, signal });
    if (end.kind === "threw") tellOfFailure("session.tree.before", end.problem);
    if (end.kind !== "done") return undefined;
    const refusal = canceled(end.output);
    if (refusal !== undefined) return refusal;
    const { summary } = end.output;
    return typeof summary === "string" ? { decision: "summary", summary } : undefined;
  }

  const moment: SessionMoment = {
    name,
    onError: "continue",
    ...(hooks.has("experimental.chat.system.transform") && { sessionStarted: addSystem }),
    ...((["chat.message", "command.execute.before", "before_plan"] as const).some(hooks.has) && { promptSubmitted }),
    ...(hooks.has("before_plan") && { callsEnded }),
    ...(hooks.has("permission.ask") && { permissionAsked }),
    ...(compactingHooks.some(hooks.has) && { compacting }),
    ...(hooks.has("session.tree.before") && { leafMoving }),
  };
  if (Object.keys(moment).length === 2) return undefined;
  return {
    ...moment,
    sessionEnded({ sessionId }) {
      planned.delete(sessionId);
      hooks.forget(sessionId);
    },
  };
}

function modelOf(ref: string) {
  const at = ref.indexOf("/");
  return { providerID: ref.slice(0, Math.max(0, at)), modelID: ref.slice(at + 1) };
}

/** What all texts together say; undefined where there is none. */
function textOfParts(parts: unknown): string | undefined {
  if (!Array.isArray(parts)) return undefined;
  const texts = parts.filter(isJsonObject).flatMap(({ type, text }) => (type === "text" ? [String(text)] : []));
  return texts.length === 0 ? undefined : texts.join("\n");
}
