/** Hooks of code at the turning points of a session: prompts, commands, permissions, compaction and the system prompt. */
import type {
  AskedPermission,
  CallsAnswer,
  EndedCalls,
  MomentPermission,
  SessionMoment,
  SessionPlace,
} from "@kedge/protocol";
import { compactingHooks, createHistoryHooks } from "./history-hooks.ts";
import type { PlanContext } from "./plan-context.ts";
import { createPromptHooks, modelOf } from "./prompt-hooks.ts";
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

export function createCodeMoment(hooks: UnitHooks, parts: MomentParts): SessionMoment | undefined {
  const { name } = hooks;
  const prompts = createPromptHooks(hooks, parts.plan);
  const { compacting, leafMoving } = createHistoryHooks(hooks, parts.onNotice);
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

  const moment: SessionMoment = {
    name,
    onError: "continue",
    ...(hooks.has("experimental.chat.system.transform") && { sessionStarted: addSystem }),
    ...(prompts.isWanted && { promptSubmitted: prompts.submitted }),
    ...(hooks.has("before_plan") && { callsEnded }),
    ...(hooks.has("permission.ask") && { permissionAsked }),
    ...(compactingHooks.some(hooks.has) && { compacting }),
    ...(hooks.has("session.tree.before") && { leafMoving }),
  };
  if (Object.keys(moment).length === 2) return undefined;
  return {
    ...moment,
    sessionEnded({ sessionId }) {
      prompts.forget(sessionId);
      hooks.forget(sessionId);
    },
  };
}
