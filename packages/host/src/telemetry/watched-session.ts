/** What of one session was begun and has not ended, as far as telemetry has told of it. */

/** Changed by whoever notes a fact, and by nobody else. */
export type WatchedSession = {
  /** It begins with what another session did, which was told there. */
  isCopy: boolean;
  model: string;
  readonly runs: Set<string>;
  turn: { readonly startedAt: number; readonly model: string } | undefined;
  readonly steps: Map<string, { readonly runKey: string; readonly model: string; isOpen: boolean }>;
  readonly calls: Map<string, { readonly tool: string; readonly startedAt: number; isShown: boolean }>;
};

const unknownModel = "unknown/unknown";

export function emptyWatchedSession(): WatchedSession {
  const [runs, steps, calls] = [new Set<string>(), new Map(), new Map()];
  return { isCopy: false, model: unknownModel, runs, turn: undefined, steps, calls };
}
