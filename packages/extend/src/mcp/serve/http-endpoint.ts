/** One HTTP endpoint for both generations of the protocol: requests that stand alone, and sessions of older clients. */
import {
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
  type ServerNotifier,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

export type HttpEndpointOptions = {
  /** Nobody can guess it: whoever knows it is the client of the session. */
  readonly newSessionId: () => string;
  readonly now: () => number;
  readonly onError: (error: Error) => void;
};

export type HttpEndpoint = {
  fetch(request: Request): Promise<Response>;
  /** Tells clients that listen what changed. */
  readonly notify: ServerNotifier;
  close(): Promise<void>;
};

export const endpointPath = "/mcp";

const sessionsMax = 100;
/** Clients that went away without saying so. */
const idleMs = 60 * 60_000;

type Session = {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly close: () => Promise<void>;
  usedAt: number;
};

export function createHttpEndpoint(factory: McpServerFactory, options: HttpEndpointOptions): HttpEndpoint {
  const { newSessionId, now, onError } = options;
  const modern = createMcpHandler(factory, { legacy: "reject", onerror: onError });
  const sessions = new Map<string, Session>();

  async function openSession(request: Request): Promise<Response> {
    await makeRoom();
    const server = await factory({ era: "legacy", requestInfo: request });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: newSessionId,
      onsessioninitialized: (id) => void sessions.set(id, { transport, close: () => server.close(), usedAt: now() }),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    transport.onerror = onError;
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    // Whatever did not become a session is nothing to keep.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  async function makeRoom(): Promise<void> {
    const oldest = [...sessions].sort(([, first], [, second]) => first.usedAt - second.usedAt);
    const excess = oldest.slice(0, Math.max(0, oldest.length - sessionsMax + 1));
    const idle = oldest.filter(([, { usedAt }]) => now() - usedAt > idleMs);
    for (const [id, { close }] of new Set([...excess, ...idle])) {
      sessions.delete(id);
      await close();
    }
  }

  function serveOlder(request: Request): Promise<Response> | Response {
    const id = request.headers.get("mcp-session-id");
    if (id === null)
      return request.method === "POST" ? openSession(request) : refuse(400, "Mcp-Session-Id is missing.");
    const session = sessions.get(id);
    if (session === undefined) return refuse(404, "The session is not known, or no longer.");
    session.usedAt = now();
    return session.transport.handleRequest(request);
  }

  return {
    notify: modern.notify,
    async fetch(request) {
      if (new URL(request.url).pathname !== endpointPath) return refuse(404, `The endpoint is ${endpointPath}.`);
      return (await isLegacyRequest(request)) ? serveOlder(request) : modern.fetch(request);
    },
    async close() {
      await modern.close();
      for (const { close } of sessions.values()) await close();
      sessions.clear();
    },
  };
}

const sessionErrorCode = -32_001;

function refuse(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: sessionErrorCode, message } }, { status });
}
