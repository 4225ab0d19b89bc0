/** The `send_message` tool: what agents of one tree say to each other. */
import {
  type AgentSender,
  type Answer,
  isJsonObject,
  type JsonSchema,
  type Parsed,
  parseBySchema,
  type SessionState,
  type Tool,
  type ToolContext,
  type ToolOutput,
  withoutNulls,
} from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { inboxMax } from "../settings.ts";
import type { AgentDesk, AgentToolParts } from "./agent-desk.ts";

type MessageInput = {
  readonly to?: string;
  readonly message?: string;
  readonly wait?: number;
  readonly inbox?: boolean;
  readonly shutdown?: "approve" | "reject";
};

const waitSecondsMax = 120;
const messageCharactersMax = 32_768;

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    to: { type: "string", minLength: 1 },
    message: { type: "string", minLength: 1, maxLength: messageCharactersMax },
    wait: { type: "number", minimum: 0, maximum: waitSecondsMax },
    inbox: { type: "boolean" },
    shutdown: { enum: ["approve", "reject"] },
  },
};

export function createSendMessageTool({ sessionId, desk }: Omit<AgentToolParts, "added">): Tool<MessageInput> {
  return {
    name: "send_message",
    aliases: ["SendMessage"],
    description: textBeside(import.meta.url, "./send-message.md"),
    inputSchema,
    searchHint: "message agent reply inbox mail continue wake finished agent",
    resultCharactersMax: 4_000,
    interruptible: true,
    parse,
    needs({ to = "" }) {
      // Words to all, and to other processes, are for a person to permit.
      const isWide = to === "*" || to.includes(":");
      const permission = isWide ? "broadcast" : "send_message";
      return to === "" ? [] : [{ permission, patterns: [to], always: [to], access: "execute" }];
    },
    readOnly: () => true,
    // What was said cannot be unsaid, so it is not said before the answer that says it is stored.
    concurrencySafe: () => false,
    async run(input, context) {
      const loaded = await desk();
      const own = loaded.sessions.find(sessionId)?.state;
      if (own === undefined) return problem("This session was closed.");
      if (input.shutdown !== undefined) {
        const answer = { isApproved: input.shutdown === "approve", reason: input.message ?? "" };
        return saidOf(await loaded.teams.answerShutdown(sessionId, answer), "shutdown");
      }
      if (input.to !== undefined) {
        const sent = await send(loaded, own, input.to, input.message ?? "");
        if (sent.isError || input.wait === undefined) return sent;
        if (isWaitedFor(loaded, own, input.to)) return { ...sent, output: `${sent.output} ${noAnswer}` };
        return { ...sent, output: `${sent.output} ${await waitForMail(own, input.wait, context)}` };
      }
      if (input.wait !== undefined) return { output: await waitForMail(own, input.wait, context), title: "wait" };
      return { output: inboxText(own), title: "inbox", ...(own.mail.size === 0 && { metadata: { useless: true } }) };
    },
  };
}

const noAnswer =
  "The session you work for waits for your report and cannot answer before that. Decide yourself, or end with a question.";

function parse(input: unknown): Parsed<MessageInput> {
  const given = isJsonObject(input) ? withoutNulls(input) : input;
  const parsed = parseBySchema<MessageInput>(inputSchema, given);
  if (!parsed.ok) return parsed;
  const known = parsed.input;
  if (known.to !== undefined && known.message === undefined) return { ok: false, report: "message is missing." };
  const isEmpty = known.to === undefined && known.wait === undefined && known.shutdown === undefined;
  if (isEmpty && known.inbox !== true) return { ok: false, report: "Give to and message, or wait, or inbox." };
  return parsed;
}

async function send(desk: AgentDesk, own: Readonly<SessionState>, to: string, text: string): Promise<ToolOutput> {
  if (/^(?:uds|bridge):/.test(to)) return problem(`Sessions of other processes cannot be reached yet (${to}).`);
  if (desk.teams.isMember(own.sessionId)) {
    const written = await desk.teams.write(own.sessionId, to, text);
    if (written !== undefined) return saidOf(written, to);
  }
  const { members, leaderId } = await membersOf(desk, own);
  const others = members.filter(({ agentId }) => agentId !== own.sessionId);
  if (to === "leader" || to === "parent" || to === leaderId) return toLeader(desk, own, leaderId, text);
  if (to === "*") {
    const reached = others.filter(({ isReachable }) => isReachable);
    const answers = await Promise.all(reached.map((member) => toAgent(desk, own, member.agentId, text)));
    const failed = answers.filter(({ isError }) => isError).length;
    return { output: `Sent to ${reached.length - failed} of ${reached.length} agents.`, title: "*" };
  }
  const found = others.find(({ agentId, name }) => agentId === to || name === to);
  if (found !== undefined) return toAgent(desk, own, found.agentId, text);
  const names = others.map(({ name, agentId }) => name ?? agentId);
  const known = [...(leaderId === undefined ? [] : ["leader"]), ...names];
  return problem(`There is no agent ${JSON.stringify(to.slice(0, 64))}. Agents: ${known.join(", ") || "none"}.`);
}

type Member = { readonly agentId: string; readonly name?: string; readonly isReachable: boolean };

/** Only agents of the same tree can be addressed, whatever id a text names. */
async function membersOf({ sessions }: AgentDesk, own: Readonly<SessionState>) {
  const { agentsBelow, rootOf } = await import("../runs/agent-names.ts");
  const root = rootOf(own, sessions);
  const members: readonly Member[] = agentsBelow(root, sessions).map(({ agentId, name, end }) => ({
    agentId,
    ...(name !== undefined && { name }),
    isReachable: end === undefined || sessions.find(agentId) !== undefined,
  }));
  const leaderId = own.origin?.kind === "child" ? own.origin.sessionId : undefined;
  return { members, leaderId };
}

async function toAgent(
  { runs, sessions }: AgentDesk,
  own: Readonly<SessionState>,
  agentId: string,
  text: string,
): Promise<ToolOutput> {
  const { rootOf } = await import("../runs/agent-names.ts");
  const target = sessions.find(agentId)?.state ?? (await sessions.stored(agentId));
  const isLeader = target?.origin?.kind === "child" && target.origin.sessionId === own.sessionId;
  const isRoot = rootOf(own, sessions) === own;
  const name = nameOf(own, sessions);
  const from: AgentSender = { kind: isLeader || isRoot ? "leader" : "peer", sessionId: own.sessionId, name };
  const sent = await runs.message(agentId, text, from);
  if (!sent.ok) return problem(sent.failure.message);
  return { output: `Sent to ${agentId}.`, title: agentId, metadata: { messageId: sent.value.messageId } };
}

/** What an agent says upwards is data there. */
async function toLeader(
  { sessions }: AgentDesk,
  own: Readonly<SessionState>,
  leaderId: string | undefined,
  text: string,
): Promise<ToolOutput> {
  const leader = leaderId === undefined ? undefined : sessions.find(leaderId);
  if (leader === undefined) return problem("You do not work for another agent or session that can be reached.");
  if (leader.state.mail.size >= inboxMax) return problem(`The inbox of your leader is full (${inboxMax} messages).`);
  const messageId = `msg_${sessions.newId().slice(4)}`;
  const from = nameOf(own, sessions);
  await leader.record({ type: "mail.received", messageId, fromId: own.sessionId, from, text });
  leader.wake();
  return { output: "Sent to your leader.", title: "leader", metadata: { messageId } };
}

function nameOf(own: Readonly<SessionState>, sessions: AgentDesk["sessions"]): string {
  const parentId = own.origin?.kind === "child" ? own.origin.sessionId : undefined;
  if (parentId === undefined) return "leader";
  const record = sessions.find(parentId)?.state.agents.get(own.sessionId);
  return record?.name ?? `${record?.agent ?? "agent"} ${own.sessionId}`;
}

/** The one it writes to is blocked by the very call that waits for it. */
function isWaitedFor({ sessions }: AgentDesk, own: Readonly<SessionState>, to: string): boolean {
  const parentId = own.origin?.kind === "child" ? own.origin.sessionId : undefined;
  if (parentId === undefined || (to !== "leader" && to !== "parent" && to !== parentId)) return false;
  return sessions.find(parentId)?.state.agents.get(own.sessionId)?.isBackground !== true;
}

async function waitForMail(own: Readonly<SessionState>, seconds: number, { signal }: ToolContext): Promise<string> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]);
  while (own.mail.size === 0 && !deadline.aborted) await pause(deadline);
  return inboxText(own);
}

const lookEveryMs = 50;

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, lookEveryMs);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}

function inboxText({ mail }: Readonly<SessionState>): string {
  if (mail.size === 0) return "No message has arrived.";
  const senders = [...new Set([...mail.values()].map(({ from }) => from))].join(", ");
  return `${mail.size} ${mail.size === 1 ? "message follows" : "messages follow"} with your next turn, from ${senders}.`;
}

function saidOf(answer: Answer<{ readonly text: string }>, title: string): ToolOutput {
  return answer.ok ? { output: answer.value.text, title } : problem(answer.failure.message);
}

function problem(output: string): ToolOutput {
  return { output, isError: true, title: "send_message" };
}
