/** What kedge notes about a worktree it made, in the folder git keeps for that worktree: it goes with it. */
import { readFileSync, writeFileSync } from "node:fs";
import { isAbsolute, join, normalize, sep } from "node:path";
import { isWorktreeBranch } from "./worktree-name.ts";

export type WorktreeRecord = {
  readonly name: string;
  readonly branch: string;
  /** The commit it began with. */
  readonly base: string;
  readonly createdAt: number;
  /** Ignored files that were copied into it, by their path in the tree, with the digest they had. */
  readonly copied: { readonly [path: string]: string };
};

const fileName = "kedge-worktree.json";

export function writeWorktreeRecord(gitDirectory: string, record: WorktreeRecord): void {
  writeFileSync(join(gitDirectory, fileName), `${JSON.stringify(record)}\n`, { mode: 0o600 });
}

/** Undefined where kedge did not make the worktree, or did not get to the end of it. */
export function readWorktreeRecord(gitDirectory: string): WorktreeRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(gitDirectory, fileName), "utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    // Absent or damaged: the tree then counts as somebody else's and stays.
    return undefined;
  }
}

/** Whoever works in the worktree may be able to write there: what would reach beyond it is no record. */
function isRecord(value: unknown): value is WorktreeRecord {
  if (typeof value !== "object" || value === null) return false;
  const { name, branch, base, createdAt, copied } = value as { readonly [key: string]: unknown };
  return (
    typeof name === "string" &&
    typeof branch === "string" &&
    isWorktreeBranch(branch) &&
    typeof base === "string" &&
    /^[0-9a-f]{40,64}$/.test(base) &&
    typeof createdAt === "number" &&
    typeof copied === "object" &&
    copied !== null &&
    Object.entries(copied).every(([path, digest]) => typeof digest === "string" && isInside(path))
  );
}

function isInside(path: string): boolean {
  const plain = normalize(path);
  return !isAbsolute(plain) && plain !== "." && plain !== ".." && !plain.startsWith(`..${sep}`);
}
