/** Keeps what is asked for beside the conversation up to date: the repository, the window, tasks and servers. */
import type { Client, ViewEvent } from "@kedge/protocol";
import type { ClientState, Repository, ServerStatus } from "../../state/client-state.ts";
import type { StateStore } from "../../state/state-store.ts";
import { askOneAtATime, leaveForLater } from "./ask-one-at-a-time.ts";

export interface PlaceWatch {
  refresh(): void;
  onEvent(event: ViewEvent): void;
}

export function createPlaceWatch(client: Client, store: StateStore<ClientState>): PlaceWatch {
  async function ask(): Promise<void> {
    const sessionId = store.get().session?.id;
    const [vcs, context, tasks] = await Promise.all([
      client.ask<"vcs.read">({ type: "vcs.read" }),
      sessionId === undefined ? undefined : client.send<"context.inspect">({ type: "context.inspect", sessionId }),
      sessionId === undefined ? undefined : client.ask<"task.list">({ type: "task.list", sessionId }),
    ]);
    store.update((state) => {
      if (state.session?.id !== sessionId) return state;
      return {
        ...state,
        ...(vcs.ok && { repository: repositoryOf(vcs.value) }),
        ...(context?.ok && { context: context.value }),
        ...(tasks?.ok && { tasks: tasks.value.tasks }),
      };
    });
  }

  const refresh = askOneAtATime(ask);

  async function askServers(): Promise<void> {
    const listed = await client.ask<"mcp.list">({ type: "mcp.list" });
    if (!listed.ok) return;
    for (const { name, state } of listed.value.servers)
      heard({ kind: "mcp", name: String(name ?? ""), state: String(state ?? "") });
    store.update((state) => ({ ...state, servers: state.servers ?? [] }));
  }

  function heard(server: ServerStatus): void {
    store.update((state) => {
      const { servers = [] } = state;
      const others = servers.filter(({ kind, name }) => kind !== server.kind || name !== server.name);
      return { ...state, servers: [...others, server] };
    });
  }

  store.subscribe(
    (state) => state.session?.id,
    () => void askServers().catch(leaveForLater),
  );
  // An undo and its redo change files without a run.
  store.subscribe((state) => state.session?.revert?.messageId, refresh);
  store.subscribe((state) => state.session?.id, refresh);

  return {
    refresh,
    onEvent(event) {
      if (event.type === "mcp.status") heard({ kind: "mcp", name: event.server, state: event.state });
      if (event.type === "lsp.updated") heard({ kind: "lsp", name: event.server, state: event.state });
      if (event.type === "mcp.tools.changed")
        store.update((state) => ({ ...state, servers: [...(state.servers ?? [])] }));
      const isNews =
        event.type === "session.idle" ||
        event.type === "session.error" ||
        event.type === "task.started" ||
        event.type === "task.ended" ||
        event.type === "session.compacted" ||
        (event.type === "message.part.updated" && event.part.type === "step-finish");
      if (isNews) refresh();
    },
  };
}

type Vcs = {
  readonly branch?: string;
  readonly files: readonly { readonly index: string; readonly worktree: string }[];
};

function repositoryOf({ branch, files }: Vcs): Repository {
  const untracked = files.filter(({ worktree }) => worktree === "?").length;
  const isNothing = (mark: string) => mark === " " || mark === "." || mark === "" || mark === "?";
  return {
    ...(branch !== undefined && { branch }),
    staged: files.filter(({ index }) => !isNothing(index)).length,
    changed: files.filter(({ worktree }) => !isNothing(worktree)).length,
    untracked,
  };
}
