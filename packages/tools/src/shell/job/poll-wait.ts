/** How long one wait for background jobs lasts: always the same, or longer the more often the model asks. */

export const pollWaits = ["5s", "10s", "30s", "1m", "5m", "smart"] as const;

export type PollWait = (typeof pollWaits)[number];

const waitsMs: { readonly [wait in Exclude<PollWait, "smart">]: number } = {
  "5s": 5_000,
  "10s": 10_000,
  "30s": 30_000,
  "1m": 60_000,
  "5m": 300_000,
};
const ladderMs = Object.values(waitsMs);
/** After so long without a wait the ladder is climbed from its foot again. */
const restMs = 60_000;

export type PollLadder = {
  /** How long the wait that begins now may last. */
  nextWaitMs(): number;
  /** The wait is over. */
  noteEnd(): void;
};

export function createPollLadder(pollWait: PollWait, now: () => number): PollLadder {
  let rung = -1;
  let endedMs = Number.NEGATIVE_INFINITY;
  return {
    nextWaitMs() {
      if (pollWait !== "smart") return waitsMs[pollWait];
      rung = now() - endedMs >= restMs ? 0 : Math.min(rung + 1, ladderMs.length - 1);
      return ladderMs[rung] ?? restMs;
    },
    noteEnd() {
      endedMs = now();
    },
  };
}
