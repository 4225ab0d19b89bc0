/** Reads a session from its last page on: what was said, what waits for an answer, and what runs beside it. */
import { type Client, FailureError, type MessagePage, type SessionStatus, type SessionView } from "@kedge/protocol";
import type { ClientState, OpenRequest } from "./client-state.ts";

export const messagesPerPage = 100;

/** How far back the place is looked for at which the conversation goes on. */
const pagesMax = 50;

type WithoutTime<Request> = Request extends unknown ? Omit<Request, "since"> : never;

export type ReadSession = MessagePage & {
  readonly session: SessionView;
  readonly status: SessionStatus;
  readonly requests: readonly WithoutTime<OpenRequest>[];
  readonly tasks: ClientState["tasks"];
};

/** Undefined when it is not wanted any more. Throws when any of it could not be read. */
export async function readSession(
  client: Client,
  sessionId: string,
  signal: AbortSignal,
): Promise<ReadSession | undefined> {
  const wish = { signal };
  const readBefore = (page: { readonly before?: string }) =>
    client.messages(sessionId, { ...page, limit: messagesPerPage }, wish);
  const [read, page, permissions, questions, tasks] = await Promise.all([
    client.ask<"session.read">({ type: "session.read", sessionId }, wish),
    readBefore({}),
    client.ask<"permission.list">({ type: "permission.list" }, wish),
    client.ask<"question.list">({ type: "question.list" }, wish),
    client.ask<"task.list">({ type: "task.list", sessionId }, wish),
  ]);
  if (signal.aborted) return undefined;
  if (!read.ok) throw new FailureError(read.failure);
  for (const beside of [permissions, questions, tasks]) {
    // A question that waits must not be missed because a request was cut off. Some clients have none of these lists.
    if (!beside.ok && beside.failure.retryable) throw new FailureError(beside.failure);
  }
  const { session, status } = read.value;
  const pages = await pagesTo(session.leafId, page, (before) => readBefore({ before }));
  if (signal.aborted) return undefined;
  const requests = [
    ...(permissions.ok ? permissions.value.requests : [])
      .filter((request) => request.sessionId === sessionId)
      .map(({ sessionId: _, ...request }) => ({ kind: "permission" as const, request })),
    ...(questions.ok ? questions.value.requests : [])
      .filter((request) => request.sessionId === sessionId)
      .map((request) => ({ kind: "question" as const, requestId: request.requestId, questions: request.questions })),
  ];
  return { ...pages, session, status, requests, tasks: tasks.ok ? tasks.value.tasks : [] };
}

/** A conversation that was led back to an old place goes on far from the newest messages. */
async function pagesTo(
  leafId: string | undefined,
  newest: MessagePage,
  readBefore: (before: string) => Promise<MessagePage>,
): Promise<MessagePage> {
  let pages = newest;
  for (let count = 1; count < pagesMax; count += 1) {
    const { before, messages } = pages;
    if (before === undefined || leafId === undefined || messages.some(({ id }) => id === leafId)) break;
    const { messages: older, ...rest } = await readBefore(before);
    pages = { messages: [...older, ...messages], ...rest };
  }
  return pages;
}
