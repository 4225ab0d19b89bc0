/** What follows a write in every session: formatters, then language servers. Nothing is loaded before one has work. */
import type { ServerDefinition } from "@kedge/extend/lsp";
import type { FileUpkeep, ToolSource } from "@kedge/protocol";
import type { Configuration } from "../configuration/load-configuration.ts";
import { type OpenedFormatters, openFormatters } from "../formatters/open-formatters.ts";
import { type OpenedLanguageServers, openLanguageServers } from "../lsp/open-language-servers.ts";
import { createProgramTrust } from "../lsp/program-trust.ts";
import type { Home } from "../machine/home.ts";
import type { Project } from "../machine/project.ts";

export type FileCareParts = {
  readonly configuration: Pick<Configuration, "lsp" | "formatter">;
  readonly home: Home;
  readonly project: Pick<Project, "root">;
  readonly userDirectory: string;
  readonly isInside: (path: string) => boolean;
  /** Without secrets; ties what is started to this process. */
  readonly environment: () => { readonly [name: string]: string };
  readonly searchPath: () => string;
  readonly now: () => number;
  readonly monotonicMs: () => number;
  readonly onNotice: (sentence: string) => void;
  /** Language servers that plugins bring. */
  readonly added?: readonly ServerDefinition[];
};

export type FileCare = {
  readonly upkeep: FileUpkeep;
  readonly toolSources: readonly ToolSource[];
  readonly formatters: OpenedFormatters;
  readonly servers: OpenedLanguageServers;
  close(): Promise<void>;
};

export function createFileCare(parts: FileCareParts): FileCare {
  const { configuration, home, userDirectory, now, project } = parts;
  const { root } = project;
  const place = { ...parts, root, trust: createProgramTrust({ home, root, userDirectory, now }) };
  const formatters = openFormatters({ ...place, settings: configuration.formatter });
  const servers = openLanguageServers({ ...place, settings: configuration.lsp });
  return {
    upkeep: { format: formatters.format, diagnose: servers.diagnose },
    toolSources: servers.toolSources,
    formatters,
    servers,
    close: servers.close,
  };
}
