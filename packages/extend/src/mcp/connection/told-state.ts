/** The state of a server, written to its log and told to all who want to know what changes about it. */
import type { ListKind } from "./connect-parts.ts";
import type { ServerLog } from "./server-log.ts";
import type { McpServerState } from "./server-state.ts";

export type ServerChange = "state" | ListKind;

export type ToldState = {
  readonly state: () => McpServerState;
  readonly become: (next: McpServerState) => void;
  readonly tell: (what: ServerChange) => void;
  readonly subscribe: (changed: (what: ServerChange) => void) => () => void;
};

export function createToldState(log: ServerLog): ToldState {
  const listeners = new Set<(what: ServerChange) => void>();
  let state: McpServerState = { state: "pending", attempt: 1 };

  function tell(what: ServerChange): void {
    for (const listener of listeners) listener(what);
  }

  return {
    state: () => state,
    become(next) {
      state = next;
      log.note(`State: ${next.state}${"error" in next ? ` (${next.error})` : ""}`);
      tell("state");
    },
    tell,
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}
