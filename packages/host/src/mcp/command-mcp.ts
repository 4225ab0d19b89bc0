/** The servers for commands that start no session: they can be listed and tried. */
import { createRedactor } from "@kedge/memory";
import { childEnvironment, isSecretName } from "@kedge/sandbox";
import { createProcessTie } from "@kedge/tools";
import type { Configuration } from "../configuration/load-configuration.ts";
import type { Home } from "../machine/home.ts";
import { thisProcess } from "../machine/identity.ts";
import { openNetwork } from "../machine/network.ts";
import type { Project } from "../machine/project.ts";
import { lateAuthorize } from "../mcp-sign-in/late-authorize.ts";
import type { OpenMcpParts } from "./mcp-parts.ts";
import { type OpenedMcp, openMcp } from "./open-mcp.ts";
import { serverNetwork } from "./server-network.ts";

export type CommandMcpParts = {
  readonly home: Home;
  readonly project: Project;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly userDirectory: string;
  readonly configuration: Pick<Configuration, "mcp" | "env" | "network">;
  readonly kedgeVersion: string;
} & Pick<OpenMcpParts, "authorize">;

export function openCommandMcp(parts: CommandMcpParts): OpenedMcp {
  const { home, project, environment, userDirectory, configuration, kedgeVersion, authorize } = parts;
  const tie = createProcessTie(thisProcess());
  const values = Object.keys(environment)
    .filter(isSecretName)
    .flatMap((name) => environment[name] ?? []);
  const opened = openMcp({
    ...{ home, project, environment, userDirectory, kedgeVersion },
    captured: configuration.mcp,
    network: serverNetwork(openNetwork(configuration.network, { environment, userDirectory })),
    env: configuration.env,
    serverEnvironment: () => tie.environment(childEnvironment(environment, { scrub: true, ...configuration.env })),
    redact: createRedactor({ values: () => values }).redact,
    now: Date.now,
    // What is wrong is part of every answer.
    onNotice: () => undefined,
    authorize: authorize ?? lateAuthorize({ home: home.directory, environment, now: Date.now }),
  });
  return {
    ...opened,
    close() {
      opened.close();
      tie.close();
    },
  };
}
