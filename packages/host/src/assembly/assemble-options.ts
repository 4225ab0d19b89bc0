/** What a place of work is assembled from: everything that the command line, the files and the caller decide. */
import type { AddedHandlers } from "@kedge/engine";
import type { McpServer } from "@kedge/extend/mcp-servers";
import type { JsonObject, Models, RuleSet, Tool } from "@kedge/protocol";
import type { Configuration } from "../configuration/load-configuration.ts";
import type { Settings } from "../configuration/setting-file.ts";
import type { Home } from "../machine/home.ts";
import type { Project } from "../machine/project.ts";
import type { KedgeApp } from "../models/identity-headers.ts";
import type { TeamTiming } from "../teams/team-parts.ts";

export type AssembleOptions = {
  readonly configuration: Configuration;
  /** Files of settings given on the command line, which are read again with all others. */
  readonly settingFiles?: readonly string[];
  /** The settings that the configuration was made of. */
  readonly settings?: Settings;
  readonly home: Home;
  readonly project: Project;
  /** Whoever started has found the project trusted, so that its instruction files need no second look. */
  readonly isTrusted?: true;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly userDirectory: string;
  readonly commandLineRules: RuleSet;
  /** True when a person can answer questions. */
  readonly interactive: boolean;
  /** True when nobody waits, so that limits of vendors are waited for. */
  readonly unattended: boolean;
  readonly kedgeVersion: string;
  /** The interface that kedge was started with; the command line without this. */
  readonly app?: KedgeApp;
  /** Areas of the debug log, or `1` for all; KEDGE_DEBUG counts without this. */
  readonly debug?: string;
  /** Another one for every program; undefined where there is none. */
  readonly buildId?: string;
  /** Milliseconds since the epoch; the clock of the system without this. */
  readonly now?: () => number;
  /** Told what a person should know and what is no failure. */
  readonly onNotice: (sentence: string) => void;
  /** False for a run that neither reads nor writes memory. */
  readonly memory?: false;
  /** False where no prompt runs, so that no code of others is started. */
  readonly code?: false;
  /** Tools of the program that uses kedge, beside our own and never under one of their names. */
  readonly tools?: readonly Tool[];
  /** MCP servers of whoever uses kedge; given, also without any, where more may join later. */
  readonly mcpServers?: readonly McpServer[];
  /** Definitions of agents by name, of the command line or of the program that uses kedge. */
  readonly agents?: JsonObject;
  /** The agent that the user talks to; from settings, else `build`, without this. */
  readonly agent?: string;
  /** Models of the program that uses kedge, beside those of the user. */
  readonly addModels?: (models: Models) => Models;
  /** Handlers of commands beside those of the protocol; a server needs their rows as well. */
  readonly commands?: AddedHandlers;
  /** Program and arguments that start kedge once more; teammates run in this process without it. */
  readonly program?: readonly string[];
  /** In the place of the times that teams wait and look with. */
  readonly teamTiming?: Partial<TeamTiming>;
  /** The only tools that are offered; all without this. */
  readonly toolNames?: readonly string[];
  /** Directories beside the project that count as inside it; what changes in them is not undone. */
  readonly addedDirectories?: readonly string[];
  /** Why hooks of Setup run before the first session. */
  readonly setup?: "init" | "maintenance";
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
};
