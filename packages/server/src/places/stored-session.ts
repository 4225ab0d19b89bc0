/** Refuses what names a session that is not there, or one of another project. */
import { includesScope, type Store } from "@kedge/protocol";
import type { Caller } from "../admission/admissions.ts";
import { ProblemError } from "../http/failure-status.ts";
import type { Instance } from "./instance.ts";

/** Deleted sessions count as unknown, though their bare chain is still there. */
async function requireSession(store: Pick<Store, "session">, sessionId: string): Promise<void> {
  if ((await store.session(sessionId)) !== undefined) return;
  const message = `Session ${sessionId} not found.`;
  throw new ProblemError({ status: 404, code: "not_found", message, recovery: "List sessions with GET /session." });
}

/** Sessions that are unknown pass. */
export async function checkProject(
  { store, projectId }: Pick<Instance, "store" | "projectId">,
  sessionId: string,
): Promise<void> {
  const stored = await store.session(sessionId);
  if (stored === undefined || stored.projectId === projectId) return;
  throw new ProblemError({
    status: 409,
    code: "other_project",
    message: `Session ${sessionId} belongs to ${stored.directory}.`,
    recovery: "Pass that directory with the request.",
  });
}

/** Whoever may approve sees every project that the store holds; others that of their place of work. */
export function seesAllProjects({ scope }: Caller): boolean {
  return includesScope(scope, "approve");
}

/** One that is there, and that the caller may read. */
export async function readableSession(
  { instance, caller }: { readonly instance: Instance; readonly caller: Caller },
  sessionId: string,
): Promise<string> {
  await requireSession(instance.store, sessionId);
  if (!seesAllProjects(caller)) await checkProject(instance, sessionId);
  return sessionId;
}
