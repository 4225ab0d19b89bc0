/** What holds where no rule decided: the level of each mode, and below it the builtin level of each permission. */
import { join, sep } from "node:path";
import type { PermissionAction } from "@kedge/protocol";
import { canonicalPermission } from "./names.ts";
import type { JudgeCall, JudgeContext, Subject } from "./subject.ts";

/** Allowed without a rule; everything else, the unknown above all, asks. */
export const allowedByDefault: ReadonlySet<string> = new Set([
  "read",
  "glob",
  "grep",
  "list",
  "lsp",
  "todo",
  "question",
  "agent",
  "send_message",
  "task_output",
  "task_stop",
  "codesearch",
  "memory_search",
  "ast_grep",
  "job",
  "checkpoint",
  "rewind",
  "resolve",
  "structured_output",
  "tool_search",
  "batch",
  "bash_output",
  "bash_kill",
  "scratch",
]);

/** They change nothing but the session, or are the way out of planning. */
const usableWhilePlanning: ReadonlySet<string> = new Set(["todo", "question", "plan", "tool_search", "scratch"]);

export function builtinLevel(permission: string): PermissionAction {
  return allowedByDefault.has(permission) ? "allow" : "ask";
}

export type Level = {
  readonly action: PermissionAction;
  readonly source: "mode" | "default" | "sandbox";
  /** Allowed only where it cannot act. */
  readonly isConfined?: true;
};

const byDefault = {
  allow: { action: "allow", source: "default" },
  ask: { action: "ask", source: "default" },
  deny: { action: "deny", source: "default" },
} as const satisfies { [Action in PermissionAction]: Level };

const allowedConfined: Level = { ...byDefault.allow, isConfined: true };
const allowedByMode: Level = { action: "allow", source: "mode" };
const allowedBySandbox: Level = { action: "allow", source: "sandbox" };

export function levelWithoutRule(subject: Subject, context: JudgeContext, root: string): Level {
  const { mode } = context;
  if (subject.floor === undefined) {
    if (subject.isTransparent || subject.isCovered) return byDefault.allow;
    // Whoever bypasses permissions wants to see the machine as it is.
    if (subject.look === "plain" && !context.isTrial) return byDefault.allow;
    if (subject.look === "confined" && !context.isTrial) return mode === "bypass" ? byDefault.allow : allowedConfined;
  }
  switch (mode) {
    case "bypass":
      return isHeldInBypass(subject, context) ? byDefault.ask : allowedByMode;
    case "accept-edits":
      if (subject.permission === "edit" && subject.place === "inside" && subject.floor === undefined)
        return allowedByMode;
      break;
    case "plan":
      if (isPlanFile(subject, root)) return allowedByMode;
      break;
    case "default":
    // Until something else can answer, every question of auto mode goes to a person.
    case "auto":
      break;
  }
  if (subject.floor !== undefined) return byDefault.ask;
  if (context.isSandboxed && isHeldBySandbox(subject)) return allowedBySandbox;
  if (context.isTrial && subject.permission === "edit" && subject.place === "inside") return byDefault.allow;
  return byDefault[builtinLevel(subject.permission)];
}

/** Commands, and the files of the workspace that they write to. */
function isHeldBySandbox({ permission, outward, whole, place }: Subject): boolean {
  if (permission === "bash") return outward === undefined;
  return permission === "edit" && whole !== undefined && place === "inside";
}

/** A command that is not understood may do anything, and then only a sandbox holds it. */
function isHeldInBypass({ permission, floor }: Subject, { isSandboxed }: JudgeContext): boolean {
  if (permission === "secret_file" || permission === "sandbox_network" || floor?.kind === "guard") return true;
  return floor?.kind === "unknown" && !isSandboxed;
}

/** They concern the session alone, and serve an agent that only looks. */
const usableWhileLooking: ReadonlySet<string> = new Set(["todo", "question", "tool_search", "structured_output"]);

/** For those that may only look: true for what reads, and for what concerns nothing but the session. */
export function changesNothing({ tool, needs, readOnly }: JudgeCall): boolean {
  const isLook = readOnly && needs.every(({ access }) => access !== "write" && access !== "outward");
  return isLook || usableWhileLooking.has(canonicalPermission(tool));
}

/** Planning is a ceiling: true means that no allow, by rule or by grant, lets the call run. */
export function forbiddenWhilePlanning(call: JudgeCall, subjects: readonly Subject[], root: string): boolean {
  const changes = !call.readOnly || call.needs.some((need) => need.access === "write" || need.access === "outward");
  return (
    changes && !subjects.every((subject) => usableWhilePlanning.has(subject.permission) || isPlanFile(subject, root))
  );
}

function isPlanFile(subject: Subject, root: string): boolean {
  if (subject.permission !== "edit" || subject.place !== "inside" || subject.path === undefined) return false;
  return subject.path.startsWith(join(root, ".kedge", "plans", sep));
}
