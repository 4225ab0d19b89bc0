/** What a model is told of agents besides the conversation: ends that no call waited for, mail, and the time to finish. */
import {
  type AgentRecord,
  agentEndsSource,
  type ContextBlock,
  type ContextSource,
  mailSource,
  type SessionState,
  untoldAgents,
  versionOfEnd,
} from "@kedge/protocol";
import { describeEnd } from "./end-texts.ts";

const none: readonly ContextBlock[] = [];

/** For every session that may have agents. Costs nothing where there are none. */
export function createNewsSources(): readonly ContextSource[] {
  return [
    {
      name: agentEndsSource,
      kind: "data",
      place: "turn",
      read: ({ state }) => (state.agents.size === 0 ? none : fitting(untoldAgents(state).map(endBlock))),
    },
    {
      name: mailSource,
      kind: "data",
      place: "turn",
      read: ({ state }) => (state.mail.size === 0 ? none : fitting(mailBlocks(state))),
    },
  ];
}

/** For agents alone. */
export function createAgentSources(options: { readonly softRequestBudget: number }): readonly ContextSource[] {
  const { softRequestBudget } = options;
  return [
    ...createNewsSources(),
    {
      name: "agent budget",
      kind: "reminder",
      place: "turn",
      read: ({ state }) =>
        softRequestBudget > 0 && state.turns >= softRequestBudget
          ? [{ text: wrapUp(softRequestBudget), origin: "turns", hash: "told" }]
          : none,
    },
  ];
}

function endBlock(agent: AgentRecord): ContextBlock {
  const { agentId, end, name } = agent;
  return {
    text: describeEnd(agent),
    origin: agentId,
    hash: versionOfEnd(agent),
    marks: { "task-id": agentId, ...(name !== undefined && { name }), status: end?.status ?? "" },
  };
}

function mailBlocks({ mail }: Readonly<SessionState>): readonly ContextBlock[] {
  return [...mail.values()].map(({ messageId, from, fromId, text, receivedAt }) => ({
    text,
    origin: messageId,
    hash: "sent",
    marks: { from, "from-id": fromId, id: messageId, ...(receivedAt !== undefined && { time: timeText(receivedAt) }) },
  }));
}

/** `2026-03-01T12:00:00Z`. */
export function timeText(time: number): string {
  return `${new Date(time).toISOString().slice(0, "2026-03-01T12:00:00".length)}Z`;
}

/** One step tells as much as is surely told whole; the rest waits for the next. */
const charactersMax = 120_000;

function fitting(blocks: readonly ContextBlock[]): readonly ContextBlock[] {
  let left = charactersMax;
  return blocks.filter(({ text }, index) => {
    left -= text.length;
    return index === 0 || left >= 0;
  });
}

function wrapUp(turns: number): string {
  return `You have used ${turns} turns. Finish what you are doing, and give your report.`;
}
