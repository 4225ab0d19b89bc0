/** Moves an agent into a worktree: tools, shell, sandbox and snapshots of that folder, and the main checkout read-only. */

import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { OpenAgentWorktree } from "@kedge/agents/runs";
import {
  agentWorktreeName,
  type CreateParts,
  createWorktree,
  hookWorktrees,
  knownWorktree,
  removeWorktree,
  worktreesFolder,
} from "@kedge/agents/worktrees";
import type { AnalyseShell, Answer, SessionProfile, Snapshots, ToolSource } from "@kedge/protocol";
import { isProtectedPath } from "@kedge/sandbox";
import type { AssembledTools } from "../assembly/assemble-tools.ts";
import { gitBranchOf } from "../machine/git-branch.ts";
import type { Project } from "../machine/project.ts";
import { examineSandbox } from "../shell/command-sandbox.ts";
import { openWorktrees, type WorktreeSite } from "./open-worktrees.ts";

export type AgentWorktreeParts = {
  readonly site: WorktreeSite;
  /** The tools of another folder; with a sandbox where the machine has one. */
  readonly toolsAt: (project: Project, isSandboxed: boolean) => AssembledTools;
  readonly snapshotsAt: (project: Project) => Snapshots;
};

export function createAgentWorktrees({ site, toolsAt, snapshotsAt }: AgentWorktreeParts): OpenAgentWorktree {
  return async (agentId, leader) => {
    const opened = openWorktrees(site);
    if (!opened.ok) return opened;
    const { repository, hooks } = opened.value;
    const found = await openTree(agentWorktreeName(agentId), opened.value);
    if (!found.ok) return found;
    const { directory } = found.value;
    const inside = relative(leader.workspace.root, leader.workspace.cwd);
    const cwd = existsSync(join(directory, inside)) ? join(directory, inside) : directory;
    const project: Project = { ...site.project, cwd, root: directory };
    const sandbox = await examineSandbox();
    // One that did not respond in time may be there: commands then wait for it, or are refused.
    const tools = toolsAt(project, sandbox.ok || sandbox.missing === "answer");
    return {
      ok: true,
      value: {
        profile: moved(leader, { project, tools, snapshots: snapshotsAt(project), main: repository.root, site }),
        notice: noticeOf(directory, leader.workspace.root),
        async leave() {
          await tools.sandbox?.close();
          await tools.looks.close();
          // Whoever made it knows whether anything would be lost.
          if (found.value.isOfHook) return `Its working copy was kept, because a hook created it: ${directory}.`;
          const tree = knownWorktree(directory);
          if (tree === undefined) return undefined;
          const removal = await removeWorktree(repository, tree, hooks);
          if (removal.ok) return undefined;
          return `Its worktree was kept (${removal.reasons.join(", ")}): ${directory}, branch ${tree.record.branch}.`;
        },
      },
    };
  };
}

type Opened = { readonly directory: string; readonly isOfHook: boolean };

/** The one that the agent has already, or a new one. */
async function openTree(name: string, parts: CreateParts): Promise<Answer<Opened>> {
  const { root } = parts.repository;
  const own = hookWorktrees(root).find((tree) => tree.name === name);
  if (own !== undefined) return { ok: true, value: { directory: own.directory, isOfHook: true } };
  const directory = join(root, worktreesFolder, name);
  if (existsSync(directory)) return { ok: true, value: { directory, isOfHook: false } };
  const made = await createWorktree(name, parts);
  if (!made.ok) return made;
  return { ok: true, value: { directory: made.value.directory, isOfHook: made.value.branch === "" } };
}

export type Move = {
  readonly project: Project;
  readonly tools: AssembledTools;
  readonly snapshots: Snapshots;
  /** The root of the main checkout. */
  readonly main: string;
  readonly site: Pick<WorktreeSite, "userDirectory">;
};

/** What follows a write is left out: its servers know the main checkout. */
export function moved(
  { upkeep: _, ...leader }: SessionProfile,
  { project, tools, snapshots, main, site }: Move,
): SessionProfile {
  const { cwd, root } = project;
  const [own] = tools.offered.toolSources;
  const isOfMain = (path: string) => isBelow(path, main) && !isBelow(path, root);
  return {
    ...leader,
    snapshots,
    toolSources: leader.toolSources.map((source) => (isSameSource(source, own) ? own : source)),
    workspace: {
      ...leader.workspace,
      ...{ cwd, root, lookAtPath: tools.lookAtPath },
      branch: () => gitBranchOf(cwd),
      analyseShell: tools.sandbox === undefined ? withMainGuarded(tools.shell.analyse, isOfMain) : tools.shell.analyse,
      isOwnCopy: true,
      confinesLooks: tools.looks.isConfining,
      isSandboxed: leader.workspace.isSandboxed === true && tools.sandbox !== undefined,
      isProtected: (path) => isProtectedPath(path, { home: site.userDirectory, root }) || isOfMain(path),
    },
  };
}

/** Writes that a command shows are asked about in every mode: without a sandbox nothing else holds it. */
function withMainGuarded(analyse: AnalyseShell, isOfMain: (path: string) => boolean): AnalyseShell {
  return (command, place) => {
    const analysis = analyse(command, place);
    const files = analysis.files.map((file) =>
      file.path !== undefined && isOfMain(file.path) ? { ...file, isProtected: true } : file,
    );
    return { ...analysis, files };
  };
}

function isSameSource(source: ToolSource, own: ToolSource | undefined): own is ToolSource {
  return own !== undefined && source.name === own.name && source.kind === own.kind;
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root + sep);
}

function noticeOf(directory: string, root: string): string {
  return [
    `You work in a git worktree: ${directory}.`,
    `Paths below ${root} in your task mean the same file in the worktree. Read files there before you edit them.`,
    "What you change stays in the worktree. Commit it on the branch that is checked out there.",
  ].join(" ");
}
