/** What MCP servers of a place of work are opened with. */
import type { Authorize, QuestionHooks } from "@kedge/extend/mcp";
import type { ServerNetwork } from "@kedge/extend/mcp-authorization";
import type { McpServer } from "@kedge/extend/mcp-servers";
import type { Home } from "../machine/home.ts";
import type { Project } from "../machine/project.ts";
import type { CapturedServers } from "./capture-servers.ts";

export type OpenMcpParts = {
  readonly captured: Pick<CapturedServers, "files" | "lists">;
  readonly home: Home;
  readonly project: Project;
  readonly userDirectory: string;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Names that scrubbing leaves in place. */
  readonly env: { readonly passthrough?: readonly string[] };
  /** Without secrets; ties what is started to this process. */
  readonly serverEnvironment: () => { readonly [name: string]: string };
  readonly kedgeVersion: string;
  /** The way to remote servers. */
  readonly network?: ServerNetwork;
  readonly redact: (text: string) => string;
  readonly now: () => number;
  readonly onNotice: (sentence: string) => void;
  /** Servers of the program that uses kedge. */
  readonly dynamic?: readonly McpServer[];
  /** Asked about questions of servers, before a person is. */
  readonly questionHooks?: QuestionHooks | undefined;
  /** Signs in to servers that ask for it. */
  readonly authorize?: Authorize;
};
