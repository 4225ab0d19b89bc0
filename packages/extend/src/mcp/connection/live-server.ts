/** One configured server while kedge runs: its state, its connection, what it offers, and how it comes back. */
import type { Client } from "@modelcontextprotocol/client";
import { isRemote, type McpServer } from "../server.ts";
import { type ConnectParts, listKinds } from "./connect-parts.ts";
import type { McpConnection } from "./connect-server.ts";
import { createCurrentOffers } from "./current-offers.ts";
import { noOffers, type Offers } from "./read-offers.ts";
import { createReturnPlan } from "./return-plan.ts";
import { createServerLink } from "./server-link.ts";
import { createServerLog, type ServerLog } from "./server-log.ts";
import type { McpServerState } from "./server-state.ts";
import { createToldState, type ServerChange } from "./told-state.ts";
import type { Turnstile } from "./turnstile.ts";
import { type Used, useConnection } from "./use-connection.ts";
import { createWatchedResources } from "./watched-resources.ts";

export type LiveServerParts = Omit<ConnectParts, "log" | "listChanged"> & {
  /** Its turn among the servers of its kind that connect. */
  readonly turn: Turnstile;
  readonly now: () => number;
  /** Calls back later; a test has a clock of its own. Does not keep the process running. */
  readonly later: (work: () => void, delayMs: number) => () => void;
};

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
  /** Has the server tell when a resource changes, as far as it does that; until the returned function is called. */
  watchResource(uri: string): () => void;
  endAtOnce(): void;
}

export function createLiveServer(server: McpServer, parts: LiveServerParts): LiveServer {
  const { now, later } = parts;
  const log = createServerLog(now);
  const plan = createReturnPlan({ isRemote: isRemote(server), now });
  const { state, become, tell, subscribe } = createToldState(log);
  const lists = createCurrentOffers({
    ...{ later, tell, client: () => link.current()?.client },
    onFailed: (what, error) => log.note(`Could not read the list of ${what}: ${error}`),
  });
  const watched = createWatchedResources((error) => log.note(`Could not watch a resource: ${error}`));
  const link = createServerLink(server, {
    ...{ ...parts, log, plan, told: { become }, listChanged: lists.changed },
    onConnected(client, offers) {
      lists.replace(offers);
      watched.connected(client);
      become({ state: "connected" });
      listKinds.forEach(tell);
    },
  });
  const { connect, drop, needSignIn } = link;

  async function ready(): Promise<McpConnection | undefined> {
    if (state().state === "disabled") return undefined;
    const connection = link.current();
    if (connection !== undefined) return connection;
    if (!link.isConnecting() && !plan.mayRestart()) {
      become({ state: "failed", error: "it exited too often. Reconnect it with /mcp" });
      return undefined;
    }
    await connect();
    return link.current();
  }

  return {
    ...{ server, log, state, connect, subscribe, endAtOnce: link.endAtOnce },
    ...{ offers: lists.offers, reading: lists.reading, watchResource: watched.watch },
    reconnect() {
      plan.forget();
      return connect();
    },
    async disconnect() {
      const open = link.leave();
      lists.replace(noOffers);
      become({ state: "disabled", reason: "it was disconnected" });
      listKinds.forEach(tell);
      await open?.close().catch(() => undefined);
    },
    use: (work, isRepeatable) => useConnection({ ready, drop, needSignIn, state }, work, isRepeatable),
  };
}
