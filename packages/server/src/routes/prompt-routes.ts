/** The two routes of a prompt: one answers when it is stored, the other one when its run has ended. */
import { z } from "@hono/zod-openapi";
import { type CommandOf, commandRoutes, type MessageView, messageIdOf, promptRoute, type Store } from "@kedge/protocol";
import { answerJson, valueIn } from "../http/answer-json.ts";
import { inputOfRoute, readInput, readQuery } from "../http/route-input.ts";
import type { ServerApp, ServerContext } from "../http/server-environment.ts";
import { commandAnswers } from "../schemas/command-answers.ts";
import { commandFields } from "../schemas/host-command-fields.ts";
import { promptResult } from "../schemas/stored.ts";
import { runOptions } from "../schemas/words.ts";
import { type RunOver, watchRuns } from "./await-run.ts";
import { describeRoute } from "./describe-route.ts";

const command = "prompt.submit";

const fields = commandFields[command].extend({
  delivery: commandFields[command].shape.delivery.default("steer"),
  options: runOptions.default({}),
});

const input = inputOfRoute(promptRoute, fields);

/** `reject` is `onlyIfIdle`, for those who choose by address. */
const query = z.strictObject({ mode: z.enum(["queue", "reject"]).optional() });

export function addPromptRoutes(app: ServerApp): void {
  const stored = commandRoutes[command];
  describeRoute(app, stored, {
    operationId: command,
    summary: "Carries out the command prompt.submit.",
    ...{ input, query, command, status: 202, answer: commandAnswers[command] },
  });
  app.post(stored.path, async (context) => answerJson(valueIn(await context.get("door").send(promptOf(context))), 202));

  describeRoute(app, promptRoute, {
    operationId: "prompt.run",
    summary: "Carries out the command prompt.submit, and answers when its run has ended.",
    ...{ input, query, command, answer: promptResult },
  });
  app.post(promptRoute.path, runPrompt);
}

function promptOf(context: ServerContext): CommandOf<typeof command> {
  const { mode } = readQuery(context, query);
  const given = { type: command, ...readInput(context, input), ...(mode === "reject" && { onlyIfIdle: true }) };
  // The schema is held to the type of the command at compile time.
  return given as unknown as CommandOf<typeof command>;
}

async function runPrompt(context: ServerContext): Promise<Response> {
  const prompt = promptOf(context);
  const { sessionId } = prompt;
  const { door, store, use } = context.get("instance");
  const leave = use(sessionId);
  const runs = watchRuns(door, sessionId);
  try {
    const begun = valueIn(await context.get("door").send(prompt));
    const over = await runs.over(begun.runId, context.req.raw.signal);
    const message = await lastMessage(store, sessionId, over);
    return answerJson({ ...begun, result: over.result, ...(message !== undefined && { message }) });
  } finally {
    runs.close();
    leave();
  }
}

/** What a run says last stands at the end of the conversation, before prompts that wait. */
const messagesLookedAt = 50;

async function lastMessage(store: Store, sessionId: string, { stepId }: RunOver): Promise<MessageView | undefined> {
  if (stepId === undefined) return undefined;
  const { messages } = await store.messages(sessionId, { limit: messagesLookedAt });
  return messages.find(({ id }) => id === messageIdOf(stepId));
}
