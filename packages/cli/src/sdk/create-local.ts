/** A kedge inside of the program that calls this: the same Client as over HTTP, without a socket. */
import { homedir } from "node:os";
import { type Client, FailureError } from "@kedge/protocol";
import type { Flags } from "../flags.ts";
import { startKedge } from "../start-kedge.ts";
import { type ProgramTool, toolOf } from "./program-tool.ts";

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
  /** Told what a person should know; nothing is printed. */
  readonly onNotice?: (sentence: string) => void;
};

export type LocalKedge = {
  readonly client: Client;
  /** Interrupts what runs and gives the sessions free. */
  close(): Promise<void>;
};

/** Throws a FailureError when it cannot be started. */
export async function createLocal(options: LocalOptions): Promise<LocalKedge> {
  const { directory, home, settings, trust = false, tools = [], onNotice = () => undefined } = options;
  const given = options.environment ?? process.env;
  const environment = home === undefined ? given : { ...given, KEDGE_HOME: home };
  const flags: Flags = { ...(settings !== undefined && { settings: [...settings] }), ...(trust && { trust }) };
  const started = await startKedge(
    flags,
    { cwd: directory, environment, userDirectory: homedir() },
    { interactive: true, isEmbedded: true, onNotice, tools: tools.map(toolOf) },
  );
  if (!started.ok) throw new FailureError(started.failure);
  const { kedge } = started.started;
  return { client: kedge.client, close: () => kedge.close() };
}
