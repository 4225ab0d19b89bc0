/** What stored sessions are doing now, as far as their leases and facts tell, and which of them are children. */
import { emptySession, originOf, type SessionStatus, type SessionSummary, type Store } from "@kedge/protocol";

/** By session; those that are not named are idle. */
export type SessionStatuses = ReadonlyMap<string, SessionStatus["state"]>;

/**
 * A session is at work only while a living process holds it: what a crash left open is over. Attempts that a vendor is
 * asked for again within one step are not stored, so `retry` is a run whose last answer failed and that goes on.
 */
export async function readStatuses(store: Pick<Store, "heldSessions" | "fold" | "read">): Promise<SessionStatuses> {
  const statuses = new Map<string, SessionStatus["state"]>();
  for (const sessionId of await store.heldSessions()) statuses.set(sessionId, await statusOf(sessionId, store));
  return statuses;
}

async function statusOf(sessionId: string, store: Pick<Store, "fold" | "read">): Promise<SessionStatus["state"]> {
  const state = emptySession(sessionId);
  await store.fold(state);
  if (state.runId === undefined) return "idle";
  if (state.permissionRequests.size > 0 || state.questions.size > 0) return "waiting";
  for await (const { fact } of store.read(sessionId, state.lastSeq - 1)) {
    if (fact.type === "step.ended" && fact.outcome === "failed") return "retry";
  }
  return "busy";
}

/** A fork and a handoff go on with what the user says; every other session that came from one works for that one. */
const ownConversations: readonly string[] = ["fork", "handoff", "import"];

export async function isChild(session: SessionSummary, store: Pick<Store, "read">): Promise<boolean> {
  const origin = await originOf(session, store);
  return origin !== undefined && !ownConversations.includes(origin.kind);
}
