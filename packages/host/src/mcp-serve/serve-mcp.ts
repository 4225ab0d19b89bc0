/** Serves kedge to MCP clients: over standard input and output, or at an address of this machine. */
import { randomBytes } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import type { Engine } from "@kedge/engine";
import {
  createHttpEndpoint,
  createKedgeServer,
  endpointPath,
  type KedgeServer,
  type KedgeServerParts,
  serveStdio,
} from "@kedge/extend/mcp-serve";
import { type FetchServer, type ServeFetchParts, serveFetch } from "@kedge/server";

export { createCallModel } from "@kedge/extend/mcp-serve";

export type ServeMcpParts = Omit<KedgeServerParts, "randomWord" | "later" | "refuseUnanswered"> & {
  readonly engine: Pick<Engine, "openSessions">;
  readonly onNotice: (sentence: string) => void;
};

export type StdioOptions = {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
};

const randomWord = () => randomBytes(24).toString("base64url");

function createServer({ engine, ...parts }: ServeMcpParts): KedgeServer {
  return createKedgeServer({
    ...parts,
    randomWord,
    later(work, delayMs) {
      const timer = setTimeout(work, delayMs).unref();
      return () => clearTimeout(timer);
    },
    async refuseUnanswered({ sessionId, requestId, why }) {
      const open = engine.openSessions().find(({ state }) => state.sessionId === sessionId);
      await open?.refuseUnanswered(requestId, why);
    },
  });
}

/** Until the client closes its end, or the signal fires. */
export async function serveMcpOverStdio(parts: ServeMcpParts, { input, output, signal }: StdioOptions): Promise<void> {
  const server = createServer(parts);
  const ended = Promise.withResolvers<void>();
  const end = () => ended.resolve();
  signal.addEventListener("abort", end, { once: true });
  for (const event of ["end", "close", "error"]) input.once(event, end);
  const served = serveStdio(server.factory, {
    ...{ input, output },
    onError: (error) => parts.onNotice(`MCP: ${error.message}`),
  });
  if (!signal.aborted) await ended.promise;
  await served.close();
  await server.close();
}

export type HttpOptions = Omit<ServeFetchParts, "fetch" | "scope" | "onNotice" | "now">;

/** Whoever comes in may answer permission questions, so the credential must be one that may approve. */
export async function serveMcpOverHttp(parts: ServeMcpParts, options: HttpOptions): Promise<FetchServer> {
  const { now, onNotice } = parts;
  const server = createServer(parts);
  const endpoint = createHttpEndpoint(server.factory, {
    ...{ newSessionId: randomWord, now },
    // What clients send wrongly is answered to them.
    onError: () => undefined,
  });
  const listening = await serveFetch({ ...options, now, onNotice, fetch: endpoint.fetch, scope: "approve" });
  return {
    ...listening,
    url: `${listening.url}${endpointPath}`,
    async close(graceMs) {
      await endpoint.close();
      await Promise.all([listening.close(graceMs), server.close()]);
    },
  };
}
