/** Routes that answer what a session asks a person: the first answer counts, and every later one is told so. */
import { type CommandAnswer, type PermissionReply, routeOf } from "@kedge/protocol";
import { commandRows, schema } from "@kedge/protocol/rows";
import { answerJson } from "../http/answer-json.ts";
import { ProblemError, problemOfFailure } from "../http/failure-status.ts";
import type { ServerContext } from "../http/server-environment.ts";
import type { ServerRoutes } from "../http/server-routes.ts";
import type { AskedRequest } from "../places/asked-requests.ts";

export function addAnswerRoutes(routes: ServerRoutes): void {
  addPermissionRoute(routes);
  addQuestionRoute(routes);
}

function addPermissionRoute(routes: ServerRoutes): void {
  const type = "permission.answer";
  const { fields, answer, scope, ...row } = commandRows[type];
  routes.add(
    {
      route: routeOf(row),
      operationId: type,
      summary: `Run the command ${type}.`,
      fields: {
        ...fields,
        // Whoever answers need not know which session asked.
        sessionId: schema.optional(fields.sessionId),
        // `always` is another word for `session`.
        reply: schema.either(fields.reply, schema.words("always")),
      },
      answer,
      command: { type, scope },
    },
    (context, { reply: word, message, updatedInput, ...asked }) => {
      const reply: PermissionReply = word === "always" ? "session" : word;
      return answering(context, { kind: "permission", ...asked }, async (sessionId) =>
        context.get("door").send({
          ...{ type, sessionId, requestId: asked.requestId, reply },
          ...(message !== undefined && { message }),
          ...(updatedInput !== undefined && { updatedInput }),
        }),
      );
    },
  );
}

function addQuestionRoute(routes: ServerRoutes): void {
  const type = "question.answer";
  const { fields, answer, scope, ...row } = commandRows[type];
  routes.add(
    {
      route: routeOf(row),
      operationId: type,
      summary: `Run the command ${type}.`,
      fields: { ...fields, sessionId: schema.optional(fields.sessionId) },
      answer,
      command: { type, scope },
    },
    (context, { answers, ...asked }) =>
      answering(context, { kind: "question", ...asked }, async (sessionId) =>
        context.get("door").send({ type, sessionId, requestId: asked.requestId, answers }),
      ),
  );
}

type Asked = {
  readonly kind: AskedRequest["kind"];
  readonly requestId: string;
  readonly sessionId?: string | undefined;
};

type Answered = CommandAnswer<"permission.answer"> | CommandAnswer<"question.answer">;

async function answering(
  context: ServerContext,
  asked: Asked,
  send: (sessionId: string) => Promise<Answered>,
): Promise<Response> {
  const { requests } = context.get("instance");
  const { kind, requestId } = asked;
  const known = requests.find(kind, requestId)?.sessionId ?? (await pendingIn(context, asked));
  const sessionId = asked.sessionId ?? known;
  if (sessionId === undefined) throw unknownRequest(asked);
  const answer = await send(sessionId);
  if (answer.ok) return answerJson(answer.value);
  // One that was asked and does not wait was answered, perhaps while this answer was on its way.
  const isLate = answer.failure.code === "not_found" && known === sessionId;
  if (!isLate) throw new ProblemError(problemOfFailure(answer.failure));
  const answeredBy = requests.find(kind, requestId)?.answeredBy ?? "someone else";
  throw new ProblemError({
    status: 409,
    code: "already_answered",
    message: `The ${kind} request ${requestId} was already answered by ${answeredBy}.`,
  });
}

/** Also what was asked before the server came to this place of work. */
async function pendingIn(context: ServerContext, { kind, requestId }: Asked): Promise<string | undefined> {
  const { door } = context.get("instance");
  const listed = await door.ask(kind === "permission" ? { type: "permission.list" } : { type: "question.list" });
  if (!listed.ok) return undefined;
  const requests: readonly { readonly requestId: string; readonly sessionId: string }[] = listed.value.requests;
  return requests.find((request) => request.requestId === requestId)?.sessionId;
}

function unknownRequest({ kind, requestId }: Asked): ProblemError {
  const message = `${kind} request ${requestId} not found.`;
  return new ProblemError({
    status: 404,
    code: "not_found",
    message,
    recovery: `List open requests with GET /${kind}.`,
  });
}
