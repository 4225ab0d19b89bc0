/** Questions of the model to a person: asked as facts, answered by command, closed by interruption. */
import type { Failure, Question } from "@kedge/protocol";
import type { Journal } from "../journal.ts";

export interface SessionDialogue {
  /** Undefined when nobody can answer, or the run was stopped before somebody did. */
  ask(
    questions: readonly Question[],
    asking: { readonly callId: string; readonly signal: AbortSignal },
  ): Promise<readonly string[] | undefined>;
  answer(requestId: string, answers: readonly string[]): Promise<Failure | undefined>;
}

export type DialogueParts = {
  readonly journal: Journal;
  readonly interactive: boolean;
  readonly newRequestId: () => string;
};

export function createDialogue({ journal, interactive, newRequestId }: DialogueParts): SessionDialogue {
  const waiting = new Map<string, (answers: readonly string[]) => void>();
  return {
    async ask(questions, { callId, signal }) {
      if (!interactive || signal.aborted) return undefined;
      const requestId = newRequestId();
      const { promise, resolve } = Promise.withResolvers<readonly string[]>();
      waiting.set(requestId, resolve);
      const stop = () => resolve([]);
      signal.addEventListener("abort", stop, { once: true });
      try {
        await journal.emit({ type: "question.asked", requestId, callId, questions });
        const answers = await promise;
        await journal.emit({ type: "question.answered", requestId, answers });
        return signal.aborted || answers.length === 0 ? undefined : answers;
      } finally {
        signal.removeEventListener("abort", stop);
        waiting.delete(requestId);
      }
    },
    async answer(requestId, answers) {
      const settle = waiting.get(requestId);
      if (settle === undefined) {
        const message = `Question ${requestId} is no longer open.`;
        return { code: "not_found", message, retryable: false };
      }
      waiting.delete(requestId);
      settle(answers);
      return undefined;
    },
  };
}
