/** Permission names: the canonical ones, and every other name under which rules and models know them. */
import { hasWildcard, matchGlob } from "./glob.ts";

/** Canonical name, then its other names; all in lower case. */
const namesInUse: readonly (readonly [string, ...string[]])[] = [
  ["read", "view", "notebook_read", "notebookread"],
  [
    "edit",
    "write",
    "multi_edit",
    "multiedit",
    "apply_patch",
    "applypatch",
    "patch",
    "notebook_edit",
    "notebookedit",
    "edit_lines",
  ],
  ["bash", "shell"],
  ["glob", "find"],
  ["grep", "search"],
  ["list", "ls"],
  ["webfetch", "web_fetch"],
  ["websearch", "web_search"],
  ["codesearch", "code_search"],
  ["agent", "task"],
  ["skill"],
  ["todo", "todo_write", "todowrite", "todo_read", "todoread"],
  ["question", "ask_user_question", "askuserquestion"],
  ["lsp"],
  ["plan", "plan_enter", "plan_exit", "enterplanmode", "exitplanmode"],
  ["worktree", "worktree_enter", "worktree_exit"],
  ["external_directory"],
  ["doom_loop"],
  ["secret_file"],
];

const canonicalNames: ReadonlyMap<string, string> = new Map(
  namesInUse.flatMap((names) => names.map((name) => [name, names[0]] as const)),
);

const otherNames: ReadonlyMap<string, readonly string[]> = new Map(
  namesInUse.map(([canonical, ...others]) => [canonical, others]),
);

/** Names of MCP and custom tools are their own permission, in lower case. */
export function canonicalPermission(name: string): string {
  const known = canonicalNames.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  return canonicalNames.get(lower) ?? lower;
}

/** True if a rule written for `ruleName` speaks about `permission`, which is canonical. */
export function namesPermission(ruleName: string, permission: string): boolean {
  if (ruleName === permission || ruleName === "*") return true;
  if (!hasWildcard(ruleName)) return canonicalPermission(ruleName) === permission;
  const glob = ruleName.toLowerCase();
  if (matchGlob(glob, permission)) return true;
  return otherNames.get(permission)?.some((name) => matchGlob(glob, name)) ?? false;
}

/** As it is written in `Tool(pattern)`: `Bash`, `Edit`, but `external_directory` and `mcp__github__search`. */
export function displayName(permission: string): string {
  return /^[a-z]+$/.test(permission) ? permission.charAt(0).toUpperCase() + permission.slice(1) : permission;
}
