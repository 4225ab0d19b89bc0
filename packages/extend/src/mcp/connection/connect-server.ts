/** Connects to one server, once: opens its transport, agrees on a version of the protocol, and answers its questions. */
import {
  Client,
  parseJSONRPCMessage,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import type { McpServer, RemoteServer } from "../server.ts";
import { createAnsweredRequests } from "./answered-requests.ts";
import {
  type ConnectFailure,
  connectFailureOf,
  endedError,
  isNegotiationEnd,
  isUnknownThere,
  PlainError,
} from "./connect-failure.ts";
import type { ConnectParts } from "./connect-parts.ts";
import { createStreamReturns, endingWithItsStream } from "./event-streams.ts";
import { createFloodGuard } from "./flood-guard.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { helpedHeaders } from "./helped-headers.ts";
import { connectMs, tooLong } from "./limits.ts";
import { withUnderstood } from "./read-message.ts";
import { createStdioTransport, endAtOnce } from "./stdio-transport.ts";
import { tasksExtension } from "./task-result.ts";

export type McpConnection = {
  readonly server: McpServer;
  /** The library's own client, for everything that servers offer. */
  readonly client: Client;
  /** Resolves when the connection is over, whoever ended it. */
  readonly closed: Promise<void>;
  /** Why kedge ended it, for people, without a full stop. */
  whyEnded(): string | undefined;
  /** Lets the server end as it wishes, for two seconds. */
  close(): Promise<void>;
  /** For the end of kedge: nobody waits. */
  endAtOnce(): void;
};

export type Connected =
  | { readonly ok: true; readonly connection: McpConnection }
  | ({ readonly ok: false } & ConnectFailure);

/** How long an old server may leave a question of the new protocol unanswered. */
const probeMs = 5_000;

export async function connectServer(server: McpServer, parts: ConnectParts, signal: AbortSignal): Promise<Connected> {
  try {
    return await connectOnce(server, parts, { signal, isOld: false });
  } catch (error) {
    const failed = { ok: false, ...connectFailureOf(error) } as const;
    if (server.transport.type === "http" && isUnknownThere(error) && !signal.aborted) {
      const old = await connectOldWay(server, server.transport, parts, signal);
      return old.ok || old.reason === "needs-auth" ? old : failed;
    }
    const isProcess = server.transport.type === "stdio" || server.transport.type === "ws";
    if (!isProcess || !isNegotiationEnd(error) || signal.aborted) return failed;
  }
  try {
    return await connectOnce(server, parts, { signal, isOld: true });
  } catch (error) {
    return { ok: false, ...connectFailureOf(error) };
  }
}

/** Most files do not say which of the two kinds over HTTP a server speaks; one of the old kind refuses what it is sent. */
async function connectOldWay(
  server: McpServer,
  transport: RemoteServer,
  parts: ConnectParts,
  signal: AbortSignal,
): Promise<Connected> {
  const sse: McpServer = { ...server, transport: { ...transport, type: "sse" } };
  try {
    return await connectOnce(sse, parts, { signal, isOld: true });
  } catch (error) {
    return { ok: false, ...connectFailureOf(error) };
  }
}

type Attempt = { readonly signal: AbortSignal; readonly isOld: boolean };

async function connectOnce(server: McpServer, parts: ConnectParts, { signal, isOld }: Attempt): Promise<Connected> {
  const opened = await openTransport(server, parts);
  // Over HTTP every server answers what it does not know, and one that has to wake up first may take its time.
  const client = newClient(parts, server.transport.type === "http" ? connectMs : probeMs);
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
  client.onclose = () => {
    opened.release();
    onClosed();
  };
  client.onerror = (error) => parts.log.note(`Connection: ${error.message}`);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(connectMs)]);
  const stopped = Promise.withResolvers<never>();
  const stop = () =>
    stopped.reject(
      new PlainError(signal.aborted ? "it was interrupted" : `it did not respond within ${connectMs / 1_000} s`),
    );
  deadline.addEventListener("abort", stop, { once: true });
  try {
    const connecting = client.connect(opened.transport, {
      ...{ signal: deadline, timeout: connectMs },
      ...(isOld && { prior: { kind: "legacy" as const } }),
    });
    // The probe of the library does not hear the signal.
    await Promise.race([connecting, stopped.promise]);
  } catch (error) {
    opened.endAtOnce();
    await client.close().catch(() => undefined);
    await opened.transport.close().catch(() => undefined);
    opened.release();
    // The first attempt is repeated for servers that end at a question they do not know.
    throw isOld || !isNegotiationEnd(error) ? endedError(error, opened.exitCode(), server) : error;
  } finally {
    deadline.removeEventListener("abort", stop);
    stopped.promise.catch(() => undefined);
  }
  return {
    ok: true,
    connection: {
      ...{ server, client, closed, close: () => client.close() },
      ...{ endAtOnce: opened.endAtOnce, whyEnded: opened.whyEnded },
    },
  };
}

function newClient(parts: ConnectParts, probeTimeoutMs: number): Client {
  const { clientInfo, elicit, elicitationCompleted, listChanged, resourceUpdated, taskUpdated } = parts;
  const changed = (what: "tools" | "prompts" | "resources") => ({
    autoRefresh: false,
    // Whoever reads the list again sees to it that this is not too often.
    debounceMs: 0,
    onChanged: () => listChanged?.(what),
  });
  const client = new Client(clientInfo, {
    versionNegotiation: { mode: "auto", probe: { timeoutMs: probeTimeoutMs } },
    // What a person leaves out of a form is what the server suggested.
    capabilities: {
      elicitation: { form: { applyDefaults: true }, url: {} },
      ...(taskUpdated !== undefined && { extensions: { [tasksExtension]: {} } }),
    },
    ...(listChanged !== undefined && {
      listChanged: { tools: changed("tools"), prompts: changed("prompts"), resources: changed("resources") },
    }),
  });
  client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq: { signal } }) => {
    if (elicit === undefined) return { action: "decline" };
    const { message } = params;
    const answer = await ("url" in params && params.mode === "url"
      ? elicit({ mode: "url", message, url: params.url, elicitationId: params.elicitationId }, signal)
      : elicit(
          { mode: "form", message, requestedSchema: "requestedSchema" in params && params.requestedSchema },
          signal,
        ));
    return answer.action === "accept" && answer.content !== undefined
      ? { action: "accept", content: { ...answer.content } }
      : { action: answer.action };
  });
  client.setNotificationHandler("notifications/elicitation/complete", ({ params }) => {
    elicitationCompleted?.(params.elicitationId);
  });
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => resourceUpdated?.(params.uri));
  client.fallbackNotificationHandler = async ({ method, params }) => {
    const taskId = method.startsWith("notifications/tasks") ? params?.["taskId"] : undefined;
    if (typeof taskId === "string") taskUpdated?.(taskId);
  };
  return client;
}

type Opened = {
  readonly transport: Transport;
  /** What the transport used and does not close itself. */
  release(): void;
  endAtOnce(): void;
  /** Of a process that ended by itself. */
  exitCode(): number | undefined;
  whyEnded(): string | undefined;
};

async function openTransport(server: McpServer, parts: ConnectParts): Promise<Opened> {
  const { transport: wanted } = server;
  const none = () => undefined;
  const nothing = { release: none, endAtOnce: none, exitCode: none, whyEnded: none };
  const isRead = createFloodGuard(() => parts.log.note("It sends more notices or requests than are read."));
  if (wanted.type === "sdk") {
    const transport = withUnderstood(await wanted.open(), { isRead, check: parseJSONRPCMessage });
    return { ...nothing, transport };
  }
  if (wanted.type === "stdio") {
    const { cwd, log } = parts;
    const environment = parts.environment();
    const transport = createStdioTransport(wanted, { environment, cwd, log, checkMessage: parseJSONRPCMessage });
    const { exitCode, whyEnded } = transport;
    return { ...nothing, transport, endAtOnce: () => endAtOnce(transport), exitCode, whyEnded };
  }
  const addresses = {
    refuseAddress: (url: string, found?: readonly string[]) => parts.refuseAddress(server, url, found),
    ...parts.network,
  };
  const answered = createAnsweredRequests({ isRead });
  const guarded = createGuardedFetch({
    ...{ ...addresses, onStream: answered.streams },
    onTooLong: () => answered.because(tooLong),
  });
  const given = await helpedHeaders(server.name, wanted, parts);
  const authorization = server.oauth === false ? undefined : await parts.authorize?.(server, guarded.fetch);
  if (wanted.type === "ws") {
    const { createWsTransport } = await import("./ws-transport.ts");
    const token = await authorization?.authProvider.token();
    const headers = { ...given, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    const transport = createWsTransport({ ...wanted, headers }, { ...addresses, checkMessage: parseJSONRPCMessage });
    return { ...nothing, transport, release: guarded.close };
  }
  const options = {
    fetch: authorization?.fetch(guarded.fetch) ?? guarded.fetch,
    requestInit: { headers: { ...given } },
    ...(authorization !== undefined && { authProvider: authorization.authProvider }),
  };
  const url = new URL(wanted.url);
  const transport =
    wanted.type === "http"
      ? answered.watch(
          new StreamableHTTPClientTransport(url, { ...options, reconnectionScheduler: createStreamReturns() }),
        )
      : endingWithItsStream(withUnderstood(new SSEClientTransport(url, options), { isRead }));
  return { ...nothing, transport, release: guarded.close };
}
