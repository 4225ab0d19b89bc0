/** Hooks around questions of MCP servers: they may answer in the place of the person, refuse, and change the answer. */
import type { JsonObject } from "@kedge/protocol";
import { foldAnswers } from "./fold-answers.ts";
import type { HookAnswer } from "./hook-answer.ts";
import type { HookEvent } from "./hook-events.ts";
import type { HookParts } from "./hook-parts.ts";
import type { HookSet } from "./hook-set.ts";

/** A form, or a page to open. */
export type ServerQuestion =
  | { readonly mode: "form"; readonly message: string; readonly requestedSchema: unknown }
  | { readonly mode: "url"; readonly message: string; readonly url: string };

export type ServerQuestionAnswer = NonNullable<HookAnswer["elicitation"]>;

export type AroundQuestion = <Question extends ServerQuestion>(
  server: string,
  question: Question,
  signal: AbortSignal,
  ask: () => Promise<ServerQuestionAnswer>,
) => Promise<ServerQuestionAnswer>;

const declined = { action: "decline" } as const;

/** A question does not say to which session it belongs. */
const noSession = "";

export function aroundQuestions(set: HookSet, { cwd, onNotice }: Pick<HookParts, "cwd" | "onNotice">): AroundQuestion {
  /** Undefined where no hook says anything. */
  async function asked(
    name: HookEvent,
    fields: JsonObject,
    signal: AbortSignal,
  ): Promise<ServerQuestionAnswer | undefined> {
    const common = { session_id: noSession, cwd };
    const fired = await set.fire({ name, sessionId: noSession, cwd, fields: { ...common, ...fields } }, signal);
    const { decision, by, reason } = foldAnswers(fired);
    if (decision === "deny") {
      onNotice(`A question of the MCP server ${String(fields["mcp_server_name"])} was declined by ${by}: ${reason}`);
      return declined;
    }
    return fired.answers.findLast(({ answer }) => answer.elicitation !== undefined)?.answer.elicitation;
  }

  return async (server, question, signal, ask) => {
    const { mode, message } = question;
    const about = mode === "url" ? { url: question.url } : { requested_schema: plain(question.requestedSchema) };
    const fields = { mcp_server_name: server, message, mode, ...about };
    const answer = (await asked("Elicitation", fields, signal)) ?? (await ask());
    const { action } = answer;
    const content = "content" in answer && answer.content !== undefined ? { content: plain(answer.content) } : {};
    return (await asked("ElicitationResult", { ...fields, action, ...content }, signal)) ?? answer;
  };
}

/** It came as JSON. */
function plain(value: unknown): JsonObject {
  return (value ?? {}) as JsonObject;
}
