/** One live server on real transports for a test, and a call context with everything that tools of servers use. */
import type { ToolContext } from "@kedge/protocol";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createServerHub, type HubServer, type McpServer, type ServerHubParts } from "../../src/mcp/index.ts";

export type Tried = HubServer & {
  readonly notices: readonly string[];
  /** Pages that were opened in the browser. */
  readonly opened: readonly string[];
  readonly call: (
    tool: string,
    input?: object,
    more?: Partial<ToolContext>,
  ) => Promise<{ output: string; isError?: true; media?: unknown }>;
  close(): Promise<void>;
};

export type TryParts = {
  readonly refuseAddress?: (url: string, addresses?: readonly string[]) => string | undefined;
  readonly ask?: ToolContext["dialogue"]["ask"];
  readonly now?: () => number;
  readonly taskFrontMs?: number;
  readonly later?: (work: () => void, delayMs: number) => () => void;
};

export function stdioServer(name: string, args: readonly string[], more: Partial<McpServer> = {}): McpServer {
  const transport = { type: "stdio", command: process.execPath, args, env: {} } as const;
  return { name, scope: "user", file: "config.json", signature: name, transport, ...more };
}

export function httpServer(name: string, url: string, type: "http" | "sse" | "ws" = "http"): McpServer {
  return { name, scope: "user", file: "config.json", signature: name, transport: { type, url, headers: {} } };
}

/** A server of the library in this process, on the other end of a pair of transports. */
export function inProcessServer(name: string, factory: McpServerFactory): McpServer {
  const open = async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    serveStdio(factory, { transport: far });
    return near;
  };
  return { name, scope: "dynamic", file: "program", signature: name, transport: { type: "sdk", open } };
}

export function tryServer(
  server: McpServer,
  { refuseAddress, ask, now = Date.now, later = startTimer, taskFrontMs }: TryParts = {},
): Tried {
  const notices: string[] = [];
  const opened: string[] = [];
  const hub = createServerHub([server], {
    ...hubPartsOf({ now, later }),
    refuseAddress: (_, url, addresses) => refuseAddress?.(url, addresses),
    onNotice: (sentence) => notices.push(sentence),
    openPage: async (url) => opened.push(url.href) > 0,
    ...(taskFrontMs !== undefined && { taskFrontMs }),
  });
  const found = hub.find(server.name);
  if (found === undefined) throw new Error("there is no server");
  return {
    ...found,
    ...{ notices, opened },
    async call(name, input = {}, more = {}) {
      const tool = found.tools.tools().find((each) => each.name.endsWith(`__${name}`));
      if (tool === undefined) throw new Error(`there is no tool ${name}`);
      return tool.run(input, contextOf(ask, more));
    },
    async close() {
      await found.live.disconnect();
      hub.close();
    },
  };
}

/** What a hub needs of the machine, with nobody in front of it. */
export function hubPartsOf({ now = Date.now, later = startTimer }: Pick<TryParts, "now" | "later">): ServerHubParts {
  const first = new Map<string, string>();
  return {
    clientInfo: { name: "kedge", version: "0.0.0" },
    environment: () => ({ PATH: process.env["PATH"] ?? "" }),
    cwd: process.cwd(),
    refuseAddress: () => undefined,
    neutralise: (text) => text.replaceAll("<system-reminder>", ""),
    firstDigest(_, tool, digest) {
      const known = first.get(tool) ?? digest;
      first.set(tool, known);
      return known;
    },
    onNotice: () => undefined,
    onChanged: () => undefined,
    openPage: async () => false,
    ...{ now, later },
  };
}

function startTimer(work: () => void, delayMs: number): () => void {
  const timer = setTimeout(work, delayMs);
  return () => clearTimeout(timer);
}

/** Only what tools of servers use of a context. */
export function contextOf(ask: ToolContext["dialogue"]["ask"] | undefined, more: Partial<ToolContext>): ToolContext {
  const context: Partial<ToolContext> = {
    signal: new AbortController().signal,
    fence: async (text) => ({ text, isSuspicious: false }),
    dialogue: { ask: ask ?? (async () => undefined) },
    sink: { write: () => undefined, text: () => "", dump: () => neverDumped() },
    ...more,
  };
  return context as ToolContext;
}

function neverDumped(): never {
  throw new Error("not used");
}
