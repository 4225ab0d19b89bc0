/** Closes connections that nobody has used for a while, or for longer than their server said it keeps them. */
import type { Agent, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { monotonicMs } from "@kedge/protocol";
import { addDeadline, type Deadline, dropDeadline } from "./deadlines.ts";

/** After so long without traffic the system asks whether the other side is still there. */
const probeAfterMs = 30_000;
const idleMsMax = 60_000;

/** We close a connection so much earlier than its server, or a request may meet a server that is closing it. */
const hintMarginMs = 1_000;

/** How long servers said they keep a connection, where that is less than we do. */
const hintedMs = new WeakMap<Duplex, number>();

/** Takes in how long the server keeps the connection of this answer. */
export function noteKeepAlive({ headers, socket }: IncomingMessage): void {
  const seconds = /^timeout=(\d+)/.exec(String(headers["keep-alive"] ?? ""))?.[1];
  const keptMs = seconds === undefined ? idleMsMax : Number(seconds) * 1000 - hintMarginMs;
  if (keptMs < idleMsMax) hintedMs.set(socket, keptMs);
}

/** Replaces the timeout of Node's agent, which moves a timer with every read and write. */
export function limitIdling(agent: Agent): void {
  const idle = new WeakMap<Duplex, Deadline>();
  const reuse = agent.reuseSocket.bind(agent);
  agent.keepSocketAlive = (socket) => {
    const keptMs = hintedMs.get(socket) ?? idleMsMax;
    if (keptMs <= 0) return false;
    if ("setKeepAlive" in socket) (socket as IncomingMessage["socket"]).setKeepAlive(true, probeAfterMs).unref();
    const at = monotonicMs() + keptMs;
    let closing = idle.get(socket);
    if (closing === undefined) {
      closing = { at, passed: () => socket.destroy() };
      idle.set(socket, closing);
    }
    closing.at = at;
    addDeadline(closing);
    return true;
  };
  agent.reuseSocket = (socket, request) => {
    const closing = idle.get(socket);
    if (closing !== undefined) dropDeadline(closing);
    reuse(socket, request);
  };
}
