/** Uses a connection for one piece of work, and once more on a new one where the server forgot the old one. */
import type { Client } from "@modelcontextprotocol/client";
import { isRemote } from "../server.ts";
import { isExpired, wantsSignIn } from "./connect-failure.ts";
import type { McpConnection } from "./connect-server.ts";
import type { McpServerState } from "./server-state.ts";

export type Used<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly state: McpServerState };

export type Connections = {
  /** The open one, or a new one; undefined where there is none to be had. */
  readonly ready: () => Promise<McpConnection | undefined>;
  readonly drop: (gone: McpConnection) => Promise<void>;
  readonly needSignIn: () => void;
  readonly state: () => McpServerState;
};

/** Throws what the server answered, or what became of it. */
export async function useConnection<Value>(
  { ready, drop, needSignIn, state }: Connections,
  work: (client: Client) => Promise<Value>,
  isRepeatable: (error: unknown) => boolean,
): Promise<Used<Value>> {
  for (let isLast = false; ; isLast = true) {
    const open = await ready();
    if (open === undefined) return { ok: false, state: state() };
    try {
      return { ok: true, value: await work(open.client) };
    } catch (error) {
      if (wantsSignIn(error)) {
        await drop(open);
        needSignIn();
        return { ok: false, state: state() };
      }
      if (!isExpired(error)) throw error;
      if (isRemote(open.server)) await drop(open);
      if (isLast || !isRepeatable(error)) throw error;
    }
  }
}
