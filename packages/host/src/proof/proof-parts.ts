/** What proof is made of, and what the tools of a session may ask of it. */
import type { Models, Reproduction, Snapshots } from "@kedge/protocol";
import type { AssembledTools } from "../assembly/assemble-tools.ts";
import type { Configuration } from "../configuration/load-configuration.ts";
import type { Project } from "../machine/project.ts";
import type { WorktreeSite } from "../worktrees/open-worktrees.ts";

export type ProofParts = Omit<WorktreeSite, "configuration"> & {
  readonly configuration: Pick<Configuration, "worktree" | "agents">;
  readonly monotonicMs: () => number;
  /** True when a person can answer questions, and does not wait for what takes long. */
  readonly interactive: boolean;
  readonly onNotice: (sentence: string) => void;
  readonly models: Pick<Models, "find">;
  /** The tools and snapshots of another folder, for agents that work there. */
  readonly toolsAt: (project: Project) => AssembledTools;
  readonly snapshotsAt: (project: Project) => Snapshots;
};

/** What runs in a session may ask of it. */
export type SessionProof = {
  readonly parts: ProofParts;
  readonly sessionId: string;
  reproductions(): readonly Reproduction[];
  /** Stored before it counts. */
  record(reproduction: Reproduction): Promise<void>;
};
