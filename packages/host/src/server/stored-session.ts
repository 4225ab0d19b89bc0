/** Refuses what names a session that is not there. */
import type { Store } from "@kedge/protocol";
import { ProblemError } from "./failure-status.ts";

/** Deleted sessions count as unknown, though their bare chain is still there. */
export async function requireSession(store: Pick<Store, "session">, sessionId: string): Promise<string> {
  if ((await store.session(sessionId)) !== undefined) return sessionId;
  const message = `There is no session ${sessionId}.`;
  throw new ProblemError({ status: 404, code: "not_found", message, recovery: "GET /session lists them." });
}
