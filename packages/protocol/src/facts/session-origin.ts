/** Where stored sessions came from, and which of them work for another one. */

import type { SessionSummary, Store } from "../contracts/store.ts";
import type { SessionOrigin } from "./fact-words.ts";

/** The first fact of a session says where it came from. */
export async function originOf(
  { sessionId, parentId }: SessionSummary,
  store: Pick<Store, "read">,
): Promise<SessionOrigin | undefined> {
  if (parentId === undefined) return undefined;
  for await (const { fact } of store.read(sessionId, 0)) {
    return fact.type === "session.created" ? fact.origin : undefined;
  }
  return undefined;
}

export async function keepChildren(
  sessions: readonly SessionSummary[],
  store: Pick<Store, "read">,
): Promise<readonly SessionSummary[]> {
  const origins = await Promise.all(sessions.map((session) => originOf(session, store)));
  return sessions.filter((_, index) => origins[index]?.kind === "child");
}
