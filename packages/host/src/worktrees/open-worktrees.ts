/** The repository in which worktrees are made here, or why none can be. */
import { tmpdir } from "node:os";
import type { CreateParts, Repository } from "@kedge/agents/worktrees";
import { type Answer, refused } from "@kedge/protocol";
import { childEnvironment } from "@kedge/sandbox";
import type { Configuration } from "../configuration/load-configuration.ts";
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
};

/** What a checkout would run belongs to the repository, so it needs trust like everything else of it. */
export function openWorktrees(site: WorktreeSite): Answer<CreateParts> {
  const { home, project, configuration, environment, userDirectory, now } = site;
  if (!project.isGitRepository)
    return refused("This directory is not in a git repository.", "Worktrees need one: git init, and a first commit.");
  const root = mainCheckout(project.root);
  if (root === undefined) return refused("The main checkout of this repository cannot be found.");
  const program = gitProgramOf(root);
  if (program !== undefined && judgeWorkspace({ home, root, userDirectory, now }).state !== "trusted") {
    const message = `This repository's git configuration would run programs (${program}).`;
    return refused(message, "Trust the project first: kedge trust add.");
  }
  const repository: Repository = { root, gitPath: "git", environment: childEnvironment(environment, { scrub: true }) };
  const { dependencies } = configuration.worktree;
  return { ok: true, value: { repository, dependencyFolders: dependencies, temporaryDirectory: tmpdir(), now } };
}
