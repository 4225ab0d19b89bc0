/** Routes that read stored sessions: lists, pages of messages and facts, searches and proofs. */
import { type FactRecord, keepChildren, type SessionFilter, type SessionSummary } from "@kedge/protocol";
import { readRows } from "@kedge/protocol/rows";
import { answerJson, answerText, valueIn } from "../http/answer-json.ts";
import type { ServerContext } from "../http/server-environment.ts";
import type { ServerRoutes } from "../http/server-routes.ts";
import { readableSession, seesAllProjects } from "../places/stored-session.ts";

/** A page of facts ends after the one that exceeds this. */
const pageCharactersMax = 4 * 1024 * 1024;

export function addReadRoutes(routes: ServerRoutes): void {
  addLists(routes);
  const { messages, todos, facts, verify } = readRows;

  routes.addRead(messages, async (context, { sessionId, ...page }) =>
    answerJson(await context.get("instance").store.messages(await readable(context, sessionId), page)),
  );
  routes.addRead(todos, async (context, { sessionId }) => {
    const { session } = valueIn(await context.get("door").ask({ type: "session.read", sessionId }));
    return answerJson({ todos: session.todos });
  });
  routes.addRead(facts, async (context, { sessionId, after, limit }) => {
    const read = context.get("instance").store.read(await readable(context, sessionId), after);
    return answerText(await factPage(read, limit), { "content-type": "application/json" });
  });
  routes.addRead(verify, async (context, { sessionId }) =>
    answerJson(await context.get("instance").store.verify(await readable(context, sessionId))),
  );
}

function addLists(routes: ServerRoutes): void {
  const { sessions, children, search } = readRows;
  routes.addRead(sessions, async (context, { after, all, ...filter }) => {
    const { store, projectId } = context.get("instance");
    const usual = all !== true && { projectId };
    const listed = { ...usual, ...filter, ...borderOf(context), ...afterOf(after) };
    return answerJson(sessionPage(await store.sessions(listed), filter.limit));
  });
  routes.addRead(children, async (context, { sessionId, after, limit }) => {
    const filter = { parentId: await readable(context, sessionId), limit, ...borderOf(context), ...afterOf(after) };
    const { store } = context.get("instance");
    const page = sessionPage(await store.sessions(filter), limit);
    return answerJson({ ...page, sessions: await keepChildren(page.sessions, store) });
  });
  routes.addRead(search, async (context, wanted) =>
    answerJson({ hits: await context.get("instance").store.search({ ...wanted, ...borderOf(context) }) }),
  );
}

/** Stands over whatever project the request names. */
function borderOf(context: ServerContext): { readonly projectId?: string } {
  return seesAllProjects(context.env.caller) ? {} : { projectId: context.get("instance").projectId };
}

function afterOf(text: string | undefined): Pick<SessionFilter, "after"> {
  if (text === undefined) return {};
  const dash = text.indexOf("-");
  return { after: { updatedAt: Number(text.slice(0, dash)), sessionId: text.slice(dash + 1) } };
}

function sessionPage(sessions: readonly SessionSummary[], limit: number) {
  const last = sessions.length < limit ? undefined : sessions.at(-1);
  return last === undefined ? { sessions } : { sessions, next: `${last.updatedAt}-${last.sessionId}` };
}

/** Written piece by piece, because one fact may hold as much as many others. */
async function factPage(read: AsyncIterable<FactRecord>, limit: number): Promise<string> {
  const texts: string[] = [];
  let characters = 0;
  let last = 0;
  for await (const record of read) {
    if (texts.length === limit || characters > pageCharactersMax) {
      return `{"facts":[${texts.join(",")}],"next":${last}}`;
    }
    const text = JSON.stringify(record);
    characters += text.length;
    last = record.seq;
    texts.push(text);
  }
  return `{"facts":[${texts.join(",")}]}`;
}

function readable(context: ServerContext, sessionId: string): Promise<string> {
  const { caller } = context.env;
  return readableSession({ instance: context.get("instance"), caller }, sessionId);
}
