/** Keeps the agents of the session in the state: asked for when one starts, ends or asks, and by whoever shows them. */
import type { Client, ViewEvent } from "@kedge/protocol";
import type { ClientState } from "../../state/client-state.ts";
import type { StateStore } from "../../state/state-store.ts";
import { askOneAtATime } from "./ask-one-at-a-time.ts";

export interface AgentWatch {
  refresh(): void;
  onEvent(event: ViewEvent): void;
}

export function createAgentWatch(client: Client, store: StateStore<ClientState>): AgentWatch {
  const refresh = askOneAtATime(async () => {
    const sessionId = store.get().session?.id;
    if (sessionId === undefined) return;
    const listed = await client.ask<"agent.list">({ type: "agent.list", sessionId });
    if (!listed.ok) return;
    const { agents } = listed.value;
    store.update((state) => (state.session?.id === sessionId ? { ...state, agents } : state));
  });
  store.subscribe((state) => state.session?.id, refresh);
  const isNews = ({ type }: ViewEvent) =>
    type === "agent.started" || type === "agent.ended" || type === "permission.asked" || type === "permission.replied";

  return {
    refresh,
    onEvent(event) {
      const { agents = [] } = store.get();
      // Questions of a session without agents are its own.
      if (isNews(event) && (agents.length > 0 || event.type.startsWith("agent."))) refresh();
    },
  };
}
