/** One MCP server as kedge uses it, whatever file and spelling it came from. */
import type { Transport } from "@modelcontextprotocol/client";

/** Who configured it: the managed policy, the user here, the project, the user everywhere, a program, a plugin. */
export type McpScope = "enterprise" | "local" | "project" | "user" | "dynamic" | "plugin";

type Texts = { readonly [name: string]: string };

export type StdioServer = {
  readonly type: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Texts;
  readonly cwd?: string;
};

export type RemoteServer = {
  readonly type: "http" | "sse" | "ws";
  readonly url: string;
  readonly headers: Texts;
  /** A shell command that prints further headers as a JSON object, run for every connection. */
  readonly headersHelper?: string;
};

/** Runs in this process: whoever uses kedge as a library gives the other end. */
export type InProcessServer = { readonly type: "sdk"; readonly open: () => Promise<Transport> };

export type McpTransport = StdioServer | RemoteServer | InProcessServer;

export type McpOAuth = {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly callbackPort?: number;
  readonly scope?: string;
  readonly clientMetadataUrl?: string;
};

export type McpServer = {
  /** As it was configured. */
  readonly name: string;
  readonly scope: McpScope;
  /** Where it was configured, for people. */
  readonly file: string;
  readonly transport: McpTransport;
  /** False for a server that is never signed in to. */
  readonly oauth?: McpOAuth | false;
  /** Of one call. */
  readonly timeoutMs?: number;
  /** Requests carry its tools from the start instead of leaving them to the tool search. */
  readonly alwaysLoad?: true;
  /** Of its tools only these are used, by the names that the server gives them. */
  readonly includeTools?: readonly string[];
  readonly excludeTools?: readonly string[];
  /** It is an editor: of its tools only those are used that are meant for agents. */
  readonly isIde?: true;
  /** Digest of everything that decides what is started or asked. An approval holds for this and nothing else. */
  readonly signature: string;
};

/** One that is configured and not used, with the reason in a sentence part: "it is disabled". */
export type UnusedServer = {
  readonly name: string;
  readonly scope: McpScope;
  readonly file: string;
  readonly reason: string;
  /** Present where a person can change that by approving it. */
  readonly unapproved?: McpServer;
};

export function isRemote({ transport }: Pick<McpServer, "transport">): boolean {
  return transport.type === "http" || transport.type === "sse" || transport.type === "ws";
}

/** The command line or the address, for people; secrets in headers and variables are not part of it. */
export function describeTransport(transport: McpTransport): string {
  if (transport.type === "sdk") return "in this process";
  if (transport.type === "stdio") return [transport.command, ...transport.args].join(" ");
  const { url, headersHelper } = transport;
  return headersHelper === undefined ? url : `${url} (headers from: ${headersHelper})`;
}
