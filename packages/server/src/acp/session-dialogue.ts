/** Takes the questions of a session to the editor while the session goes on, and the answers back. */
import type { AgentContext } from "@agentclientprotocol/sdk";
import type { Client, Fact, FactOf } from "@kedge/protocol";
import type { CallView } from "./call-view.ts";
import { permissionRequestOf, replyOf } from "./permission-request.ts";
import { askQuestions } from "./question-request.ts";

export type SessionDialogueParts = {
  readonly client: Client;
  readonly editor: Pick<AgentContext, "request">;
  readonly sessionId: string;
  readonly cwd: string;
  readonly hasForms: boolean;
  readonly call: (callId: string) => CallView | undefined;
  /** The person wants the turn to stop. */
  readonly onCalledOff: () => Promise<void>;
  readonly onNotice: (sentence: string) => void;
  readonly onProblem: (error: unknown) => void;
};

interface SessionDialogue {
  /** Asks what a fact asks, and stops asking what a fact answers. */
  observe(fact: Fact): void;
  /** Nobody is asked any more. */
  close(): void;
}

const unasked = "The editor could not ask for permission, so the call did not run.";

export function createSessionDialogue(parts: SessionDialogueParts): SessionDialogue {
  const { client, editor, sessionId, cwd, hasForms } = parts;
  const open = new Map<string, AbortController>();

  /** The answer of somebody else ends the question; what the editor says after that is of no interest. */
  async function asking(requestId: string, ask: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const asked = new AbortController();
    open.set(requestId, asked);
    try {
      await ask(asked.signal);
    } catch (error) {
      if (!asked.signal.aborted) parts.onProblem(error);
    } finally {
      open.delete(requestId);
    }
  }

  async function askPermission(fact: FactOf<"permission.asked">, signal: AbortSignal): Promise<void> {
    const { requestId } = fact;
    const answer = { type: "permission.answer", sessionId, requestId } as const;
    const request = permissionRequestOf({ sessionId, request: fact, call: parts.call(fact.callId), cwd });
    try {
      const options = { cancellationSignal: signal, stopWaitingOnCancel: true };
      const { outcome } = await editor.request("session/request_permission", request, options);
      const reply = replyOf(outcome, fact);
      const answered = await client.send<"permission.answer">({ ...answer, reply: reply ?? "reject" });
      if (reply === undefined) await parts.onCalledOff();
      // Rules that cannot be saved leave the question open, and what was wished for still counts for now.
      else if (!answered.ok && reply === "project") {
        parts.onNotice(answered.failure.message);
        await client.send<"permission.answer">({ ...answer, reply: "session" });
      }
    } catch (error) {
      if (!signal.aborted) await client.send<"permission.answer">({ ...answer, reply: "reject", message: unasked });
      throw error;
    }
  }

  async function askPerson(fact: FactOf<"question.asked">, signal: AbortSignal): Promise<void> {
    const { requestId, callId, questions } = fact;
    const answer = { type: "question.answer", sessionId, requestId } as const;
    try {
      const given = await askQuestions(editor, { sessionId, callId, questions, hasForms, signal });
      if (given.kind === "called-off") await parts.onCalledOff();
      else await client.send<"question.answer">({ ...answer, answers: given.kind === "answered" ? given.answers : [] });
    } catch (error) {
      if (!signal.aborted) await client.send<"question.answer">({ ...answer, answers: [] });
      throw error;
    }
  }

  return {
    observe(fact) {
      switch (fact.type) {
        case "permission.asked":
          void asking(fact.requestId, (signal) => askPermission(fact, signal));
          return;
        case "question.asked":
          void asking(fact.requestId, (signal) => askPerson(fact, signal));
          return;
        case "permission.answered":
        case "question.answered":
          open.get(fact.requestId)?.abort();
      }
    },
    close() {
      for (const asked of open.values()) asked.abort();
    },
  };
}
