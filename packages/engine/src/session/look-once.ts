/** Runs a call that only looks outside of any run: for commands whose prompt shows what a program printed. */
import type { ChildCall, PermissionRule, ToolCallBlock } from "@kedge/protocol";
import { createCallJudge } from "../call/asking/call-judge.ts";
import { createToolContexts } from "../call/tool-context.ts";
import type { LookAnswer } from "../parts.ts";
import { hiddenFilesOf } from "../permission/index.ts";
import type { SessionParts } from "./session-parts.ts";

/** Longer than a look takes that belongs into a prompt. */
const timeLimitMs = 10_000;

/**
 * Nothing of it is recorded, so that it may run only what changes nothing and nobody would be asked about. Everything
 * else is left to a call of the model, which passes all phases.
 */
export async function lookOnce(
  session: SessionParts,
  { tool: name, input: given }: ChildCall,
  allow: readonly PermissionRule[],
): Promise<LookAnswer> {
  const { engine, journal, services, files, dialogue, checkpoints } = session;
  const tool = session.pool.find(name);
  const parsed = tool?.parse(given);
  if (tool === undefined || parsed === undefined || !parsed.ok)
    return { ran: false, why: `${name} is not offered here` };
  const { input } = parsed;
  const inputText = JSON.stringify(given ?? {});
  const block: ToolCallBlock = { type: "tool-call", callId: engine.newRequestId(), tool: name, inputText };
  const context = createToolContexts(
    { engine, journal, context: { services, files, editMode: "replace", dialogue, checkpoints } },
    block,
    { stepId: "", signal: AbortSignal.timeout(timeLimitMs), alone: async () => undefined },
    async () => [],
  )();
  const objection = await tool.validate?.(input, context);
  if (objection !== undefined) return { ran: false, why: objection };
  const readOnly = tool.readOnly(input);
  const call = { tool, needs: tool.needs(input, engine.workspace.cwd), readOnly, isRepeated: false, origin: { allow } };
  const verdict = createCallJudge({ engine, journal }).verdictOn(call);
  if (verdict.verdict === "deny") return { ran: false, why: verdict.decision.reason };
  if (verdict.verdict === "ask") return { ran: false, why: verdict.reason };
  if (!readOnly) return { ran: false, why: "it may change something" };
  const { look } = verdict;
  const hidden = hiddenFilesOf({ rules: engine.rules, ...engine.workspace });
  try {
    const output = await tool.run(input, { ...context, ...(look !== undefined && { look: { ...look, hidden } }) });
    if (output.blocked !== undefined) return { ran: false, why: output.blocked };
    return { ran: true, output: engine.resultRedactor.redact(output.output) };
  } catch (error) {
    return { ran: false, why: engine.redact(error instanceof Error ? error.message : String(error)) };
  }
}
