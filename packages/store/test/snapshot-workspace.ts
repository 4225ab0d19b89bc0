/** A throw-away workspace for tests of snapshots, with a look at its files and at the user's repository in it. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Snapshots } from "@kedge/protocol";
import type { GitSnapshotsOptions } from "../src/index.ts";

export type SnapshotPlace = { readonly folder: string; readonly root: string; readonly options: GitSnapshotsOptions };

/** A folder for one test, with an empty workspace in it; whoever opens it removes it. */
export function openSnapshotPlace(more: Partial<GitSnapshotsOptions> = {}): SnapshotPlace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "kedge-snapshots-")));
  const root = join(folder, "project");
  mkdirSync(root);
  const options = {
    directory: join(folder, "snapshots"),
    root,
    environment: () => environment,
    home: join(folder, "home"),
    isInsideGitRepository: true,
    ...more,
  };
  return { folder, root, options };
}

/** This process, among others that all live but the one called dead. */
export const processes = {
  own: { boot: "own", pid: process.pid, startedAt: "" },
  isAlive: ({ boot }: { readonly boot: string }) => boot !== "dead",
};

export const environment = { PATH: process.env["PATH"] };

export const never = new AbortController().signal;

export function runUserGit(root: string, words: readonly string[]): string {
  const env = { ...environment, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const names = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
  return execFileSync("git", [...names, ...words], { cwd: root, env, encoding: "utf8", stdio: "pipe" });
}

export function putFile(root: string, path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

export async function takenTree(snapshots: Snapshots): Promise<string> {
  const tracked = await snapshots.track(never);
  if (!tracked.ok) throw new Error(tracked.why);
  return tracked.tree;
}

/** Every file of the workspace but the user's repository: kind, executable bit and content. */
export function workspaceFiles(root: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(root.length + 1);
    if (name === ".git" || name.startsWith(".git/") || entry.isDirectory()) continue;
    // Its name is not text, so that it cannot be opened by it.
    if (name.includes("\ufffd")) files[name] = "there";
    else if (entry.isSymbolicLink()) files[name] = `link ${readlinkSync(path)}`;
    else files[name] = `${(statSync(path).mode & 0o100) === 0 ? "file" : "executable"} ${readFileSync(path, "latin1")}`;
  }
  return files;
}

/** Everything of the user's repository, byte for byte. */
export function repositoryFiles(root: string): Record<string, string> {
  const state: Record<string, string> = {};
  for (const entry of readdirSync(join(root, ".git"), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) state[path] = createHash("sha256").update(readFileSync(path)).digest("hex");
  }
  return state;
}

/** A repository with enough committed files that the first snapshot starts from its index. */
export function makeLargeRepository(root: string, files = 250): void {
  runUserGit(root, ["init", "--quiet", "--initial-branch=main"]);
  for (let number = 0; number < files; number += 1) putFile(root, fileName(number), `content of ${number}\n`);
  commitAll(root);
}

export function fileName(number: number): string {
  return `part-${number % 7}/file ${number}.txt`;
}

export function commitAll(root: string): void {
  runUserGit(root, ["add", "--all"]);
  runUserGit(root, ["commit", "--quiet", "--no-gpg-sign", "-m", "state"]);
}

/** What the user's git says about itself. It may refresh its index on the way, so ask it before comparing bytes. */
export function userView(root: string): readonly string[] {
  return [
    runUserGit(root, ["status", "--porcelain=v2", "--branch", "--ignored", "-z"]),
    runUserGit(root, ["ls-files", "--stage", "-v", "-z"]),
    runUserGit(root, ["stash", "list"]),
    runUserGit(root, ["for-each-ref"]),
  ];
}
