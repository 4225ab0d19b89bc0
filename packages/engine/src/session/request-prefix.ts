/** What the next request of a session begins with, for one that continues from there; and why there is none. */
import {
  type Answer,
  type Failure,
  forkMark,
  type Message,
  type Model,
  type ReasoningWish,
  type RequestPrefix,
  toolCalls,
} from "@kedge/protocol";
import type { Frame } from "../compaction/care-basis.ts";
import type { Messages } from "../context/messages.ts";
import type { Journal } from "../journal.ts";
import type { EngineParts } from "../parts.ts";

type Parts = {
  readonly engine: Pick<EngineParts, "prefix" | "models">;
  readonly journal: Pick<Journal, "state">;
  readonly newMessages: () => Messages;
  readonly frameFor: (model: Model) => Frame;
  /** What the last run was asked with. */
  readonly asked: { readonly model: string | undefined; readonly reasoning: ReasoningWish | undefined };
};

/** The same for every fork of an answer, whichever of its calls have ended by then. */
const unansweredText = "(This call runs in the session that you were forked from. Its result is not shown here.)";

/** As it is when it is asked for: what the session does meanwhile is not in it, and its own list is left alone. */
export async function requestPrefixOf(parts: Parts): Promise<Answer<RequestPrefix>> {
  const { engine, journal, newMessages, frameFor, asked } = parts;
  const { sessionId, items } = journal.state;
  // Two guards: what the session was opened as, and what its conversation says, which also holds for a copy of it.
  if (engine.prefix !== undefined) return { ok: false, failure: isFork };
  const shown = [...items];
  const { reasoning } = asked;
  const found = await engine.models.find(asked.model ?? journal.state.model);
  if (!found.ok) return found;
  const messages = closeCalls(newMessages().all({ items: shown }));
  if (messages.some(isMarked)) return { ok: false, failure: isFork };
  const { system, tools } = frameFor(found.model);
  const thinking = reasoning === undefined ? {} : { reasoning };
  return {
    ok: true,
    value: { conversationId: sessionId, model: found.model.ref, ...system, ...thinking, tools, messages },
  };
}

function closeCalls(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return messages;
  const results = toolCalls(last.content).map(
    ({ callId, tool }): Message => ({ role: "tool", callId, tool, output: unansweredText, isError: false }),
  );
  return [...messages, ...results];
}

function isMarked(message: Message): boolean {
  return message.role === "user" && message.text.includes(forkMark);
}

const isFork: Failure = {
  code: "invalid_command",
  message: "A fork cannot be forked again.",
  recovery: "Do the work in this session.",
  retryable: false,
};
