/** Schemas of what the host answers with: states, files, terminals, tasks, models and settings. */

import {
  flag,
  list,
  named,
  number,
  object,
  optional,
  schemaOf,
  text,
  type ValueOf,
  words,
  yes,
} from "../json/schema.ts";
import type { PermissionRequest } from "../permission.ts";
import { changeFields, json, permissionRule, ruleFields, ruleSource, time } from "./words.ts";

export const sessionStatus = named(
  "SessionStatus",
  object({
    /** `retry`: the vendor is asked again at `until`; `waiting`: for an answer of a person. */
    state: words("idle", "busy", "retry", "waiting"),
    /** Milliseconds since the epoch. */
    until: optional(time),
    /** How often the vendor was asked without success so far, and how often it is asked at most. */
    attempt: optional(number),
    attemptsMax: optional(number),
    /** The sentence of the failure that is the reason for it. */
    reason: optional(text),
  }),
);

export const fileDiff = object({ ...changeFields, additions: number, deletions: number, patch: text });

export const vcsFile = named("VcsFile", object({ path: text, index: text, worktree: text }));

export const listedRule = named(
  "ListedRule",
  object({
    ...ruleFields,
    /** Present if the rule can be removed again. */
    ruleId: optional(text),
    source: ruleSource,
  }),
);

const terminalFields = {
  ptyId: text,
  command: text,
  directory: text,
  columns: number,
  rows: number,
  startedAt: time,
  /** How many bytes it has written so far. */
  cursor: number,
  /** Present once it has ended. */
  exitCode: optional(number),
} as const;

export const terminalSummary = named("Terminal", object(terminalFields));
export const terminalScreen = object({ ...terminalFields, screen: text });

const taskFields = {
  sessionId: text,
  taskId: text,
  command: text,
  status: words("running", "ended"),
  durationMs: optional(number),
  result: optional(text),
} as const;

export const taskSummary = named("Task", object(taskFields));
export const taskOutput = object({ ...taskFields, output: text });

/** What is known of a model; what nobody stated is absent. */
export const modelSummary = object({
  model: text,
  name: text,
  contextTokens: optional(number),
  outputTokens: optional(number),
  inputUsdPerMillion: optional(number),
  outputUsdPerMillion: optional(number),
  hasTools: optional(flag),
  hasReasoning: optional(flag),
  hasVision: optional(flag),
});

export const doctorCheck = named(
  "DoctorCheck",
  object({
    name: text,
    state: words("ok", "warning", "error"),
    /** What was found, to be read after the name. */
    sentence: text,
    /** What to do about it. */
    next: optional(text),
  }),
);

export const configLayer = words(
  ...(["default", "user", "project", "local", "file", "environment", "command-line", "session", "policy"] as const),
);

/** One setting as it counts, and where it was written. Secret values are left out. */
export const configEntry = object({
  key: text,
  value: json,
  layer: configLayer,
  file: optional(text),
  line: optional(number),
});

export const permissionRequest = schemaOf<PermissionRequest & { readonly sessionId: string }>()(
  named(
    "PermissionRequest",
    object({
      sessionId: text,
      requestId: text,
      callId: text,
      tool: text,
      permission: text,
      patterns: list(text),
      always: list(text),
      reason: text,
      preview: optional(text),
      inputText: optional(text),
      evidence: optional(list(text)),
      isIrreversible: optional(yes),
      isSavable: optional(yes),
      saves: optional(list(permissionRule)),
      agent: optional(object({ agentId: text, agent: text, parentId: text, name: optional(text) })),
    }),
  ),
);

export type SessionStatus = ValueOf<typeof sessionStatus>;
export type FileDiff = ValueOf<typeof fileDiff>;
export type VcsFile = ValueOf<typeof vcsFile>;
export type ListedRule = ValueOf<typeof listedRule>;
export type TerminalSummary = ValueOf<typeof terminalSummary>;
export type TaskSummary = ValueOf<typeof taskSummary>;
export type ListedModelSummary = ValueOf<typeof modelSummary>;
export type DoctorCheck = ValueOf<typeof doctorCheck>;
export type ConfigEntry = ValueOf<typeof configEntry>;
export type ConfigLayer = ValueOf<typeof configLayer>;

/** How an account is signed in to: a code for any browser, a browser on this machine, or a profile of it. */
export const loginMethod = words("device", "browser", "profile");
