/** Workflows of this place of work, with what they need of the machine. */
import { join } from "node:path";
import { type AgentRuns, FailureError } from "@kedge/protocol";
import { zodModule } from "../code/zod-module.ts";
import { openWorkflows, type WorkflowParts, type Workflows } from "./open-workflows.ts";

export type ProjectWorkflowParts = Omit<WorkflowParts, "root" | "runs" | "newRunId" | "directory" | "zodUrl"> & {
  /** Undefined where agents are switched off. */
  readonly agents: { readonly runs: () => Promise<AgentRuns> } | undefined;
  readonly newId: (prefix: "run_") => string;
};

export function openProjectWorkflows({ agents, newId, ...parts }: ProjectWorkflowParts): Workflows {
  return openWorkflows({
    ...parts,
    root: parts.project.root,
    directory: join(parts.home.data, "workflows"),
    zodUrl: zodModule,
    newRunId: () => newId("run_").replace("run_", "wfr_"),
    runs: () => agents?.runs() ?? Promise.reject(new FailureError(noAgents)),
  });
}

const noAgents = {
  code: "configuration",
  message: "Workflows need agents, which are turned off.",
  recovery: "Set agents.enabled to true.",
  retryable: false,
} as const;
