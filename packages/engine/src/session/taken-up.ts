/** The first run of a session that was taken up again: what must be looked at before it, and what it is told. */
import type { ResumedParts } from "./resumed-session.ts";

export interface TakenUp {
  /** Does its work with the first run only. The comparison of files goes on beside the first step. */
  runStarts(): Promise<void>;
  /** What the model should know of the time between, once, as soon as it is found out. */
  takeNews(): string | undefined;
  close(): Promise<void>;
}

export function createTakenUp(session: ResumedParts): TakenUp {
  const stop = new AbortController();
  let isStarted = false;
  let comparing: Promise<void> | undefined;
  let news: (() => string | undefined) | undefined;
  return {
    async runStarts() {
      if (isStarted) return;
      isStarted = true;
      const { findChangesMeanwhile, rememberUnchangedFiles } = await import("./resumed-session.ts");
      await rememberUnchangedFiles(session);
      comparing = findChangesMeanwhile(session, stop.signal).then(
        (found) => {
          news = found;
        },
        // Whoever needs a tree for undo takes one as well, and tells why it cannot be had.
        () => undefined,
      );
    },
    takeNews() {
      const taken = news;
      news = undefined;
      return taken?.();
    },
    async close() {
      stop.abort();
      await comparing;
    },
  };
}
