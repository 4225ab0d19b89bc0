/** Names of worktrees: which are allowed, where the tree lies and how its branch is called. */
import { join } from "node:path";
import { type Answer, refused } from "@kedge/protocol";

export const worktreesFolder = join(".kedge", "worktrees");

const charactersMax = 64;
const segment = /^[a-zA-Z0-9._-]+$/;

/** Checked before any file system call: a name becomes a path and a branch. */
export function checkWorktreeName(name: string): Answer<string> {
  const segments = name.split("/");
  const isFine =
    name.length <= charactersMax && segments.every((part) => segment.test(part) && part !== "." && part !== "..");
  if (isFine) return { ok: true, value: name };
  const shown = name.length > charactersMax ? `${name.slice(0, charactersMax)}…` : name;
  return refused(
    `"${shown}" is not a valid worktree name.`,
    `Use at most ${charactersMax} letters, digits, dots, dashes and underscores; slashes may separate parts.`,
  );
}

/** One folder for each name, so that no tree lies inside of another; `+` is in no name. */
export function worktreeFolder(name: string): string {
  return name.replaceAll("/", "+");
}

const branchPrefix = "kedge-wt-";

/** Only such a branch goes with its worktree, whatever a record says. */
export function isWorktreeBranch(branch: string): boolean {
  return branch.startsWith(branchPrefix);
}

/** Git allows fewer names for branches than we allow for worktrees. */
export function worktreeBranch(name: string, nowMs: number): string {
  const allowed = name
    .split("/")
    .map((part) =>
      part
        .replace(/^\.+/, "-")
        .replace(/\.{2,}/g, "-")
        .replace(/\.(?:lock)?$/, "-"),
    )
    .join("/");
  return `${branchPrefix}${nowMs}-${allowed}`;
}

/** The folder in which an agent works, below those of the repository; the same each time for one agent. */
export function agentWorktreeName(agentId: string): string {
  return `agent-${agentId.slice(-12)}`;
}
