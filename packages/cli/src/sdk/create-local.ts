/** A kedge inside of the program that calls this: the same Client as over HTTP, without a socket. */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { type Client, FailureError, type Json, type JsonObject } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { startKedge } from "../opening/start-kedge.ts";
import { sdkTexts } from "../texts/sdk.ts";
import type { ProgramServers } from "./program-servers.ts";
import { type ProgramTool, toolOf, wrongNames } from "./program-tool.ts";
import { takingUpSessions } from "./taking-up-sessions.ts";

export type LocalOptions = {
  /** Where the agent works. */
  readonly directory: string;
  /** kedge's own directory; the user's without this. */
  readonly home?: string;
  /** Settings files that come after the user's own. */
  readonly settings?: readonly string[];
  /** Trusts what the directory brings, such as its settings. */
  readonly trust?: boolean;
  /** Variables for kedge and its commands; those of this process without this. */
  readonly environment?: { readonly [name: string]: string | undefined };
  readonly tools?: readonly ProgramTool[];
  /** MCP servers by name, as in the setting `mcp`; or one in this process, as the client's end of its transport. */
  readonly mcpServers?: ProgramServers;
  /** Agents by name, with the fields of an agent file and `prompt`. */
  readonly agents?: { readonly [name: string]: ProgramAgent };
  /** The agent to talk to, such as `coordinator`. */
  readonly agent?: string;
  /** Told what a person should know; nothing is printed. */
  readonly onNotice?: (sentence: string) => void;
};

/** A definition of an agent, as a file of it has it. */
export type ProgramAgent = {
  readonly description: string;
  readonly prompt: string;
  readonly tools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly model?: string;
  readonly maxTurns?: number;
  readonly readOnly?: boolean;
  readonly background?: boolean;
  readonly permission?: Json;
};

export type LocalKedge = {
  readonly client: Client;
  /** Interrupts what runs and gives the sessions free. */
  close(): Promise<void>;
};

/** Throws a FailureError when it does not start, or a tool has a name that it cannot have. */
export async function createLocal(options: LocalOptions): Promise<LocalKedge> {
  const { home, settings, trust = false, tools = [], onNotice = () => undefined } = options;
  const wrong = wrongNames(tools);
  if (wrong !== undefined) throw misconfigured(wrong, renameTool);
  const directory = resolve(options.directory);
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw misconfigured(sdkTexts.noDirectory(directory), sdkTexts.passDirectory);
  }
  const { mcpServers = {} } = options;
  const servers =
    Object.keys(mcpServers).length === 0 ? [] : (await import("@kedge/host/mcp")).programServers(mcpServers);
  const given = options.environment ?? process.env;
  const environment = home === undefined ? given : { ...given, KEDGE_HOME: resolve(home) };
  const flags: Flags = {
    ...(settings !== undefined && { settings: [...settings] }),
    ...(trust && { trust }),
    ...(options.agent !== undefined && { agent: options.agent }),
  };
  const started = await startKedge(
    flags,
    { cwd: directory, environment, userDirectory: environment["HOME"] ?? homedir() },
    {
      interactive: true,
      isEmbedded: true,
      app: "sdk",
      onNotice,
      tools: tools.map(toolOf),
      mcpServers: servers,
      ...agentsOf(options),
    },
  );
  if (!started.ok) throw new FailureError(started.failure);
  const { kedge } = started.started;
  const taken = tools.length === 0 ? undefined : await takenName(kedge.client, tools);
  if (taken !== undefined) {
    await kedge.close();
    throw misconfigured(sdkTexts.toolIsTaken(taken), renameTool);
  }
  let closing: Promise<void> | undefined;
  return {
    client: takingUpSessions(kedge.client),
    close: () => {
      closing ??= kedge.close();
      return closing;
    },
  };
}

function agentsOf({ agents }: LocalOptions): { readonly agents?: JsonObject } {
  // Definitions are plain data; what is undefined is left out.
  return agents === undefined ? {} : { agents: JSON.parse(JSON.stringify(agents)) as JsonObject };
}

/** A tool of the program that has the name of one of ours is left out. */
async function takenName(client: Client, tools: readonly ProgramTool[]): Promise<string | undefined> {
  const listed = await client.ask<"tool.list">({ type: "tool.list" });
  if (!listed.ok) throw new FailureError(listed.failure);
  const isOffered = ({ name, description }: ProgramTool) =>
    listed.value.tools.some((tool) => tool.name === name && tool.description === description);
  return tools.find((tool) => !isOffered(tool))?.name;
}

const renameTool = sdkTexts.renameTool;

function misconfigured(message: string, recovery: string): FailureError {
  return new FailureError({ code: "configuration", message, recovery, retryable: false });
}
