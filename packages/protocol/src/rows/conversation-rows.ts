/** Rows of the commands that carry a conversation on: prompts, runs, messages and places in the tree. */
import { closed, either, list, object, optional, text, textWithin, withDefault, words, yes } from "../json/schema.ts";
import type { CommandRows } from "./row.ts";
import { entryId, filled, media, modelRef, nothing, promptId, runOptions, sessionId, subtask } from "./words.ts";

const needsOpenSession = true;

/** `instructions` replace our own words to the model that writes the summary. */
export const branchSummaryWish = either(words("none", "summary"), closed({ instructions: text }));

export const conversationRows = {
  "prompt.submit": {
    route: "POST /session/:sessionId/prompt_async",
    scope: "prompt",
    fields: {
      sessionId,
      text,
      /** A guest of a shared session who wrote it: shown with the prompt. Its commands and phrases stay plain text. */
      from: optional(textWithin({ minLength: 1, maxLength: 32 })),
      attachments: optional(list(media)),
      /** Agents that work before the model is asked; it sees their results. */
      subtasks: optional(list(subtask)),
      delivery: withDefault(words("steer", "follow-up"), "steer"),
      options: withDefault(runOptions, {}),
      /** Refuses the prompt if another run is under way, instead of queueing it. */
      onlyIfIdle: optional(yes),
    },
    answer: object({ promptId: text, runId: text }),
    needsOpenSession,
  },
  "prompt.revise": {
    route: "PATCH /session/:sessionId/prompt/:promptId",
    scope: "prompt",
    fields: { sessionId, promptId, text },
    answer: nothing,
    needsOpenSession,
  },
  "prompt.withdraw": {
    route: "DELETE /session/:sessionId/prompt/:promptId",
    scope: "prompt",
    fields: { sessionId, promptId },
    answer: nothing,
    needsOpenSession,
  },
  /** Continues a run that ended before its work was done, without a new prompt. */
  "run.continue": {
    route: "POST /session/:sessionId/continue",
    scope: "prompt",
    fields: { sessionId, options: withDefault(runOptions, {}) },
    answer: object({ runId: text }),
    needsOpenSession,
  },
  "turn.interrupt": {
    route: "POST /session/:sessionId/abort",
    scope: "prompt",
    fields: { sessionId },
    answer: nothing,
    needsOpenSession,
  },
  /** Takes effect with the next run. */
  "model.change": {
    route: "PUT /session/:sessionId/model",
    scope: "prompt",
    fields: { sessionId, model: modelRef },
    answer: object({ model: text }),
    needsOpenSession,
  },
  /** Adds a text of the user to the end of the conversation; the model reads it with the next prompt. */
  "message.add": {
    route: "POST /session/:sessionId/message",
    scope: "prompt",
    fields: { sessionId, text: filled },
    answer: object({ messageId: text }),
    needsOpenSession,
  },
  /**
   * Hides a message and the results of its calls from the model; a prompt that waits is withdrawn. The record keeps it.
   */
  "message.remove": {
    route: "DELETE /session/:sessionId/message/:messageId",
    scope: "prompt",
    fields: { sessionId, messageId: entryId },
    answer: nothing,
    needsOpenSession,
  },
  /**
   * Continues at another place of the tree: after the entry, or before it if it is a prompt, whose text is returned. An
   * entry may also be named by the message that it belongs to. Without an entry, before the first word. Files stay as
   * they are. If a summary of what is left behind is wanted, it is added at the new place; nothing moves until it is
   * written.
   */
  "leaf.move": {
    route: "POST /session/:sessionId/leaf",
    scope: "prompt",
    fields: { sessionId, entryId: optional(entryId), summary: optional(branchSummaryWish) },
    answer: object({ leafId: optional(text), promptText: optional(text) }),
    needsOpenSession,
  },
  /** Without a label the old one is removed. */
  "entry.label": {
    route: "PUT /session/:sessionId/label/:entryId",
    scope: "prompt",
    fields: { sessionId, entryId, label: optional(text) },
    answer: nothing,
    needsOpenSession,
  },
} as const satisfies CommandRows;
