/** Answers about single sessions: their view, what they changed, and the whole of one as a file. */
import { join } from "node:path";
import { type FileDiff, type MessagePage, notFound, type QueryAnswer, type QueryOf } from "@kedge/protocol";
import type { HostDeskParts } from "./host-desk.ts";
import type { OpenStatuses } from "./open-statuses.ts";
import { newShownFiles } from "./shown-files.ts";
import { splitDiff } from "./split-diff.ts";

/** Most messages that are asked for are among the last. */
const messagesPerPage = 100;

export type SessionQueryParts = Pick<
  HostDeskParts,
  "store" | "snapshots" | "sessionFiles" | "project" | "reading" | "engine"
> & {
  readonly statuses: OpenStatuses;
};

export async function readSession(
  { store, statuses }: SessionQueryParts,
  { sessionId }: QueryOf<"session.read">,
): Promise<QueryAnswer<"session.read">> {
  const session = await store.sessionView(sessionId);
  const summary = await store.session(sessionId);
  if (session === undefined || summary === undefined) return notFound("session", sessionId);
  return { ok: true, value: { session, status: statuses.of(sessionId), lastSeq: summary.lastSeq } };
}

export async function readMessage(
  { store }: SessionQueryParts,
  { sessionId, messageId }: QueryOf<"message.read">,
): Promise<QueryAnswer<"message.read">> {
  if ((await store.session(sessionId)) === undefined) return notFound("session", sessionId);
  let page: MessagePage | undefined;
  do {
    page = await store.messages(sessionId, { limit: messagesPerPage, ...(page?.before && { before: page.before }) });
    const message = page.messages.find(({ id }) => id === messageId);
    if (message !== undefined) return { ok: true, value: { message } };
  } while (page.before !== undefined);
  return notFound("message", messageId);
}

/** From the tree before the first change to the one after the last. */
export async function diffSession(
  { store, snapshots, project, reading }: SessionQueryParts,
  { sessionId }: QueryOf<"session.diff">,
): Promise<QueryAnswer<"session.diff">> {
  if ((await store.session(sessionId)) === undefined) return notFound("session", sessionId);
  let before: string | undefined;
  let after: string | undefined;
  const touched = new Set<string>();
  for await (const { fact } of store.read(sessionId, 0)) {
    if (fact.type !== "files.changed") continue;
    before ??= fact.before;
    after = fact.after;
    for (const { path } of fact.files) touched.add(path);
  }
  if (before === undefined || after === undefined) return { ok: true, value: { files: [] } };
  const [changes, text] = await Promise.all([snapshots.changes(before, after), snapshots.diff(before, after)]);
  const patches = splitDiff(text);
  // Others may have changed files between two steps; those are not the session's.
  const own = changes.filter(({ path }) => touched.has(path));
  const mayShow = newShownFiles(reading, project.root);
  const files = own.map((change): FileDiff => {
    const patch = mayShow(join(project.root, change.path)) ? patches.get(change.path) : undefined;
    return { ...change, ...(patch ?? noPatch) };
  });
  return { ok: true, value: { files } };
}

const noPatch = { additions: 0, deletions: 0, patch: "" };

export async function exportSession(
  { store, sessionFiles, engine }: SessionQueryParts,
  query: QueryOf<"session.export">,
): Promise<QueryAnswer<"session.export">> {
  const summary = await store.session(query.sessionId);
  if (summary === undefined) return notFound("session", query.sessionId);
  const { format, withoutToolOutput = false, withoutReasoning = false } = query;
  // For people to read; one that works is exported as it is.
  const open = engine.openSessions().find(({ state }) => state.sessionId === query.sessionId)?.state;
  if ((format === "md" || format === "html") && open !== undefined && open.runId === undefined)
    await engine.send<"session.summarise">({ type: "session.summarise", sessionId: query.sessionId });
  const exported = await sessionFiles.export(summary, { format, isPlain: false, withoutToolOutput, withoutReasoning });
  if (!exported.ok) return exported;
  const pieces: string[] = [];
  for await (const piece of exported.pieces) pieces.push(piece);
  return { ok: true, value: { text: pieces.join("") } };
}
