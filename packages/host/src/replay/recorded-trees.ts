/** The trees that a project's snapshots still hold, for replays of its sessions. */
import { join } from "node:path";
import type { Snapshots } from "@kedge/protocol";
import { childEnvironment } from "@kedge/sandbox";
import { createGitSnapshots } from "@kedge/store";
import { createProcessTie } from "@kedge/tools";
import { homeDirectory, openHome } from "../machine/home.ts";
import { thisProcess } from "../machine/identity.ts";
import { findProject } from "../machine/project.ts";
import type { CheckOut } from "./scratch-workspace.ts";

export type RecordedTreesOptions = {
  /** Where the session worked. */
  readonly directory: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly userDirectory: string;
};

export type RecordedTrees = { readonly root?: string; readonly checkOut?: CheckOut };

/** Empty where the directory of the session is not on this machine. The git that reads them ends with this process. */
export function openRecordedTrees({ directory, environment, userDirectory }: RecordedTreesOptions): RecordedTrees {
  const project = projectAt(directory);
  const opened = openHome(homeDirectory(environment, userDirectory));
  if (project === undefined || !opened.ok) return {};
  const tie = createProcessTie(thisProcess());
  const snapshots: Snapshots = createGitSnapshots({
    directory: join(opened.home.snapshots, project.projectId),
    root: project.root,
    environment: () => tie.environment(childEnvironment(environment, { scrub: true })),
    home: userDirectory,
    isInsideGitRepository: project.isGitRepository,
  });
  const { root } = project;
  if (snapshots.checkOut === undefined) return { root };
  return { root, checkOut: (tree, target) => snapshots.checkOut?.(tree, target) ?? Promise.resolve(false) };
}

function projectAt(directory: string): ReturnType<typeof findProject> | undefined {
  try {
    return findProject(directory);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EACCES"))
      return undefined;
    throw error;
  }
}
