/** Language servers and formatters for commands that start no session: they can be listed, and nothing is started. */
import { childEnvironment, createLookAtPath } from "@kedge/sandbox";
import { createFileCare, type FileCare } from "../assembly/file-care.ts";
import type { Configuration } from "../configuration/load-configuration.ts";
import type { Home } from "../machine/home.ts";
import type { Project } from "../machine/project.ts";
import { pluginParts } from "../plugins/plugin-parts.ts";
import { pluginLanguageServers } from "./plugin-language-servers.ts";

export type CommandCareParts = {
  readonly home: Home;
  readonly project: Project;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly userDirectory: string;
  readonly configuration: Pick<Configuration, "lsp" | "formatter" | "env" | "plugins">;
};

export function openCommandCare(parts: CommandCareParts): FileCare {
  const { home, project, environment, userDirectory, configuration } = parts;
  const now = Date.now;
  const look = createLookAtPath({ root: project.root, added: [], home: userDirectory, kedgeHome: home.directory, now });
  const { lspServers } = pluginParts(configuration.plugins);
  return createFileCare({
    ...{ configuration, home, project, userDirectory, now },
    added: lspServers.flatMap((server) => pluginLanguageServers(server, () => undefined)),
    isInside: (path) => look(path).place === "inside",
    environment: () => childEnvironment(environment, { scrub: true, ...configuration.env }),
    searchPath: () => environment["PATH"] ?? "",
    monotonicMs: () => performance.now(),
    // What is wrong is part of every answer.
    onNotice: () => undefined,
  });
}
