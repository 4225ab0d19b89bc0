/** Whether a moment from outside answers the question about a call in the place of a person. */
import { isJsonObject, type MomentPermission } from "@kedge/protocol";
import { errorText } from "../call/attempt.ts";
import type { Call } from "../call/call.ts";
import { plainCopy } from "../call/outside/phase-answers.ts";
import type { AskVerdict } from "../permission/index.ts";
import { hearMoments, type MomentParts, placeOf } from "./hear-moments.ts";
import { readPermissionAnswer } from "./moment-answers.ts";

/** The first refusal counts, then the first yes. */
export async function askOutside(
  parts: MomentParts,
  call: Call,
  { reason, grants }: AskVerdict,
): Promise<MomentPermission | undefined> {
  const { signal } = call.origin;
  const { json, tool, block } = call;
  const question = () => ({
    ...placeOf(parts),
    callId: block.callId,
    tool: tool.name,
    input: isJsonObject(json) ? plainCopy(json) : {},
    reason,
    grants: plainCopy(grants),
  });
  const told = (by: string, text: string) => errorText(`${by}: ${text}`, parts.engine.redact);
  let allowed: MomentPermission | undefined;
  const answers = hearMoments(parts, signal, {
    ask: (moment) => moment.permissionAsked && (() => moment.permissionAsked?.(question(), signal)),
    read: readPermissionAnswer,
  });
  for await (const heard of answers) {
    if ("refusal" in heard) return { decision: "refuse", text: told(heard.by, heard.refusal) };
    const { decision, text } = heard.answer;
    const answer = { decision, text: told(heard.by, text) };
    if (decision === "refuse") return answer;
    allowed ??= answer;
  }
  return allowed;
}
