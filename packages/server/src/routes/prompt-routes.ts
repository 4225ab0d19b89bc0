/** The two routes of a prompt: one answers when it is stored, the other one when its run has ended. */
import {
  type CommandOf,
  type MessageView,
  messageIdOf,
  routeOf,
  type Store,
  type ValueOfFields,
} from "@kedge/protocol";
import { commandRows, promptRunRow, schema } from "@kedge/protocol/rows";
import { answerJson, valueIn } from "../http/answer-json.ts";
import type { ServerContext } from "../http/server-environment.ts";
import type { ServerRoutes } from "../http/server-routes.ts";
import { type RunOver, watchRuns } from "./await-run.ts";

const type = "prompt.submit";
const { answer, scope, ...row } = commandRows[type];

const fields = {
  ...row.fields,
  /** `reject` is `onlyIfIdle`, for those who choose by address. */
  mode: schema.optional(schema.words("queue", "reject")),
} as const;

export function addPromptRoutes(routes: ServerRoutes): void {
  const described = { fields, queryNames: ["mode"], command: { type, scope } } as const;
  routes.add(
    {
      ...described,
      route: routeOf(row),
      operationId: type,
      summary: `Run the command ${type}.`,
      ...{ status: 202, answer },
    },
    async (context, given) => answerJson(valueIn(await context.get("door").send(promptOf(given))), 202),
  );
  routes.add(
    {
      ...described,
      route: routeOf(promptRunRow),
      operationId: "prompt.run",
      summary: `Run the command ${type} and respond when its run has ended.`,
      answer: promptRunRow.answer,
    },
    (context, given) => runPrompt(context, promptOf(given)),
  );
}

function promptOf({ mode, ...given }: ValueOfFields<typeof fields>): CommandOf<typeof type> {
  return { type, ...given, ...(mode === "reject" && { onlyIfIdle: true }) };
}

async function runPrompt(context: ServerContext, prompt: CommandOf<typeof type>): Promise<Response> {
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
