/** Which deltas a client gets: only those that go on exactly where what it has ends. */
import type { LogEntry } from "./event-log.ts";

export interface DeltaFilter {
  /** False when the client would misread it, or has too much to read already. */
  lets(entry: LogEntry, options: { readonly isBehind: boolean }): boolean;
}

/** More parts than stream at once. */
const knownMax = 1_000;

/** Whatever streamed before one of these is in it, or no longer counts. */
const settlingFacts: ReadonlySet<string> = new Set(["step.started", "step.progressed", "step.ended"]);

/** Each says something by itself. */
const reports: ReadonlySet<string> = new Set(["tool.progress", "task.progress"]);

/**
 * `knowsAll`: the client has everything that was said before. Otherwise a part is known once it was sent whole. What a
 * delta was left out of stays without until it is sent whole again.
 */
export function createDeltaFilter({ knowsAll }: { readonly knowsAll: boolean }): DeltaFilter {
  const known = new Set<string>();
  const broken = new Set<string>();

  function settle(entry: LogEntry): void {
    const key = settledBy(entry);
    if (key === undefined) return;
    broken.delete(key);
    if (knowsAll) return;
    known.add(key);
    const [oldest] = known;
    if (known.size > knownMax && oldest !== undefined) known.delete(oldest);
  }

  return {
    lets(entry, { isBehind }) {
      if (!entry.isDelta) {
        settle(entry);
        return true;
      }
      if (reports.has(entry.frame.type)) return !isBehind;
      const { partId } = entry.frame.properties;
      const key = typeof partId === "string" ? partId : entry.sessionId;
      if (isBehind) broken.add(key);
      return !broken.has(key) && (knowsAll || known.has(key));
    },
  };
}

function settledBy({ frame, isFact, sessionId }: LogEntry): string | undefined {
  if (isFact) return settlingFacts.has(frame.type) ? sessionId : undefined;
  const { part } = frame.properties;
  return typeof part === "object" && part !== null && "id" in part ? String(part["id"]) : undefined;
}
