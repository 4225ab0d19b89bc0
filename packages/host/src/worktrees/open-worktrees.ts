/** The repository in which worktrees are made here, or why none can be. */
import { accessSync, constants, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CreateParts, prepareWorktreesFolder, type Repository, type WorktreeHooks } from "@kedge/agents/worktrees";
import { type Answer, refused } from "@kedge/protocol";
import { childEnvironment } from "@kedge/sandbox";
import type { Configuration } from "../configuration/load-configuration.ts";
import { whileHeld } from "../machine/file-lock.ts";
import type { Home } from "../machine/home.ts";
import type { Project } from "../machine/project.ts";
import { gitProgramOf } from "../trust/git-programs.ts";
import { judgeWorkspace } from "../trust/workspace-trust.ts";
import { mainCheckout } from "./main-checkout.ts";

export type WorktreeSite = {
  readonly home: Home;
  readonly project: Project;
  readonly configuration: Pick<Configuration, "worktree">;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly userDirectory: string;
  readonly now: () => number;
  /** Absent where nobody configured any for worktrees. */
  readonly worktreeHooks?: WorktreeHooks | undefined;
};

/** The same for the checkout that kedge runs in, which may be a worktree: graders copy and run what is there. */
export function openCheckout(site: WorktreeSite): Answer<CreateParts> {
  const opened = openWorktrees(site);
  if (!opened.ok) return opened;
  const repository = { ...opened.value.repository, root: site.project.root };
  return { ok: true, value: { ...opened.value, repository } };
}

/** What a checkout would run belongs to the repository, so it needs trust like everything else of it. */
export function openWorktrees(site: WorktreeSite): Answer<CreateParts> {
  const { home, project, configuration, environment, userDirectory, now, worktreeHooks: hooks } = site;
  const isOther = !project.isGitRepository && hooks !== undefined;
  if (!project.isGitRepository && !isOther)
    return refused("This directory is not in a git repository.", "Create one with git init and make a first commit.");
  const root = isOther ? project.root : mainCheckout(project.root);
  if (root === undefined) return refused("The main checkout of this repository cannot be found.");
  const program = gitProgramOf(root);
  if (program !== undefined && judgeWorkspace({ home, root, userDirectory, now }).state !== "trusted") {
    const message = `This repository's git configuration would run programs (${program}).`;
    return refused(message, "Trust the project first: kedge trust add.");
  }
  const own = childEnvironment(environment, { scrub: true });
  const repository: Repository = { root, gitPath: "git", environment: own, alone: (work) => whileAlone(root, work) };
  const { dependencies } = configuration.worktree;
  const parts = { repository, dependencyFolders: dependencies, temporaryDirectory: tmpdir(), now };
  return { ok: true, value: { ...parts, ...(hooks !== undefined && { hooks }) } };
}

/** Whoever is inside may remove a large folder. */
const wait = { lookMs: 20, waitMsMax: 10 * 60_000 };

/** The same place for everybody who works in this repository, in whatever home kedge keeps its own files. */
function whileAlone<Result>(root: string, work: () => Promise<Result>): Promise<Result> {
  const folder = lockFolder(root);
  // Where nothing can be written, nothing is half made.
  return folder === undefined ? work() : whileHeld(join(folder, "kedge-worktrees"), work, wait);
}

/** A submodule has a file in the place of a folder, and other version control systems have neither. */
function lockFolder(root: string): string | undefined {
  const own = join(root, ".git");
  const isFolder = statSync(own, { throwIfNoEntry: false })?.isDirectory() === true;
  const folder = isFolder ? { ok: true as const, value: own } : prepareWorktreesFolder(root);
  if (!folder.ok) return undefined;
  try {
    accessSync(folder.value, constants.W_OK);
    return folder.value;
  } catch {
    return undefined;
  }
}
