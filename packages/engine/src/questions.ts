/** Permission questions that wait for a person: asked as facts, answered by command, closed by interruption. */
import type { FactOf, Failure, PermissionReply, PermissionRequest, PermissionRule } from "@kedge/protocol";
import type { Journal } from "./journal.ts";

export type PermissionAnswer = { readonly reply: PermissionReply; readonly message?: string };

/** Who answered in the end. */
export type AnsweredBy = FactOf<"permission.answered">["source"];

export type GivenAnswer = PermissionAnswer & { readonly source: AnsweredBy };

export type Asking = {
  /** The rules that the reply "session" adds. */
  readonly grants: readonly PermissionRule[];
  /** Whether the rules of the session, as they are by now, let the call pass without an answer. */
  readonly isCovered: () => boolean;
  readonly signal: AbortSignal;
};

export interface Questions {
  /** Waits until someone answers; an interruption counts as a rejection. */
  ask(stepId: string, request: PermissionRequest, asking: Asking): Promise<GivenAnswer>;
  /**
   * A failure when nobody asks any more. What the user grants for the session answers every waiting question that it
   * covers; what the user rejects takes the other questions of the same answer of the model with it.
   */
  answer(requestId: string, answer: PermissionAnswer, source?: "user" | "classifier"): Promise<Failure | undefined>;
}

type Waiting = {
  readonly stepId: string;
  readonly request: PermissionRequest;
  readonly asking: Asking;
  readonly answered: PromiseWithResolvers<GivenAnswer>;
};

export function createQuestions(journal: Journal, boot: string): Questions {
  const waiting = new Map<string, Waiting>();

  function record({ request, asking }: Waiting, { reply, source, message }: GivenAnswer): Promise<void> {
    return journal.emit({
      type: "permission.answered",
      requestId: request.requestId,
      callId: request.callId,
      reply,
      source,
      boot,
      grants: reply === "session" ? asking.grants : [],
      ...(message !== undefined && { message }),
    });
  }

  /** An answer that cannot be stored is none, and whoever waits for it must not wait for ever. */
  async function settle(entry: Waiting, answer: GivenAnswer): Promise<void> {
    try {
      await record(entry, answer);
    } catch (error) {
      entry.answered.reject(error);
      throw error;
    }
    entry.answered.resolve(answer);
  }

  /** Takes the others out before anything is awaited, so that nobody else can answer them meanwhile. */
  async function settleOthers(reply: "once" | "reject", isMeant: (other: Waiting) => boolean): Promise<void> {
    const others = [...waiting.values()].filter(isMeant);
    for (const { request } of others) waiting.delete(request.requestId);
    await Promise.all(others.map((other) => settle(other, { reply, source: "sibling" })));
  }

  return {
    async ask(stepId, request, asking) {
      const { signal } = asking;
      if (signal.aborted) return { reply: "reject", source: "interrupt" };
      const answered = Promise.withResolvers<GivenAnswer>();
      // If the question itself cannot be stored, nobody waits for this any more.
      answered.promise.catch(() => undefined);
      const entry: Waiting = { stepId, request, asking, answered };
      waiting.set(request.requestId, entry);
      const interrupt = () => {
        if (!waiting.delete(request.requestId)) return;
        // The one who asked sees the failure as well.
        settle(entry, { reply: "reject", source: "interrupt" }).catch(() => undefined);
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
      await settle(entry, { ...answer, source });
      if (source !== "user") return undefined;
      if (answer.reply === "reject") await settleOthers("reject", ({ stepId }) => stepId === entry.stepId);
      else if (answer.reply === "session") await settleOthers("once", ({ asking }) => asking.isCovered());
      return undefined;
    },
  };
}
