/** Rows of the commands on what the model sees. */
import type { ContextEntry } from "../context-entry.ts";
import { flag, list, number, object, optional, schemaOf, text, words } from "../json/schema.ts";
import type { CommandRows } from "./row.ts";
import { sessionId } from "./words.ts";

const needsOpenSession = true;

const contextEntry = schemaOf<ContextEntry>()(
  object({
    name: text,
    kind: words("policy", "instruction", "data", "reminder"),
    place: words("prefix", "head", "turn"),
    origin: text,
    tokens: number,
    hash: optional(text),
    note: optional(text),
  }),
);

export const contextRows = {
  /** Summarises the older part of the conversation; a run under way is interrupted first. */
  "context.compact": {
    route: "POST /session/:sessionId/compact",
    scope: "prompt",
    fields: { sessionId, instructions: optional(text) },
    answer: object({ shortSummary: text, tokensBefore: number, tokensAfter: number }),
    needsOpenSession,
  },
  /** Drops long tool output from the context, or with `images` all pictures and documents. */
  "context.shake": {
    route: "POST /session/:sessionId/shake",
    scope: "prompt",
    fields: { sessionId, images: optional(flag) },
    answer: object({ resultCount: number, tokensFreed: number }),
    needsOpenSession,
  },
  /** How large the conversation is, and what makes it so. */
  "context.inspect": {
    route: "GET /session/:sessionId/context",
    scope: "read",
    fields: { sessionId },
    answer: object({
      model: text,
      windowTokens: number,
      tokens: number,
      /** True when the vendor counted most of them. */
      isMeasured: flag,
      /** From here on it is shortened, and from here on no longer sent. */
      compactAt: number,
      overflowAt: number,
      /** What the model sees besides the conversation. */
      sources: list(contextEntry),
      /** The tools and the conversation. Estimates, like those of the sources; they need not add up to what was counted. */
      parts: list(object({ name: text, tokens: number })),
      /** Each tool: in every request, in requests since the model searched for it, or left out until it does. */
      tools: list(object({ name: text, state: words("loaded", "found", "deferred"), tokens: number })),
    }),
    needsOpenSession,
  },
  /** Drops the model's open checkpoint, so that it may stop without a report. */
  "checkpoint.discard": {
    route: "DELETE /session/:sessionId/checkpoint",
    scope: "prompt",
    fields: { sessionId },
    answer: object({ goal: text }),
    needsOpenSession,
  },
} as const satisfies CommandRows;
