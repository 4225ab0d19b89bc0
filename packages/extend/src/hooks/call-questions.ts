/** Hooks that are asked about calls at moments of a session: when a permission is asked for, and when all calls of a step ended. */
import type { AskedPermission, CallsAnswer, EndedCalls, MomentPermission } from "@kedge/protocol";
import { callViews } from "./call-views.ts";
import { asLine, foldAnswers } from "./fold-answers.ts";
import type { HookedCalls } from "./hook-phase.ts";
import type { HookSet } from "./hook-set.ts";
import type { SessionNotes } from "./session-notes.ts";

export type CallQuestionParts = {
  readonly set: HookSet;
  readonly notes: SessionNotes;
  readonly calls: HookedCalls;
};

export async function askForPermission(
  { set, notes, calls }: CallQuestionParts,
  question: AskedPermission,
  signal: AbortSignal,
): Promise<MomentPermission | undefined> {
  const { callId, grants, sessionId, cwd } = question;
  const call = calls.find(callId);
  if (call === undefined || !set.has("PermissionRequest")) return undefined;
  const suggestions = grants.map(({ permission, pattern, action }) => ({ permission, pattern, action }));
  const fields = { ...notes.fieldsOf(question), permission_suggestions: suggestions };
  const event = { name: "PermissionRequest", sessionId, cwd, fields, call } as const;
  const fired = await set.fire(event, signal, { viewsFor: callViews(call, fields) });
  const { decision, reason, by } = foldAnswers(fired);
  if (decision === "deny") return { decision: "refuse", text: `${by}: ${reason}` };
  const changer = fired.answers.find(({ answer }) => answer.updatedInput !== undefined);
  if (changer !== undefined) {
    const text = `Hook ${changer.hook.name} tried to change the input. Only PreToolUse hooks may do that.`;
    return { decision: "refuse", text };
  }
  return decision === "allow" ? { decision, text: `${by}: ${reason}` } : undefined;
}

export async function tellOfEndedCalls(
  { set, notes, calls }: CallQuestionParts,
  ended: EndedCalls,
  signal: AbortSignal,
): Promise<CallsAnswer | undefined> {
  if (!set.has("PostToolBatch")) return undefined;
  const { sessionId, cwd, callIds } = ended;
  const fields = { ...notes.fieldsOf(ended), tool_calls: calls.takeEnded(callIds) };
  const fired = await set.fire({ name: "PostToolBatch", sessionId, cwd, fields }, signal);
  const { decision, reason, by, context, stop } = foldAnswers(fired);
  const said = [...context, ...(decision === "deny" ? [{ by, text: reason }] : [])].map(asLine);
  return { context: said, ...(stop !== undefined && { endRun: stop }) };
}
