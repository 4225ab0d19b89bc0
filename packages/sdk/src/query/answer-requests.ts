/** Has the callbacks of a query answer what its run asks, beside the reading of its events. */
import { type CommandAnswer, FailureError, type PermissionRequest, type Question } from "@kedge/protocol";
import type { QueryOptions, ToolAnswer } from "./query-options.ts";
import type { QueryMessage } from "./run-messages.ts";

export type RequestParts = Pick<QueryOptions, "client" | "canUseTool" | "onQuestion"> & {
  readonly sessionId: string;
  /** Told what a callback throws, and what keeps its answer from arriving. */
  readonly onProblem: (error: unknown) => void;
};

export type RequestAnswers = {
  /** Starts callbacks, and ends those whose request is settled. */
  see(message: QueryMessage): void;
  close(): void;
};

const nobodyAnswers: ToolAnswer = {
  behavior: "deny",
  message: "The program that started this run does not allow this call.",
};

export function answerRequests({ client, sessionId, canUseTool, onQuestion, onProblem }: RequestParts): RequestAnswers {
  const open = new Map<string, AbortController>();

  function begin(requestId: string, answer: (signal: AbortSignal) => Promise<void>): void {
    const settled = new AbortController();
    open.set(requestId, settled);
    answer(settled.signal).catch((error: unknown) => {
      // A callback that nobody waits for any more may end as it likes.
      if (!settled.signal.aborted) onProblem(error);
    });
  }

  function settle(requestId: string): void {
    open.get(requestId)?.abort();
    open.delete(requestId);
  }

  async function answerPermission(request: PermissionRequest, signal: AbortSignal): Promise<void> {
    const answer = canUseTool === undefined ? nobodyAnswers : await canUseTool(request, { signal });
    if (signal.aborted) return;
    const { requestId } = request;
    arrived(
      await client.send<"permission.answer">({ type: "permission.answer", sessionId, requestId, ...replyOf(answer) }),
    );
  }

  async function answerQuestion(requestId: string, questions: readonly Question[], signal: AbortSignal): Promise<void> {
    const answers = (await onQuestion?.(questions, { signal })) ?? questions.map(() => "");
    if (signal.aborted) return;
    arrived(await client.send<"question.answer">({ type: "question.answer", sessionId, requestId, answers }));
  }

  return {
    see(message) {
      switch (message.type) {
        case "permission-asked":
          return begin(message.request.requestId, (signal) => answerPermission(message.request, signal));
        case "question-asked":
          return begin(message.requestId, (signal) => answerQuestion(message.requestId, message.questions, signal));
        case "permission-answered":
        case "question-answered":
          return settle(message.requestId);
        default:
          return;
      }
    },
    close() {
      for (const requestId of open.keys()) settle(requestId);
    },
  };
}

/** Another client may have answered first; anything else would leave the run waiting for ever. */
function arrived(answer: CommandAnswer<"permission.answer"> | CommandAnswer<"question.answer">): void {
  if (!answer.ok && answer.failure.code !== "not_found") throw new FailureError(answer.failure);
}

function replyOf(answer: ToolAnswer) {
  if (answer.behavior === "deny") {
    return { reply: "reject", ...(answer.message !== undefined && { message: answer.message }) } as const;
  }
  const { lasting = "once", updatedInput } = answer;
  return { reply: lasting, ...(updatedInput !== undefined && { updatedInput }) } as const;
}
