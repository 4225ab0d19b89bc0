/** Schemas of the words that rows share: ids, rules, media, amounts and failures. */
import type { Cost, Media, StopReason, Usage } from "../content.ts";
import { efforts } from "../contracts/model.ts";
import type { Question, Todo } from "../contracts/tool.ts";
import type { FileChange, Subtask } from "../facts/fact-words.ts";
import { type Failure, failureCodes } from "../failure.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { JsonSchema } from "../json/json-schema.ts";
import {
  closed,
  flag,
  integer,
  list,
  matching,
  named,
  number,
  object,
  optional,
  type Schema,
  schemaOf,
  text,
  textWithin,
  type ValueOf,
  words,
} from "../json/schema.ts";
import { type PermissionRule, permissionModes, type RuleSource } from "../permission.ts";

export const json: Schema<Json> = { description: "Any JSON value." };
export const jsonObject: Schema<JsonObject> = { type: "object" };
/** Whoever uses it checks it: its keywords are few and others are ignored. */
export const jsonSchema: Schema<JsonSchema> = { type: "object" };
export const nothing: Schema<Record<never, never>> = { type: "object" };

/** Imported and forked sessions have ids of ours as well; the rest of an id is up to whoever made it. */
export const sessionId = matching("^ses_[A-Za-z0-9_-]{1,64}$");
export const ofSession = object({ sessionId: text });
/** Ids of messages and entries of the tree: of prompts, steps and what belongs to them. */
export const entryId = matching("^[a-z]{3,5}_[A-Za-z0-9_.-]{1,80}$");
export const promptId = matching("^prm_[A-Za-z0-9_-]{1,64}$");
/** Of requests, rules, terminals and tasks. */
export const shortId = matching("^[A-Za-z0-9_.:-]{1,128}$");
export const providerId = matching("^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$");
export const modelRef = textWithin({ minLength: 1, maxLength: 256 });

/** Milliseconds since the epoch. */
export const time = number;
export const count = integer({ minimum: 0 });
export const filled = textWithin({ minLength: 1 });

export const permissionMode = words(...permissionModes);
export const permissionReply = words("once", "session", "project", "reject");

export const ruleFields = { permission: filled, pattern: text, action: words("allow", "ask", "deny") } as const;
export const permissionRule = schemaOf<PermissionRule>()(closed(ruleFields));
export const ruleSource = schemaOf<RuleSource>()(
  words(...(["policy", "session", "command-line", "flag", "local", "user", "project", "agent", "builtin"] as const)),
);

export const logLevel = words("debug", "info", "warning", "error");

export const media = schemaOf<Media>()(
  named("Media", closed({ name: text, mediaType: text, base64: text, detail: optional(words("original")) })),
);

export const usage = schemaOf<Usage>()(
  named(
    "Usage",
    object({
      input: number,
      output: number,
      reasoning: number,
      cacheRead: number,
      cacheWrite: number,
      webSearches: optional(number),
    }),
  ),
);

export const cost = schemaOf<Cost>()(named("Cost", object({ usd: number, estimated: flag })));

export const changeFields = { path: text, status: words("added", "modified", "deleted") } as const;
export const fileChange = schemaOf<FileChange>()(named("FileChange", object(changeFields)));

export const failureCode = words(...failureCodes);

export const failure = schemaOf<Failure>()(
  named(
    "Failure",
    object({
      code: failureCode,
      message: text,
      recovery: optional(text),
      retryable: flag,
      status: optional(number),
      requestId: optional(text),
      retryAfterMs: optional(number),
      resetAtMs: optional(number),
      overflow: optional(object({ inputTokens: number, limitTokens: number })),
    }),
  ),
);

export const stopReason = schemaOf<StopReason>()(
  words("end", "tool-calls", "output-limit", "refused", "paused", "other"),
);

export const todo = schemaOf<Todo>()(
  named(
    "Todo",
    object({
      content: text,
      status: words("pending", "in_progress", "completed", "cancelled"),
      priority: words("high", "medium", "low"),
    }),
  ),
);

export const question = schemaOf<Question>()(
  object({
    question: text,
    options: list(object({ label: text, description: text })),
    multiSelect: optional(flag),
  }),
);

const atLeastOne = integer({ minimum: 1 });

/** A piece of work that a prompt gives to an agent. */
export const subtask = schemaOf<Subtask>()(
  named(
    "Subtask",
    closed({
      agent: optional(text),
      prompt: filled,
      description: textWithin({ minLength: 1, maxLength: 200 }),
      model: optional(text),
    }),
  ),
);

/** Limits and wishes of one run. Absent means no limit. */
export const runOptions = named(
  "RunOptions",
  closed({
    turnsMax: optional(atLeastOne),
    budgetUsdMax: optional<number>({ type: "number", minimum: 0 }),
    tokensMax: optional(atLeastOne),
    /** The last step is told to sum up and gets no tools. */
    stepsMax: optional(atLeastOne),
    answerSchema: optional(jsonSchema),
    reasoning: optional(closed({ effort: optional(words(...efforts)), tokensMax: optional(count) })),
    /** Used when the session's model is unavailable, at most once per run. */
    fallbackModel: optional(text),
  }),
);

export type RunOptions = ValueOf<typeof runOptions>;
