/** Branch, status and changes of the user's repository. Nothing that the repository brings is run to find them out. */
import { join } from "node:path";
import { type QueryAnswer, type Refused, refused, type VcsFile } from "@kedge/protocol";
import { runLooking } from "../machine/bounded-process.ts";
import { gitProgramOf } from "../trust/git-programs.ts";
import { judgeWorkspace } from "../trust/workspace-trust.ts";
import type { HostDeskParts } from "./host-desk.ts";
import { newShownFiles } from "./shown-files.ts";
import { splitDiff } from "./split-diff.ts";

type GitParts = Pick<HostDeskParts, "project" | "home" | "userDirectory" | "now" | "reading" | "commandEnvironment">;

const outputBytesMax = 2 * 1024 * 1024;
const timeoutMs = 10_000;

/** Hooks and watchers of the repository stay off, and the user's index is not refreshed. */
const onlyLooking = [
  "--no-optional-locks",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.quotePath=true",
  // Repositories inside of this one have settings of their own, which nobody has looked at.
  "-c",
  "diff.ignoreSubmodules=all",
];

type GitOutput = { readonly ok: true; readonly text: string; readonly isCut: boolean } | Refused;

async function git(parts: GitParts, gitArguments: readonly string[]): Promise<GitOutput> {
  const { root, isGitRepository } = parts.project;
  if (!isGitRepository) return refused("This directory is not in a git repository.");
  const program = gitProgramOf(root);
  if (program !== undefined && judgeWorkspace({ ...parts, root }).state !== "trusted") {
    const message = `This repository's git configuration would run programs (${program}).`;
    return refused(message, "Trust the project first: kedge trust add.");
  }
  const looked = await runLooking({
    program: "git",
    arguments: [...onlyLooking, ...gitArguments],
    cwd: root,
    environment: { ...parts.commandEnvironment(), GIT_TERMINAL_PROMPT: "0", GIT_NO_LAZY_FETCH: "1" },
    outputBytesMax,
    timeoutMs,
  });
  if (!looked.ok) return refused(`git failed: ${looked.problem}.`);
  return { ok: true, text: looked.output.toString("utf8"), isCut: looked.isCut };
}

export async function readVcs(parts: GitParts): Promise<QueryAnswer<"vcs.read">> {
  const status = await git(parts, [
    ...["status", "--porcelain=v2", "--branch", "-z"],
    ...["--untracked-files=all", "--ignore-submodules=all"],
  ]);
  if (!status.ok) return status;
  const entries = status.text.split("\0");
  const mayShow = parts.reading.below(parts.project.root);
  const branch = headOf(entries, "# branch.head ");
  const commit = headOf(entries, "# branch.oid ");
  const counts = /^\+(\d+) -(\d+)$/.exec(headOf(entries, "# branch.ab ") ?? "");
  return {
    ok: true,
    value: {
      ...(branch !== undefined && branch !== "(detached)" && { branch }),
      ...(commit !== undefined && commit !== "(initial)" && { commit }),
      ...(counts !== null && { ahead: Number(counts[1]), behind: Number(counts[2]) }),
      files: filesOf(entries).filter(({ path }) => mayShow(join(parts.project.root, path))),
    },
  };
}

function headOf(entries: readonly string[], name: string): string | undefined {
  return entries.find((entry) => entry.startsWith(name))?.slice(name.length);
}

/** How many fields stand before the path. */
const fieldsBefore: { readonly [kind: string]: number } = { "1": 8, "2": 9, u: 10 };

function filesOf(entries: readonly string[]): readonly VcsFile[] {
  const files: VcsFile[] = [];
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at] ?? "";
    const kind = entry[0] ?? "";
    if (kind === "?") files.push({ path: entry.slice(2), index: "?", worktree: "?" });
    const before = fieldsBefore[kind];
    if (before === undefined) continue;
    const fields = entry.split(" ");
    const [index = ".", worktree = "."] = fields[1] ?? "";
    files.push({ path: fields.slice(before).join(" "), index, worktree });
    // The old name of a renamed file is an entry of its own.
    if (kind === "2") at += 1;
  }
  return files;
}

export async function diffVcs(parts: GitParts): Promise<QueryAnswer<"vcs.diff">> {
  const diff = await git(parts, [
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    // The patch of a renamed file would show lines of the old one, which may be closed.
    "--no-renames",
    "--ignore-submodules=all",
    "HEAD",
    "--",
  ]);
  if (!diff.ok) return diff;
  const mayShow = newShownFiles(parts.reading, parts.project.root);
  const patches = [...splitDiff(diff.text)].filter(([path]) => mayShow(join(parts.project.root, path)));
  return { ok: true, value: { text: patches.map(([, { patch }]) => patch).join(""), isCut: diff.isCut } };
}

export async function statusOfFiles(parts: GitParts): Promise<QueryAnswer<"file.status">> {
  const vcs = await readVcs(parts);
  return vcs.ok ? { ok: true, value: { files: vcs.value.files } } : vcs;
}
