/** The connection to a server: made, lost, and brought back by plan as long as somebody wants it. */
import type { Client } from "@modelcontextprotocol/client";
import { isRemote, type McpServer } from "../server.ts";
import { connectAndList } from "./connect-and-list.ts";
import type { ConnectParts } from "./connect-parts.ts";
import type { Connected, McpConnection } from "./connect-server.ts";
import type { Offers } from "./read-offers.ts";
import type { ReturnPlan } from "./return-plan.ts";
import type { ToldState } from "./told-state.ts";
import type { Turnstile } from "./turnstile.ts";

export type ServerLinkParts = ConnectParts & {
  readonly turn: Turnstile;
  readonly later: (work: () => void, delayMs: number) => () => void;
  readonly plan: ReturnPlan;
  readonly told: Pick<ToldState, "become">;
  /** What the server offers and says about changes, before anybody is told of the new state. */
  readonly onConnected: (client: Client, offers: Offers) => void;
};

export type ServerLink = {
  readonly current: () => McpConnection | undefined;
  readonly isConnecting: () => boolean;
  /** Resolves when that came to an end, well or not; at once while the server waits for a sign-in. */
  connect(): Promise<void>;
  needSignIn(): void;
  /** One that did not work is made anew by the next `connect`. */
  drop(gone: McpConnection): Promise<void>;
  /** Until the next `connect`; gives what is to be closed. */
  leave(): McpConnection | undefined;
  endAtOnce(): void;
};

export function createServerLink(server: McpServer, parts: ServerLinkParts): ServerLink {
  const { turn, later, plan, told, onConnected } = parts;
  let connection: McpConnection | undefined;
  let connecting: Promise<void> | undefined;
  let isWanted = false;
  let cancelReturn: (() => void) | undefined;
  let abort = new AbortController();

  async function connectNow(attempt: number): Promise<void> {
    told.become({ state: "pending", attempt });
    const { signal } = abort;
    const connected = await turn(() => connectAndList(server, parts, signal));
    if (signal.aborted) {
      if (connected.ok) await connected.connection.close();
      return;
    }
    if (!connected.ok) return settleFailure(connected, attempt);
    const made = connected.connection;
    connection = made;
    plan.connected();
    onConnected(made.client, connected.offers);
    made.closed.then(() => lost(made));
  }

  function settleFailure({ reason, error, isQuoted }: Extract<Connected, { ok: false }>, attempt: number): void {
    const delayMs = attempt > 1 ? plan.nextDelayMs() : undefined;
    if (reason === "needs-auth") needSignIn();
    else if (delayMs === undefined) told.become({ state: "failed", error, ...(isQuoted && { isQuoted }) });
    else comeBack(delayMs, attempt + 1);
  }

  /** The tools stay what they were: the next call, or the plan, brings the connection back. */
  function lost(gone: McpConnection): void {
    if (connection !== gone) return;
    connection = undefined;
    if (!isWanted) return;
    const delayMs = isRemote(server) ? plan.nextDelayMs() : undefined;
    if (delayMs !== undefined) comeBack(delayMs, 2);
    else told.become({ state: "failed", error: gone.whyEnded() ?? "it exited or closed the connection" });
  }

  function comeBack(delayMs: number, attempt: number): void {
    told.become({ state: "pending", attempt });
    cancelReturn = later(() => void connectOnce(attempt), delayMs);
  }

  function connectOnce(attempt: number): Promise<void> {
    connecting ??= connectNow(attempt).finally(() => {
      connecting = undefined;
    });
    return connecting;
  }

  function needSignIn(): void {
    plan.needsSignIn();
    told.become({ state: "needs-auth" });
  }

  function stop(): void {
    isWanted = false;
    cancelReturn?.();
    abort.abort();
  }

  return {
    current: () => connection,
    isConnecting: () => connecting !== undefined,
    connect() {
      isWanted = true;
      if (connection !== undefined || plan.waitsForSignIn()) return Promise.resolve();
      cancelReturn?.();
      return connectOnce(1);
    },
    needSignIn,
    async drop(gone) {
      if (connection === gone) connection = undefined;
      await gone.close().catch(() => undefined);
    },
    leave() {
      stop();
      abort = new AbortController();
      const open = connection;
      connection = undefined;
      return open;
    },
    endAtOnce() {
      stop();
      connection?.endAtOnce();
      connection?.close().catch(() => undefined);
    },
  };
}
