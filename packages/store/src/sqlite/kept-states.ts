/** What the facts of long sessions added up to when they were left, so that opening them reads little else. */
import { hasReleased, type SessionState } from "@kedge/protocol";
import { stateOfTexts, textsOfState } from "../state-texts.ts";
import type { KeptTexts } from "./kept-texts.ts";
import type { Connection } from "./sqlite-connection.ts";
import type { SessionEntry } from "./sqlite-rows.ts";

export type KeptStates = {
  /** The state as it was kept; undefined when there is none that is surely that of these facts. */
  read(sessionId: string, key: number): SessionState | undefined;
  /** Does nothing where it would gain little, or where the session has gone on meanwhile. */
  keep(state: SessionState): void;
};

export type KeptStatesParts = {
  readonly find: (sessionId: string) => SessionEntry | undefined;
  /** The state of all stored facts. */
  readonly foldAnew: (sessionId: string) => SessionState;
};

export function createKeptStates(
  connection: Connection,
  kept: KeptTexts,
  { find, foldAnew }: KeptStatesParts,
): KeptStates {
  function entryOf({ sessionId, lastSeq }: SessionState): SessionEntry | undefined {
    const entry = find(sessionId);
    const isItsEnd = entry !== undefined && !entry.isDeleted && entry.head.seq === lastSeq;
    return isItsEnd && kept.isWorth(lastSeq, entry.key, "state") ? entry : undefined;
  }

  return {
    read(sessionId, key) {
      const seq = kept.seq(key, "state");
      if (seq === 0) return undefined;
      const state = stateOfTexts(sessionId, kept.texts(key, "state"));
      return state?.lastSeq === seq ? state : undefined;
    },
    keep(state) {
      // Most sessions are short, and need no transaction to find that out.
      if (entryOf(state) === undefined) return;
      const whole = hasReleased(state) ? foldAnew(state.sessionId) : state;
      connection.write({ durable: false }, () => {
        const entry = entryOf(whole);
        if (entry === undefined) return;
        kept.keep(entry.key, "state", { seq: whole.lastSeq, texts: textsOfState(whole) });
      });
    },
  };
}
