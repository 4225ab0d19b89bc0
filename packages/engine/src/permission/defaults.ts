/** What holds where no rule decided: the level of each mode, and below it the builtin level of each permission. */
import { join, sep } from "node:path";
import type { PermissionAction, PermissionMode } from "@kedge/protocol";
import type { JudgeCall, Subject } from "./subjects.ts";

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
]);

/** They change nothing but the session, or are the way out of planning. */
const usableWhilePlanning: ReadonlySet<string> = new Set(["todo", "question", "plan", "tool_search"]);

export function builtinLevel(permission: string): PermissionAction {
  return allowedByDefault.has(permission) ? "allow" : "ask";
}

export type Level = { readonly action: PermissionAction; readonly source: "mode" | "default" };

const byDefault = {
  allow: { action: "allow", source: "default" },
  ask: { action: "ask", source: "default" },
  deny: { action: "deny", source: "default" },
} as const satisfies { [Action in PermissionAction]: Level };

const allowedByMode: Level = { action: "allow", source: "mode" };

export function levelWithoutRule(subject: Subject, mode: PermissionMode, root: string): Level {
  switch (mode) {
    case "bypass":
      return subject.permission === "secret_file" ? byDefault.ask : allowedByMode;
    case "accept-edits":
      if (subject.permission === "edit" && subject.place === "inside") return allowedByMode;
      break;
    case "plan":
      if (isPlanFile(subject, root)) return allowedByMode;
      break;
    case "default":
    // Until something else can answer, every question of auto mode goes to a person.
    case "auto":
      break;
  }
  return byDefault[builtinLevel(subject.permission)];
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
