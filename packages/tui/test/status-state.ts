/** A state as the status line and the sidebar see it, for tests. */
import { noUsage, type SessionView } from "@kedge/protocol";
import type { ClientState } from "../src/state/client-state.ts";

export const session: SessionView = {
  ...{ id: "ses_1", projectId: "prj_1", directory: "/home/me/work/app", title: "Mend the build" },
  ...{ model: "anthropic/opus", mode: "plan", isRunning: false, isArchived: false, todos: [], labels: [] },
  ...{ usage: noUsage, cost: { usd: 0.0421, estimated: false }, createdAt: 1, updatedAt: 1 },
};

export function stateWith(more: Partial<ClientState> = {}): ClientState {
  return {
    connection: "ready",
    directory: "/home/me/work/app",
    session,
    messages: [],
    hasOlder: false,
    tails: new Map(),
    notices: [],
    requests: [],
    tasks: [],
    activity: { kind: "idle", since: 0, lastSignAt: 0, outputTokens: 0 },
    context: { tokens: 50_000, windowTokens: 200_000, compactAt: 160_000 },
    repository: { branch: "main", staged: 1, changed: 2, untracked: 3 },
    isFocused: true,
    ...more,
  };
}
