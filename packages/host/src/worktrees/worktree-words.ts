/** How worktrees are listed for people and for scripts. */
import { relative } from "node:path";
import type { ListedWorktree, WorktreeState } from "@kedge/agents/worktrees";
import type { Json } from "@kedge/protocol";

export function worktreeData(tree: ListedWorktree): Json {
  if (tree.kind === "left") return { directory: tree.directory, state: "unknown", reasons: [tree.why] };
  const { name, branch, base, createdAt } = tree.record;
  return {
    ...{ name, branch, base, directory: tree.directory, createdAt: new Date(createdAt).toISOString() },
    ...{ state: tree.state.kind, reasons: [...reasonsOf(tree.state)] },
  };
}

export function reasonsOf(state: WorktreeState): readonly string[] {
  if (state.kind === "clean") return [];
  return state.kind === "dirty" ? state.reasons : [state.problem];
}

export function worktreeLines(worktrees: readonly ListedWorktree[], place: { root: string; now: number }): string {
  if (worktrees.length === 0) return "No worktrees. Start a session in one with kedge --worktree.";
  return worktrees
    .map((tree) => {
      const where = relative(place.root, tree.directory);
      if (tree.kind === "left")
        return `${tree.hook?.name ?? where}\n  ${tree.hook === undefined ? "cannot be removed by kedge: " : `${tree.directory}, `}${tree.why}`;
      const state = tree.state.kind === "clean" ? "no unsaved work" : reasonsOf(tree.state).join(", ");
      const { name, branch, createdAt } = tree.record;
      return `${name}  ${ageText(place.now - createdAt)} old, ${state}\n  ${where}, branch ${branch}`;
    })
    .join("\n");
}

const minuteMs = 60_000;
const units: readonly (readonly [name: string, ms: number])[] = [
  ["day", 24 * 60 * minuteMs],
  ["hour", 60 * minuteMs],
  ["minute", minuteMs],
];

function ageText(ms: number): string {
  const [name, unit] = units.find(([, size]) => ms >= size) ?? ["minute", minuteMs];
  const count = Math.max(1, Math.floor(ms / unit));
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}
