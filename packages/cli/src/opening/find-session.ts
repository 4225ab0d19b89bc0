/** Finds stored sessions: the newest of a directory, or one by its id or title. */
import type { Client, Failure, SessionSummary } from "@kedge/protocol";
import { sessionTexts } from "../texts/opening.ts";

export type SearchedSession =
  /** The newest session of the directory. */
  { readonly kind: "newest" } | { readonly kind: "named"; readonly name: string };

/** Titles are searched among this many of the newest sessions. */
const searchedSessionsMax = 1_000;

export type FoundSession =
  | { readonly ok: true; readonly session: SessionSummary }
  | { readonly ok: false; readonly failure: Failure };

export async function findSession(client: Client, choice: SearchedSession, directory: string): Promise<FoundSession> {
  if (choice.kind === "newest") {
    // Where nothing was ever said, the one that waits for the first word will do.
    const [newest = (await client.sessions({ directory, limit: 1 }))[0]] = await newestSessions(client, directory, 1);
    return newest === undefined ? noSession(directory) : { ok: true, session: newest };
  }
  // What was put away is still there for whoever names it.
  const archived = await client.sessions({ limit: searchedSessionsMax, isArchived: true });
  const sessions = [...(await client.sessions({ limit: searchedSessionsMax })), ...archived];
  const wanted = choice.name.toLowerCase();
  const exact = sessions.find(({ sessionId, title }) => sessionId === choice.name || title.toLowerCase() === wanted);
  if (exact !== undefined) return { ok: true, session: exact };
  const partial = sessions.filter(
    ({ sessionId, title }) => sessionId.startsWith(choice.name) || title.toLowerCase().includes(wanted),
  );
  const [only] = partial;
  if (only === undefined) return missing(sessionTexts.noMatch(JSON.stringify(choice.name)), listHint);
  if (partial.length > 1) {
    return missing(
      sessionTexts.manyMatch(partial.length, JSON.stringify(choice.name)),
      sessionTexts.passTheId(listHint),
    );
  }
  return { ok: true, session: only };
}

/** A session whose only fact is its beginning: nobody said anything in it, so nobody looks for it. */
export function isEmpty({ lastSeq }: SessionSummary): boolean {
  return lastSeq <= 1;
}

/** Empty ones may stand before the one that is wanted; more than so many in a row are not looked through. */
const emptySessionsMax = 200;

/** Of the directory, without those in which nothing was said, and without agents that work for another one. */
export async function newestSessions(
  client: Client,
  directory: string,
  countMax: number,
): Promise<readonly SessionSummary[]> {
  const sessions = await client.sessions({ directory, limit: countMax + emptySessionsMax });
  const kept: SessionSummary[] = [];
  for (const session of sessions) {
    if (kept.length === countMax) break;
    if (!isEmpty(session) && !(await isAgent(session, client))) kept.push(session);
  }
  return kept;
}

/** The first fact of a session says whether it works for another one. */
async function isAgent({ sessionId, parentId }: SessionSummary, client: Client): Promise<boolean> {
  if (parentId === undefined) return false;
  for await (const { fact } of client.facts(sessionId)) {
    return fact.type === "session.created" && fact.origin?.kind === "child";
  }
  return false;
}

export function noSession(directory: string): FoundSession {
  return missing(sessionTexts.noneYet(directory), sessionTexts.startOne);
}

const listHint = sessionTexts.listHint;

function missing(message: string, recovery: string): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: { code: "not_found", message, recovery, retryable: false } };
}
