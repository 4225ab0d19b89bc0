/** One prompt from beginning to end: starts it, answers what it asks, and tells what happens, in the order it happens. */
import {
  type AssistantBlock,
  type Client,
  type Event,
  type FactOf,
  FailureError,
  type JsonObject,
  type Media,
  type PermissionMode,
  type PermissionRequest,
  type Question,
  type RunOptions,
  type ToolOutcome,
} from "@kedge/protocol";

/** What a program says about one call. `session` lets the like of it pass until kedge ends, `project` for good. */
export type ToolAnswer =
  | { readonly behavior: "allow"; readonly lasting?: "session" | "project"; readonly updatedInput?: JsonObject }
  | { readonly behavior: "deny"; readonly message?: string };

export type QueryOptions = {
  readonly client: Client;
  /** Goes on with this session; without it a new one begins. */
  readonly sessionId?: string;
  readonly model?: string;
  readonly mode?: PermissionMode;
  readonly attachments?: readonly Media[];
  /** Turn and money limits, the schema of the answer, and how hard to think. */
  readonly run?: RunOptions;
  /** Asked before a call that needs an answer; without it such calls are rejected. */
  readonly canUseTool?: (request: PermissionRequest) => ToolAnswer | Promise<ToolAnswer>;
  /** Asked when the model has a question; without it, or with undefined, the question is answered with nothing. */
  readonly onQuestion?: (
    questions: readonly Question[],
  ) => readonly string[] | undefined | Promise<readonly string[] | undefined>;
  /** Interrupts the run; what was done so far stays. */
  readonly signal?: AbortSignal;
};

export type QueryMessage =
  | { readonly type: "started"; readonly sessionId: string; readonly runId: string }
  /** Pieces of the answer as it comes; the whole of it follows as `answer`. */
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "answer"; readonly stepId: string; readonly content: readonly AssistantBlock[] }
  | { readonly type: "tool-started"; readonly callId: string; readonly tool: string; readonly inputText: string }
  | {
      readonly type: "tool-ended";
      readonly callId: string;
      readonly tool: string;
      readonly outcome: ToolOutcome;
      readonly output: string;
    }
  | { readonly type: "permission-asked"; readonly request: PermissionRequest; readonly answer: ToolAnswer }
  | { readonly type: "notice"; readonly text: string }
  /** The last one. */
  | ({ readonly type: "result"; readonly sessionId: string } & Omit<FactOf<"run.ended">, "type">);

const nobodyAnswers: ToolAnswer = { behavior: "deny", message: "The program that asked allows no such calls." };

/** Throws a FailureError when the run cannot be started; how it ended is told by `result`. */
export async function* query(prompt: string, options: QueryOptions): AsyncGenerator<QueryMessage, void> {
  const { client } = options;
  const { sessionId, afterSeq } = await openSession(options);
  const stop = new AbortController();
  const interrupt = () => void client.send<"turn.interrupt">({ type: "turn.interrupt", sessionId });
  try {
    const submitted = await client.send<"prompt.submit">({
      type: "prompt.submit",
      sessionId,
      text: prompt,
      ...(options.attachments !== undefined && { attachments: options.attachments }),
      delivery: "follow-up",
      options: options.run ?? {},
    });
    if (!submitted.ok) throw new FailureError(submitted.failure);
    const { runId } = submitted.value;
    if (options.signal?.aborted) interrupt();
    options.signal?.addEventListener("abort", interrupt);
    yield { type: "started", sessionId, runId };
    for await (const event of client.events(sessionId, afterSeq, stop.signal)) {
      const messages = await messagesOf(event, sessionId, options);
      for (const message of messages) {
        if (message.type !== "result") yield message;
        else if (message.runId === runId) {
          yield message;
          return;
        }
      }
      if (event.kind === "signal" && event.signal.type === "run.unrecorded" && event.signal.runId === runId) {
        throw new FailureError(event.signal.failure);
      }
    }
  } finally {
    options.signal?.removeEventListener("abort", interrupt);
    stop.abort();
  }
}

type OpenedSession = { readonly sessionId: string; readonly afterSeq: number };

async function openSession({ client, sessionId, model, mode }: QueryOptions): Promise<OpenedSession> {
  const wish = { ...(model !== undefined && { model }), ...(mode !== undefined && { mode }) };
  if (sessionId === undefined) {
    const created = await client.send<"session.create">({ type: "session.create", ...wish });
    if (!created.ok) throw new FailureError(created.failure);
    return { sessionId: created.value.sessionId, afterSeq: 0 };
  }
  const resumed = await client.send<"session.resume">({ type: "session.resume", sessionId, ...wish });
  if (!resumed.ok) throw new FailureError(resumed.failure);
  const found = await client.ask<"session.read">({ type: "session.read", sessionId });
  if (!found.ok) throw new FailureError(found.failure);
  return { sessionId, afterSeq: found.value.lastSeq };
}

async function messagesOf(event: Event, sessionId: string, options: QueryOptions): Promise<readonly QueryMessage[]> {
  if (event.kind === "signal") {
    const { signal } = event;
    if (signal.type === "text.delta") return [{ type: "text", text: signal.text }];
    if (signal.type === "reasoning.delta") return [{ type: "reasoning", text: signal.text }];
    return signal.type === "notice" ? [{ type: "notice", text: signal.text }] : [];
  }
  const { fact } = event.record;
  switch (fact.type) {
    case "step.ended":
      return fact.outcome === "answered" ? [{ type: "answer", stepId: fact.stepId, content: fact.content }] : [];
    case "tool.started":
      return [{ type: "tool-started", callId: fact.callId, tool: fact.tool, inputText: fact.inputText }];
    case "tool.ended": {
      const { callId, tool, outcome, output } = fact;
      return [{ type: "tool-ended", callId, tool, outcome, output }];
    }
    case "permission.asked": {
      const { type: _, stepId: __, ...request } = fact;
      return [{ type: "permission-asked", request, answer: await answerPermission(request, sessionId, options) }];
    }
    case "question.asked":
      await answerQuestion(fact, sessionId, options);
      return [];
    case "run.ended": {
      const { type: _, ...result } = fact;
      return [{ type: "result", sessionId, ...result }];
    }
    default:
      return [];
  }
}

async function answerPermission(
  request: PermissionRequest,
  sessionId: string,
  { client, canUseTool }: QueryOptions,
): Promise<ToolAnswer> {
  const answer = (await canUseTool?.(request)) ?? nobodyAnswers;
  const { requestId } = request;
  // Another client may have answered first, or the run may be over; either way nothing is left to be said.
  await client.send<"permission.answer">({ type: "permission.answer", sessionId, requestId, ...replyOf(answer) });
  return answer;
}

function replyOf(answer: ToolAnswer) {
  if (answer.behavior === "deny") {
    return { reply: "reject", ...(answer.message !== undefined && { message: answer.message }) } as const;
  }
  const { lasting = "once", updatedInput } = answer;
  return { reply: lasting, ...(updatedInput !== undefined && { updatedInput }) } as const;
}

async function answerQuestion(
  { requestId, questions }: FactOf<"question.asked">,
  sessionId: string,
  { client, onQuestion }: QueryOptions,
): Promise<void> {
  const answers = (await onQuestion?.(questions)) ?? questions.map(() => "");
  await client.send<"question.answer">({ type: "question.answer", sessionId, requestId, answers });
}
