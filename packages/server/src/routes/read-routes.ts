/** Routes that read stored sessions: lists, pages of messages and facts, searches and proofs. */
import { z } from "@hono/zod-openapi";
import { type FactRecord, keepChildren, readRoutes, type SessionFilter, type SessionSummary } from "@kedge/protocol";
import { answerJson, answerText, valueIn } from "../http/answer-json.ts";
import { checked, inputOfRoute, readQuery } from "../http/route-input.ts";
import type { ServerApp, ServerContext } from "../http/server-environment.ts";
import { readableSession, seesAllProjects } from "../places/stored-session.ts";
import { factRecord, messagePage, searchHit, sessionSummary, verifyReport } from "../schemas/stored.ts";
import { count, entryId, sessionId, time, todo } from "../schemas/words.ts";
import { describeRoute } from "./describe-route.ts";

const limitOf = (usual: number, max: number) => z.number().int().min(1).max(max).default(usual);
const inPath = z.strictObject({ sessionId });

const sessionsQuery = z.strictObject({
  directory: z.string().optional(),
  /** That of the place of work, unless `all` is said. Another one counts only for those who may approve. */
  projectId: z.string().optional(),
  all: z.boolean().optional(),
  parentId: sessionId.optional(),
  text: z.string().optional(),
  isArchived: z.boolean().optional(),
  updatedAfter: time.optional(),
  updatedBefore: time.optional(),
  /** `next` of the page before. */
  after: z
    .string()
    .regex(/^\d{1,15}-ses_[A-Za-z0-9_-]{1,64}$/)
    .optional(),
  limit: limitOf(50, 500),
});

const childrenQuery = sessionsQuery.pick({ after: true, limit: true });

const messagesQuery = z.strictObject({ before: entryId.optional(), limit: limitOf(50, 500) });

const factsQuery = z.strictObject({ after: count.default(0), limit: limitOf(500, 5000) });

const searchQuery = z.strictObject({
  text: z.string().min(1).max(1000),
  projectId: z.string().optional(),
  sessionId: sessionId.optional(),
  role: z.enum(["user", "assistant"]).optional(),
  tool: z.string().optional(),
  file: z.string().optional(),
  after: time.optional(),
  before: time.optional(),
  limit: limitOf(50, 500),
});

/** A page of facts ends after the one that exceeds this. */
const pageCharactersMax = 4 * 1024 * 1024;

const sessionsAnswer = z.object({ sessions: z.array(sessionSummary), next: z.string().optional() });

export function addReadRoutes(app: ServerApp): void {
  addLists(app);
  const { messages, todos, facts, verify } = readRoutes;
  const input = inputOfRoute(messages, inPath);

  describeRoute(app, messages, {
    operationId: "session.messages",
    summary: "The last messages of a session, or those before one of them.",
    ...{ input, query: messagesQuery, answer: messagePage },
  });
  app.get(messages.path, async (context) => {
    const page = plain(readQuery(context, messagesQuery));
    return answerJson(await context.get("instance").store.messages(await storedSession(context), page));
  });

  describeRoute(app, todos, {
    operationId: "session.todos",
    summary: "What the session means to do.",
    ...{ input, answer: z.object({ todos: z.array(todo) }) },
  });
  app.get(todos.path, async (context) => {
    const id = sessionOf(context);
    const { session } = valueIn(await context.get("door").ask({ type: "session.read", sessionId: id }));
    return answerJson({ todos: session.todos });
  });

  describeRoute(app, facts, {
    operationId: "session.facts",
    summary: "The facts of a session after a number.",
    ...{ input, query: factsQuery, answer: z.object({ facts: z.array(factRecord), next: z.number().optional() }) },
  });
  app.get(facts.path, async (context) => {
    const { after, limit } = readQuery(context, factsQuery);
    const read = context.get("instance").store.read(await storedSession(context), after);
    return answerText(await factPage(read, limit), { "content-type": "application/json" });
  });

  describeRoute(app, verify, {
    operationId: "session.verify",
    summary: "Whether the record of the session is whole.",
    ...{ input, answer: verifyReport },
  });
  app.get(verify.path, async (context) =>
    answerJson(await context.get("instance").store.verify(await storedSession(context))),
  );
}

function addLists(app: ServerApp): void {
  const { sessions, children, search } = readRoutes;
  describeRoute(app, sessions, {
    operationId: "session.list",
    summary: "Stored sessions of the project, or with `all` of every project for who may approve, the newest first.",
    ...{ query: sessionsQuery, answer: sessionsAnswer },
  });
  app.get(sessions.path, async (context) => {
    const { after, all, ...filter } = readQuery(context, sessionsQuery);
    const { store, projectId } = context.get("instance");
    const usual = all !== true && { projectId };
    const listed = { ...usual, ...plain(filter), ...borderOf(context), ...afterOf(after) };
    return answerJson(sessionPage(await store.sessions(listed), filter.limit));
  });

  describeRoute(app, children, {
    operationId: "session.children",
    summary: "Sessions that work for this one, the newest first.",
    ...{ input: inputOfRoute(children, inPath), query: childrenQuery, answer: sessionsAnswer },
  });
  app.get(children.path, async (context) => {
    const { after, limit } = readQuery(context, childrenQuery);
    const filter = { parentId: await storedSession(context), limit, ...borderOf(context), ...afterOf(after) };
    const { store } = context.get("instance");
    const page = sessionPage(await store.sessions(filter), limit);
    return answerJson({ ...page, sessions: await keepChildren(page.sessions, store) });
  });

  describeRoute(app, search, {
    operationId: "message.search",
    summary: "Messages that contain all the words.",
    ...{ query: searchQuery, answer: z.object({ hits: z.array(searchHit) }) },
  });
  app.get(search.path, async (context) => {
    const wanted = { ...plain(readQuery(context, searchQuery)), ...borderOf(context) };
    return answerJson({ hits: await context.get("instance").store.search(wanted) });
  });
}

/** Stands over whatever project the request names. */
function borderOf(context: ServerContext): { readonly projectId?: string } {
  return seesAllProjects(context.env.caller) ? {} : { projectId: context.get("instance").projectId };
}

/** What zod may give as undefined is left out, as the store has it. */
function plain<Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  // Only members without a value are taken away.
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
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

function sessionOf(context: ServerContext): string {
  return checked(inPath, context.req.param(), "path").sessionId;
}

function storedSession(context: ServerContext): Promise<string> {
  const { caller } = context.env;
  return readableSession({ instance: context.get("instance"), caller }, sessionOf(context));
}
