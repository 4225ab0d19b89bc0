/** Permission questions that wait for a person: asked as facts, answered by command, closed by interruption. */
import type { Failure, PermissionReply, PermissionRequest, PermissionRule } from "@kedge/protocol";
import type { Journal } from "./journal.ts";

export type PermissionAnswer = { readonly reply: PermissionReply; readonly message?: string };

export interface Questions {
  /** Waits until someone answers; an interruption counts as a rejection. */
  ask(
    stepId: string,
    request: PermissionRequest,
    /** `grants` are the rules that the reply "session" adds. */
    how: { readonly grants: readonly PermissionRule[]; readonly signal: AbortSignal },
  ): Promise<PermissionAnswer>;
  answer(requestId: string, answer: PermissionAnswer): Promise<Failure | undefined>;
}

type Waiting = {
  readonly request: PermissionRequest;
  readonly grants: readonly PermissionRule[];
  readonly settle: (answer: PermissionAnswer) => void;
};

export function createQuestions(journal: Journal, boot: string): Questions {
  const waiting = new Map<string, Waiting>();

  function record(
    { request }: Waiting,
    answer: PermissionAnswer,
    how: { readonly source: "user" | "interrupt"; readonly grants: readonly PermissionRule[] },
  ): Promise<void> {
    return journal.emit({
      type: "permission.answered",
      requestId: request.requestId,
      callId: request.callId,
      reply: answer.reply,
      source: how.source,
      boot,
      grants: how.grants,
      ...(answer.message !== undefined && { message: answer.message }),
    });
  }

  return {
    async ask(stepId, request, { grants, signal }) {
      if (signal.aborted) return { reply: "reject" };
      const answered = Promise.withResolvers<PermissionAnswer>();
      const entry: Waiting = { request, grants, settle: answered.resolve };
      waiting.set(request.requestId, entry);
      const interrupt = () => {
        if (!waiting.delete(request.requestId)) return;
        const rejection: PermissionAnswer = { reply: "reject" };
        record(entry, rejection, { source: "interrupt", grants: [] }).then(
          () => answered.resolve(rejection),
          answered.reject,
        );
      };
      signal.addEventListener("abort", interrupt, { once: true });
      try {
        await journal.emit({ type: "permission.asked", stepId, ...request });
        return await answered.promise;
      } finally {
        signal.removeEventListener("abort", interrupt);
        waiting.delete(request.requestId);
      }
    },
    async answer(requestId, answer) {
      const entry = waiting.get(requestId);
      if (entry === undefined || !waiting.delete(requestId)) {
        return {
          code: "not_found",
          message: `No permission question ${requestId} is waiting for an answer.`,
          retryable: false,
        };
      }
      const grants = answer.reply === "session" ? entry.grants : [];
      await record(entry, answer, { source: "user", grants });
      entry.settle(answer);
      return undefined;
    },
  };
}
