/** Routes that answer what a session asks a person: the first answer counts, and every later one is told so. */
import { z } from "@hono/zod-openapi";
import { type CommandAnswer, commandRoutes, type PermissionReply } from "@kedge/protocol";
import { answerJson } from "../http/answer-json.ts";
import { ProblemError, problemOfFailure } from "../http/failure-status.ts";
import { checked, inputOfRoute } from "../http/route-input.ts";
import type { ServerApp, ServerContext } from "../http/server-environment.ts";
import type { AskedRequest } from "../places/asked-requests.ts";
import { commandAnswers } from "../schemas/command-answers.ts";
import { commandFields } from "../schemas/host-command-fields.ts";
import { permissionReply, sessionId } from "../schemas/words.ts";
import { describeRoute } from "./describe-route.ts";

/** Whoever answers need not know which session asked. */
const anySession = { sessionId: sessionId.optional() };

/** `always` is another word for `session`. */
const permissionFields = commandFields["permission.answer"].extend({
  ...anySession,
  reply: z.enum([...permissionReply.options, "always"]),
});

const questionFields = commandFields["question.answer"].extend(anySession);

export function addAnswerRoutes(app: ServerApp): void {
  const permission = commandRoutes["permission.answer"];
  describeRoute(app, permission, {
    operationId: "permission.answer",
    summary: "Carries out the command permission.answer.",
    input: inputOfRoute(permission, permissionFields),
    answer: commandAnswers["permission.answer"],
    command: "permission.answer",
  });
  app.post(permission.path, (context) => {
    const { reply: word, message, updatedInput, ...asked } = readAnswer(context, permissionFields);
    const reply: PermissionReply = word === "always" ? "session" : word;
    return answering(context, { kind: "permission", ...asked }, async (sessionId) =>
      context.get("door").send({
        ...{ type: "permission.answer", sessionId, requestId: asked.requestId, reply },
        ...(message !== undefined && { message }),
        ...(updatedInput !== undefined && { updatedInput }),
      }),
    );
  });

  const question = commandRoutes["question.answer"];
  describeRoute(app, question, {
    operationId: "question.answer",
    summary: "Carries out the command question.answer.",
    input: inputOfRoute(question, questionFields),
    answer: commandAnswers["question.answer"],
    command: "question.answer",
  });
  app.post(question.path, (context) => {
    const { answers, ...asked } = readAnswer(context, questionFields);
    return answering(context, { kind: "question", ...asked }, async (sessionId) =>
      context.get("door").send({ type: "question.answer", sessionId, requestId: asked.requestId, answers }),
    );
  });
}

function readAnswer<Schema extends z.ZodObject>(context: ServerContext, schema: Schema): z.output<Schema> {
  const body = context.get("body");
  // Anything but an object is refused by the schema.
  return checked(schema, { ...(body as object), requestId: context.req.param("requestId") }, "request");
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
  const answeredBy = requests.find(kind, requestId)?.answeredBy ?? "somebody else";
  throw new ProblemError({
    status: 409,
    code: "already_answered",
    message: `The ${kind} request ${requestId} was answered already, by ${answeredBy}.`,
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
  const message = `There is no ${kind} request ${requestId}.`;
  return new ProblemError({ status: 404, code: "not_found", message, recovery: `GET /${kind} lists those that wait.` });
}
