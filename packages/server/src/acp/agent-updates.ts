/** What agents do, told at the call that waits for them; of one that works in the background the end is told. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { type FactOf, isUnknownCost, type SignalOf } from "@kedge/protocol";
import { textContent } from "./call-view.ts";

interface AgentUpdates {
  started(fact: FactOf<"agent.started">): readonly SessionUpdate[];
  progressed(signal: SignalOf<"agent.progressed">): readonly SessionUpdate[];
  ended(fact: FactOf<"agent.ended">): readonly SessionUpdate[];
}

export type AgentUpdatesParts = {
  /** Whether the call was announced and has not ended. */
  readonly isOpen: (callId: string) => boolean;
  readonly notice: (severity: "info" | "warning", title: string) => readonly SessionUpdate[];
};

type ShownAgent = {
  readonly callId: string | undefined;
  readonly isQuiet: boolean;
  readonly who: string;
  state: string;
};

type Used = Pick<SignalOf<"agent.progressed">, "turns" | "cost">;

export function createAgentUpdates({ isOpen, notice }: AgentUpdatesParts): AgentUpdates {
  const agents = new Map<string, ShownAgent>();

  /** All agents of the call, since an update takes the place of the one before. */
  function updates({ callId }: ShownAgent): readonly SessionUpdate[] {
    if (callId === undefined || !isOpen(callId)) return [];
    const lines = [...agents.values()].flatMap((each) =>
      each.callId === callId ? [`- ${each.who}: ${each.state}`] : [],
    );
    return [{ sessionUpdate: "tool_call_update", toolCallId: callId, content: [textContent(lines.join("\n"))] }];
  }

  return {
    started({ agentId, agent, description, name, callId, isQuiet = false }) {
      const who = name === undefined ? `${agent} (${description})` : `${agent} ${name} (${description})`;
      const shown = { callId, isQuiet, who, state: "started" };
      agents.set(agentId, shown);
      return updates(shown);
    },
    progressed({ agentId, turns, cost, lastAction }) {
      const shown = agents.get(agentId);
      // What works for an agent is told in the session of that one.
      if (shown === undefined) return [];
      shown.state = [...usedText({ turns, cost }), ...(lastAction === undefined ? [] : [lastAction])].join(", ");
      return updates(shown);
    },
    ended({ agentId, status, turns, cost, why }) {
      const shown = agents.get(agentId);
      if (shown === undefined) return [];
      shown.state = [status, ...usedText({ turns, cost })].join(", ");
      const told = updates(shown);
      agents.delete(agentId);
      if (told.length > 0 || shown.isQuiet) return told;
      const reason = why === undefined ? "" : ` ${why}`;
      return notice(status === "completed" ? "info" : "warning", `Agent ${shown.who}: ${shown.state}.${reason}`);
    },
  };
}

function usedText({ turns, cost }: Used): readonly string[] {
  const spent = isUnknownCost(cost) || cost.usd === 0 ? [] : [`$${cost.usd.toFixed(4)}`];
  return [`${turns} ${turns === 1 ? "turn" : "turns"}`, ...spent];
}
