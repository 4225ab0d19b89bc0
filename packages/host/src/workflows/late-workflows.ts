/** Workflows for whoever wants them: nothing of them is loaded before. */
import type { AgentRuns } from "@kedge/protocol";
import { childEnvironment } from "@kedge/sandbox";
import type { AssembleOptions } from "../assembly/assemble-options.ts";
import type { LiveConfiguration } from "../assembly/live-configuration.ts";
import type { ProcessParts } from "../assembly/process-parts.ts";
import type { Workflows } from "./open-workflows.ts";

export type { Workflows } from "./open-workflows.ts";

export type LateWorkflowParts = {
  readonly options: AssembleOptions;
  readonly own: ProcessParts;
  readonly live: LiveConfiguration;
  /** Undefined where agents are switched off. */
  readonly agents: { readonly runs: () => Promise<AgentRuns> } | undefined;
};

export function lateWorkflows({ options, own, live, agents }: LateWorkflowParts): () => Promise<Workflows> {
  const { home, project, userDirectory, interactive, configuration, environment } = options;
  const { redact, now, newId, tie, telemetry } = own;
  let opening: Promise<Workflows> | undefined;
  const open = async () =>
    (await import("./open-project-workflows.ts")).openProjectWorkflows({
      ...{ home, project, userDirectory, redact, now, newId, interactive, agents },
      disabledSources: configuration.instructions.disabledSources,
      environment: () =>
        tie.environment(childEnvironment(telemetry.forChildren(environment), { scrub: true, ...live.env })),
    });
  return () => {
    opening ??= open();
    return opening;
  };
}
