/** Words of permission: what a call needs, the rules that answer it, and the decision that is recorded. */
import type { JsonObject } from "./json/json.ts";

export type PermissionAction = "allow" | "ask" | "deny";

export type PermissionMode = "default" | "accept-edits" | "plan" | "auto" | "bypass";

export const permissionModes: readonly PermissionMode[] = ["default", "accept-edits", "plan", "auto", "bypass"];

/** One thing a call must be permitted to do. A tool states its risks here and never asks by itself. */
export type Need = {
  /** Permission name, such as `read`, `edit`, `bash`, `external_directory`. */
  readonly permission: string;
  /** The strings that rules are matched against; each must be allowed. */
  readonly patterns: readonly string[];
  /** Patterns proposed when the user answers "always". Empty means "always" is not offered. */
  readonly always: readonly string[];
  readonly access: "read" | "write" | "execute" | "network" | "outward";
  /** Absolute paths that the call touches. */
  readonly paths?: readonly string[];
  /** Why a rule written before is not enough: only one that spells out a pattern, or an answer now, allows it. */
  readonly unreviewed?: string;
};

/** Rules of one source form an ordered list; the last matching one wins. */
export type PermissionRule = {
  readonly permission: string;
  readonly pattern: string;
  readonly action: PermissionAction;
};

/** Where a rule was written. Order of precedence is the judge's business. */
export type RuleSource =
  | "policy"
  | "session"
  | "command-line"
  | "flag"
  | "local"
  | "user"
  | "project"
  | "agent"
  | "builtin";

export type RuleSet = { readonly source: RuleSource; readonly rules: readonly PermissionRule[] };

/** The recorded answer for one call: what was decided, by whom, because of which rules. */
export type PermissionDecision = {
  readonly behavior: "allow" | "deny";
  readonly source: "rule" | "mode" | "default" | "sandbox" | "classifier" | "user" | "guard" | "headless" | "phase";
  readonly reason: string;
  readonly rules: readonly (PermissionRule & { readonly source: RuleSource })[];
  /** What it does leaves this machine, whatever allowed it. */
  readonly outward?: true;
  /** The side question that allowed it. */
  readonly classifier?: { readonly model: string; readonly latencyMs: number; readonly usd: number };
};

/** A question for a person, as it is shown and recorded. */
export type PermissionRequest = {
  readonly requestId: string;
  readonly callId: string;
  readonly tool: string;
  readonly permission: string;
  /** The strings that need an answer, whole and unshortened. */
  readonly patterns: readonly string[];
  readonly always: readonly string[];
  readonly reason: string;
  /** What the person should see before answering, such as a command or a diff. */
  readonly preview?: string;
  /** The whole input of the call as JSON; absent when it is too long to be shown or changed. */
  readonly inputText?: string;
  /** What the machine and the record of the session say about it, one line each; never words of the model. */
  readonly evidence?: readonly string[];
  /** What it does cannot be taken back: the answer that is offered first is "reject", and none lasts for longer. */
  readonly isIrreversible?: true;
  /** The reply "project" is offered: it saves allow rules for the patterns of `always`. */
  readonly isSavable?: true;
  /** Exactly those rules. */
  readonly saves?: readonly PermissionRule[];
  /** The agent that asks, and the session it works for; absent for a session that works for nobody. */
  readonly agent?: AskingAgent;
};

export type AskingAgent = {
  readonly agentId: string;
  readonly agent: string;
  readonly parentId: string;
  /** The name it is addressed by, where it has one. */
  readonly name?: string;
};

/** `session` allows it until this kedge ends; `project` does too, and saves the rules in the user's file there. */
export type PermissionReply = "once" | "session" | "project" | "reject";

/** What a person says to a permission question. */
export type PermissionAnswer = {
  readonly reply: PermissionReply;
  readonly message?: string;
  /** Only with "once": runs in the place of the model's input, if it is permitted. */
  readonly updatedInput?: JsonObject;
};
