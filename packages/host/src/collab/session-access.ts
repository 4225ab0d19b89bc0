/** A session of this engine as a room sees it. */
import { basename } from "node:path";
import { type Event, type FactRecord, notFound } from "@kedge/protocol";
import type { GuestAct } from "@kedge/protocol/room";
import { interruptAgent, killAgent, messageAgent, reviveAgent } from "../desk/agent-desk.ts";
import type { HostDeskParts } from "../desk/host-desk.ts";
import type { ActAnswer, RoomAccess } from "./room-access.ts";

type Parts = Pick<HostDeskParts, "engine" | "store" | "agents" | "project">;

const done = { ok: true, value: {} } as const;

export async function openAccess(sessionId: string, parts: Parts): Promise<RoomAccess> {
  const { engine, store, agents, project } = parts;
  const openState = () => engine.openSessions().find(({ state }) => state.sessionId === sessionId)?.state;

  async function listAgents() {
    if (agents === undefined || agents.isAlone(sessionId)) return [];
    return (await agents.runs()).list(sessionId);
  }

  /** Agents of agents too: each is known from the fact that started it. */
  const tree = new Set([sessionId, ...(await listAgents()).map(({ agentId }) => agentId)]);

  function learn({ fact }: FactRecord): void {
    if (fact.type === "agent.started") tree.add(fact.agentId);
  }

  async function act(frame: GuestAct, from: string): Promise<ActAnswer> {
    if (frame.type === "abort") {
      const stopped = await engine.send<"turn.interrupt">({ type: "turn.interrupt", sessionId });
      return stopped.ok ? done : stopped;
    }
    if (frame.type === "prompt") {
      const { text, delivery = "steer" } = frame;
      const prompt = { type: "prompt.submit", sessionId, text, from, delivery, options: {} } as const;
      return engine.send<"prompt.submit">(prompt);
    }
    const { agent: agentId, text = "" } = frame;
    if (agentId === sessionId || !tree.has(agentId)) return notFound("agent", agentId);
    const answer = await actOnAgent(frame.command, agentId, text);
    return answer.ok ? done : answer;
  }

  function actOnAgent(command: Extract<GuestAct, { type: "agent-cmd" }>["command"], agentId: string, text: string) {
    switch (command) {
      case "message":
        return messageAgent(parts, { type: "agent.message", agentId, text });
      case "interrupt":
        return interruptAgent(parts, { type: "agent.interrupt", agentId });
      case "kill":
        return killAgent(parts, { type: "agent.kill", agentId });
      case "revive":
        return reviveAgent(parts, { type: "agent.revive", agentId, ...(text !== "" && { text }) });
    }
  }

  return {
    sessionId,
    async describe() {
      const summary = await store.session(sessionId);
      const model = openState()?.model;
      return {
        sessionId,
        title: summary?.title ?? "",
        project: basename(project.root),
        ...(model !== undefined && { model }),
        lastSeq: summary?.lastSeq ?? 0,
      };
    },
    facts: (id, after) => store.read(id, after),
    follow(listener) {
      return engine.subscribeAll((id: string, event: Event) => {
        if (!tree.has(id)) return;
        if (event.kind === "fact") learn(event.record);
        listener(id, event);
      });
    },
    isAgent: (id) => id !== sessionId && tree.has(id),
    agents: listAgents,
    act,
    isOpen: () => openState() !== undefined,
    isRunning: () => openState()?.runId !== undefined,
    lastSeq: () => openState()?.lastSeq ?? 0,
  };
}
