/** One configured server while kedge runs: its state, its connection, what it offers, and how it comes back. */
import type { Client } from "@modelcontextprotocol/client";
import { isRemote, type McpServer } from "../server.ts";
import { connectAndList } from "./connect-and-list.ts";
import { type ConnectParts, type ListKind, listKinds } from "./connect-parts.ts";
import type { Connected, McpConnection } from "./connect-server.ts";
import { needsAuthMs } from "./limits.ts";
import { createListRefresh } from "./list-refresh.ts";
import { noOffers, type Offers, readOffers } from "./read-offers.ts";
import { createReturnPlan } from "./return-plan.ts";
import { createServerLog, type ServerLog } from "./server-log.ts";
import type { McpServerState } from "./server-state.ts";
import type { Turnstile } from "./turnstile.ts";
import { type Used, useConnection } from "./use-connection.ts";

export type LiveServerParts = Omit<ConnectParts, "log" | "listChanged"> & {
  /** Its turn among the servers of its kind that connect. */
  readonly turn: Turnstile;
  readonly now: () => number;
  /** Calls back later; a test has a clock of its own. Does not keep the process running. */
  readonly later: (work: () => void, delayMs: number) => () => void;
};

export type ServerChange = "state" | ListKind;

export interface LiveServer {
  readonly server: McpServer;
  readonly log: ServerLog;
  state(): McpServerState;
  offers(): Offers;
  /** A list that changed and is being read; undefined when what is offered is known. */
  reading(): Promise<void> | undefined;
  /** Connects unless it is connected or connecting; resolves when that came to an end, well or not. */
  connect(): Promise<void>;
  /** As `connect`, also for a server that asked for a sign-in a moment ago. */
  reconnect(): Promise<void>;
  disconnect(): Promise<void>;
  /**
   * Gives the client to `work`. One that is gone is connected again before; `work` is repeated once on a new connection
   * where the server forgot the old one and `isRepeatable` says that nothing would happen twice.
   */
  use<Value>(work: (client: Client) => Promise<Value>, isRepeatable: (error: unknown) => boolean): Promise<Used<Value>>;
  subscribe(changed: (what: ServerChange) => void): () => void;
  endAtOnce(): void;
}

export function createLiveServer(server: McpServer, parts: LiveServerParts): LiveServer {
  const { turn, now, later } = parts;
  const log = createServerLog(now);
  const plan = createReturnPlan({ isRemote: isRemote(server), now });
  const { tell, subscribe } = createListeners();
  let state: McpServerState = { state: "pending", attempt: 1 };
  let offers: Offers = noOffers;
  let connection: McpConnection | undefined;
  let connecting: Promise<void> | undefined;
  let isWanted = false;
  let askedAtMs: number | undefined;
  let cancelReturn: (() => void) | undefined;
  let abort = new AbortController();

  const become = (next: McpServerState) => {
    state = next;
    log.note(`State: ${next.state}${"error" in next ? ` (${next.error})` : ""}`);
    tell("state");
  };

  const lists = createListRefresh({
    later,
    async read(what) {
      const client = connection?.client;
      if (client === undefined) return;
      offers = await readOffers(client, { only: what, before: offers });
      tell(what);
    },
    onFailed: (what, error) => log.note(`Could not read the list of ${what}: ${error}`),
  });

  async function connectNow(attempt: number): Promise<void> {
    become({ state: "pending", attempt });
    const { signal } = abort;
    const connected = await turn(() => connectAndList(server, { ...parts, log, listChanged: lists.changed }, signal));
    if (signal.aborted) {
      if (connected.ok) await connected.connection.close();
      return;
    }
    if (!connected.ok) return settleFailure(connected, attempt);
    ({ connection, offers } = connected);
    plan.connected();
    become({ state: "connected" });
    listKinds.forEach(tell);
    connected.connection.closed.then(() => lost(connected.connection));
  }

  function settleFailure({ reason, error, isQuoted }: Extract<Connected, { ok: false }>, attempt: number): void {
    const delayMs = attempt > 1 ? plan.nextDelayMs() : undefined;
    if (reason === "needs-auth") needSignIn();
    else if (delayMs === undefined) become({ state: "failed", error, ...(isQuoted && { isQuoted }) });
    else comeBack(delayMs, attempt + 1);
  }

  /** The tools stay what they were: the next call, or the plan, brings the connection back. */
  function lost(gone: McpConnection): void {
    if (connection !== gone) return;
    connection = undefined;
    if (!isWanted) return;
    const delayMs = isRemote(server) ? plan.nextDelayMs() : undefined;
    if (delayMs !== undefined) comeBack(delayMs, 2);
    else become({ state: "failed", error: gone.whyEnded() ?? "it exited or closed the connection" });
  }

  function comeBack(delayMs: number, attempt: number): void {
    become({ state: "pending", attempt });
    cancelReturn = later(() => void connectOnce(attempt), delayMs);
  }

  function connectOnce(attempt: number): Promise<void> {
    connecting ??= connectNow(attempt).finally(() => {
      connecting = undefined;
    });
    return connecting;
  }

  function connect(): Promise<void> {
    isWanted = true;
    if (connection !== undefined) return Promise.resolve();
    if (askedAtMs !== undefined && now() - askedAtMs < needsAuthMs) return Promise.resolve();
    askedAtMs = undefined;
    cancelReturn?.();
    return connectOnce(1);
  }

  async function drop(gone: McpConnection): Promise<void> {
    if (connection === gone) connection = undefined;
    await gone.close().catch(() => undefined);
  }

  function needSignIn(): void {
    askedAtMs = now();
    become({ state: "needs-auth" });
  }

  async function ready(): Promise<McpConnection | undefined> {
    if (state.state === "disabled") return undefined;
    if (connection !== undefined) return connection;
    if (connecting === undefined && !plan.mayRestart()) {
      become({ state: "failed", error: "it exited too often. Reconnect it with /mcp" });
      return undefined;
    }
    await connect();
    return connection;
  }

  return {
    server,
    log,
    state: () => state,
    offers: () => offers,
    reading: lists.reading,
    connect,
    reconnect() {
      askedAtMs = undefined;
      plan.forget();
      return connect();
    },
    async disconnect() {
      isWanted = false;
      cancelReturn?.();
      abort.abort();
      abort = new AbortController();
      const open = connection;
      connection = undefined;
      offers = noOffers;
      become({ state: "disabled", reason: "it was disconnected" });
      listKinds.forEach(tell);
      await open?.close().catch(() => undefined);
    },
    use: (work, isRepeatable) => useConnection({ ready, drop, needSignIn, state: () => state }, work, isRepeatable),
    subscribe,
    endAtOnce() {
      isWanted = false;
      cancelReturn?.();
      abort.abort();
      connection?.endAtOnce();
      connection?.close().catch(() => undefined);
    },
  };
}

function createListeners() {
  const listeners = new Set<(what: ServerChange) => void>();
  return {
    tell(what: ServerChange) {
      for (const listener of listeners) listener(what);
    },
    subscribe(changed: (what: ServerChange) => void) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}
