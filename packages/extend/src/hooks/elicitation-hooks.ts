/** Hooks of questions that MCP servers ask: they may answer in the place of a person, or change what the server gets. */
import type { JsonObject } from "@kedge/protocol";
import { foldAnswers } from "./fold-answers.ts";
import type { HookedCalls } from "./hook-phase.ts";
import type { Fired, HookSet } from "./hook-set.ts";
import type { SessionNotes } from "./session-notes.ts";

export type HookedQuestion = {
  readonly server: string;
  /** The call that the server is working on. */
  readonly callId: string;
  readonly message: string;
  readonly requested:
    | { readonly mode: "form"; readonly schema: JsonObject }
    | { readonly mode: "url"; readonly url: string };
};

export type QuestionAnswer =
  | { readonly action: "accept"; readonly content?: JsonObject }
  | { readonly action: "decline" | "cancel" };

export interface ElicitationHooks {
  /** Undefined where the person is asked. */
  asked(question: HookedQuestion, signal: AbortSignal): Promise<QuestionAnswer | undefined>;
  /** Undefined where the server gets what the person answered. */
  answered(question: HookedQuestion, answer: QuestionAnswer, signal: AbortSignal): Promise<QuestionAnswer | undefined>;
}

export type ElicitationHookParts = {
  readonly set: HookSet;
  readonly notes: SessionNotes;
  readonly calls: Pick<HookedCalls, "find">;
  readonly cwd: string;
};

export function createElicitationHooks({ set, notes, calls, cwd }: ElicitationHookParts): ElicitationHooks {
  async function fire(
    name: "Elicitation" | "ElicitationResult",
    { callId, server }: HookedQuestion,
    fields: JsonObject,
    signal: AbortSignal,
  ): Promise<QuestionAnswer | undefined> {
    if (!set.has(name)) return undefined;
    const place = { sessionId: calls.find(callId)?.sessionId ?? "", cwd };
    const all = { ...notes.fieldsOf(place), mcp_server_name: server, ...fields };
    return answerOf(await set.fire({ name, ...place, fields: all }, signal));
  }
  return {
    asked(question, signal) {
      const { message, requested } = question;
      const wanted = requested.mode === "url" ? { url: requested.url } : { requested_schema: requested.schema };
      return fire("Elicitation", question, { message, mode: requested.mode, ...wanted }, signal);
    },
    answered(question, answer, signal) {
      const content = answer.action === "accept" && answer.content !== undefined ? { content: answer.content } : {};
      return fire("ElicitationResult", question, { action: answer.action, ...content }, signal);
    },
  };
}

/** A denial declines, whatever others say. */
function answerOf(fired: Fired): QuestionAnswer | undefined {
  if (foldAnswers(fired).decision === "deny") return { action: "decline" };
  return fired.answers.find(({ answer }) => answer.elicitation !== undefined)?.answer.elicitation;
}
