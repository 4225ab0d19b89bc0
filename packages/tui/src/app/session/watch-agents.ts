/** Keeps the agents of the session in the state: asked for when one starts, ends or asks, and changed as they report. */
import type { AgentSummary, Client, ViewEvent } from "@kedge/protocol";
import type { ClientState } from "../../state/client-state.ts";
import type { StateStore } from "../../state/state-store.ts";
import { askOneAtATime } from "./ask-one-at-a-time.ts";

export interface AgentWatch {
  refresh(): void;
  /** Somebody looks at the list. */
  seen(): void;
  onEvent(event: ViewEvent): void;
  /** So much time passed for what runs; for whoever shows how long. */
  passed(ms: number): void;
}

type Progress = Extract<ViewEvent, { readonly type: "agent.progressed" }>;

export function createAgentWatch(client: Client, store: StateStore<ClientState>): AgentWatch {
  const refresh = askOneAtATime(async () => {
    const sessionId = store.get().session?.id;
    if (sessionId === undefined) return;
    const listed = await client.ask<"agent.list">({ type: "agent.list", sessionId });
    if (!listed.ok) return;
    const { agents } = listed.value;
    store.update((state) =>
      state.session?.id === sessionId
        ? { ...state, agents, agentsSeen: state.agentsSeen ?? endedEarly(agents) }
        : state,
    );
  });
  store.subscribe((state) => state.session?.id, refresh);
  const isNews = ({ type }: ViewEvent) =>
    type === "agent.started" || type === "agent.ended" || type === "permission.asked" || type === "permission.replied";

  function progressed({ type: _, id, ...done }: Progress): void {
    const { agents = [] } = store.get();
    const isKnown = agents.some(({ agentId }) => agentId === id);
    // One that another agent started is not known by an event of this session.
    if (!isKnown) refresh();
    else
      store.update((state) => ({
        ...state,
        agents: agents.map((agent) => (agent.agentId === id ? { ...agent, ...done } : agent)),
      }));
  }

  return {
    refresh,
    seen() {
      store.update((state) => ({ ...state, agentsSeen: endedEarly(state.agents ?? []) }));
    },
    onEvent(event) {
      if (event.type === "agent.progressed") progressed(event);
      const { agents = [] } = store.get();
      // Questions of a session without agents are its own.
      if (isNews(event) && (agents.length > 0 || event.type.startsWith("agent."))) refresh();
    },
    passed(ms) {
      store.update((state) => {
        const { agents = [], tasks } = state;
        const isIdle = !agents.some(isRunning) && !tasks.some(({ status }) => status === "running");
        if (isIdle) return state;
        return {
          ...state,
          agents: agents.map((agent) => later(agent, isRunning(agent), ms)),
          tasks: tasks.map((task) => later(task, task.status === "running", ms)),
        };
      });
    },
  };
}

function endedEarly(agents: readonly AgentSummary[]): ReadonlySet<string> {
  return new Set(agents.flatMap(({ agentId, state }) => (state === "aborted" ? [agentId] : [])));
}

function isRunning({ state }: AgentSummary): boolean {
  return state === "running";
}

function later<Timed extends { readonly durationMs?: number }>(timed: Timed, isLive: boolean, ms: number): Timed {
  return isLive && timed.durationMs !== undefined ? { ...timed, durationMs: timed.durationMs + ms } : timed;
}
