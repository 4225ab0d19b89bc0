/** Passes words to an agent: those of a person or of its leader as a prompt, those of other agents as data. */
import { type AgentSender, type Answer, type FactOf, refused } from "@kedge/protocol";
import { inboxMax } from "../settings.ts";
import { timeText } from "./agent-sources.ts";
import { continueAgent, findRecord } from "./continue-agent.ts";
import type { StartParts } from "./start-agent.ts";

type Sent = Answer<{ readonly messageId: string }>;

export function messageAgent(parts: StartParts, agentId: string, text: string, from: AgentSender): Promise<Sent> {
  const { sessions, rounds } = parts;
  const messageId = `msg_${sessions.newId().slice(4)}`;
  return rounds.alone(agentId, async () => {
    const problem =
      from.kind === "peer"
        ? await mail(parts, agentId, {
            type: "mail.received",
            messageId,
            fromId: from.sessionId,
            from: from.name,
            text,
          })
        : await prompt(
            parts,
            agentId,
            from.kind === "leader" ? withSender(text, from.name, { messageId, now: sessions.now() }) : text,
          );
    return problem.ok ? { ok: true, value: { messageId } } : problem;
  });
}

function withSender(
  text: string,
  name: string,
  { messageId, now }: { readonly messageId: string; readonly now: number },
): string {
  return `Message ${messageId} from ${name}, your leader, at ${timeText(now)}:\n\n${text}`;
}

async function prompt(parts: StartParts, agentId: string, text: string): Promise<Answer<object>> {
  const { sessions, rounds } = parts;
  const isOpen = rounds.running(agentId) !== undefined && sessions.find(agentId) !== undefined;
  if (isOpen) return sessions.submit(agentId, text, {});
  return continueAgent(parts, agentId, (options) => sessions.submit(agentId, text, options));
}

/** Stored in the record of the receiver before the sender hears of it; the receiver reads it with its next step. */
async function mail(parts: StartParts, agentId: string, fact: FactOf<"mail.received">): Promise<Answer<object>> {
  const { sessions, rounds } = parts;
  const open = rounds.running(agentId) === undefined ? undefined : sessions.find(agentId);
  if (open !== undefined) {
    if (open.state.mail.size >= inboxMax)
      return refused(`The inbox of ${agentId} is full (${inboxMax} messages).`, "Try again later.");
    if (!(await open.record(fact))) return refused(`Agent ${agentId} was just closed.`, "Send it again.");
    // One that stays may be at rest.
    open.wake();
    return { ok: true, value: {} };
  }
  const status = (await findRecord(parts, agentId))?.record.end?.status;
  if (status !== undefined && status !== "completed" && status !== "max_turns")
    return refused(`Agent ${agentId} ended as ${status}; only the session it works for can continue it.`);
  return continueAgent(parts, agentId, async (options) => {
    const resumed = sessions.find(agentId);
    if (resumed === undefined || !(await resumed.record(fact))) return refused("It could not be opened.");
    resumed.wake(options);
    return { ok: true, value: {} };
  });
}

/** Messages that came too late for an agent whose turns were used up: it reads them in another round. To be called alone. */
export async function readLateMail(parts: StartParts, agentId: string): Promise<void> {
  const { sessions, rounds } = parts;
  if (rounds.running(agentId) !== undefined) return;
  await continueAgent(parts, agentId, async (options) => {
    sessions.find(agentId)?.wake(options);
    return { ok: true, value: {} };
  });
}
