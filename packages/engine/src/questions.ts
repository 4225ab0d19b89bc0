/** Permission questions that wait for a person: asked as facts, answered by command, closed by interruption. */
import type { Failure, PermissionReply, PermissionRequest, PermissionRule } from "@kedge/protocol";
import type { Journal } from "./journal.ts";

export type PermissionAnswer = { readonly reply: PermissionReply; readonly message?: string };

/** Who answered in the end. */
export type AnsweredBy = "user" | "classifier" | "interrupt";

export interface Questions {
  /** Waits until someone answers; an interruption counts as a rejection. */
  ask(
    stepId: string,
    request: PermissionRequest,
    /** `grants` are the rules that the reply "session" adds. */
    how: { readonly grants: readonly PermissionRule[]; readonly signal: AbortSignal },
  ): Promise<PermissionAnswer & { readonly source: AnsweredBy }>;
  /** A failure when nobody asks any more. */
  answer(
    requestId: string,
    answer: PermissionAnswer,
    source?: Exclude<AnsweredBy, "interrupt">,
  ): Promise<Failure | undefined>;
}

type Waiting = {
  readonly request: PermissionRequest;
  readonly grants: readonly PermissionRule[];
  readonly settle: (answer: PermissionAnswer & { readonly source: AnsweredBy }) => void;
};

export function createQuestions(journal: Journal, boot: string): Questions {
  const waiting = new Map<string, Waiting>();

  function record(
    { request }: Waiting,
    answer: PermissionAnswer,
    how: { readonly source: AnsweredBy; readonly grants: readonly PermissionRule[] },
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
      if (signal.aborted) return { reply: "reject", source: "interrupt" };
      const answered = Promise.withResolvers<PermissionAnswer & { readonly source: AnsweredBy }>();
      const entry: Waiting = { request, grants, settle: answered.resolve };
      waiting.set(request.requestId, entry);
      const interrupt = () => {
        if (!waiting.delete(request.requestId)) return;
        const rejection = { reply: "reject", source: "interrupt" } as const;
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
    async answer(requestId, answer, source = "user") {
      const entry = waiting.get(requestId);
      if (entry === undefined || !waiting.delete(requestId)) {
        return {
          code: "not_found",
          message: `No permission question ${requestId} is waiting for an answer.`,
          retryable: false,
        };
      }
      const grants = answer.reply === "session" ? entry.grants : [];
      await record(entry, answer, { source, grants });
      entry.settle({ ...answer, source });
      return undefined;
    },
  };
}
