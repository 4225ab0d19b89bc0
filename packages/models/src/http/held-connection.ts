/** The connection that one exchange holds, until it is free for the next request or closed. */
import type { SentRequest } from "./connections.ts";

export type HeldConnection = {
  readonly hold: (sent: SentRequest) => void;
  readonly isHeld: () => boolean;
  /** The whole request has been handed to the system. */
  readonly isSent: () => boolean;
  /** It is free for the next request. */
  readonly free: () => void;
  readonly giveUp: () => void;
  /** Gives it up unless it is free soon; nobody waits for that. */
  readonly awaitClosing: () => void;
};

/** How long the closing bytes of a complete answer may take before the connection is given up. */
const closingTimeoutMs = 1000;

export function createHeldConnection(): HeldConnection {
  let sent: SentRequest | undefined;
  let closingTimer: NodeJS.Timeout | undefined;

  function free(): void {
    clearTimeout(closingTimer);
    sent = undefined;
  }

  function giveUp(): void {
    const given = sent;
    free();
    given?.giveUp();
  }

  return {
    hold(taken) {
      sent = taken;
    },
    isHeld: () => sent !== undefined,
    isSent: () => sent?.request.writableFinished === true,
    free,
    giveUp,
    awaitClosing() {
      closingTimer = setTimeout(giveUp, closingTimeoutMs).unref();
      sent?.request.socket?.unref();
    },
  };
}
