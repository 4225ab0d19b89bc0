/** The settings about keeping a conversation within its window, read from `compaction` in the configuration. */

/** What is done when the conversation has grown too large. With `off` nothing is done by itself. */
export const compactionStrategies = ["summary", "handoff", "shake", "snapcompact", "off"] as const;

export type CompactionChoice = (typeof compactionStrategies)[number];

export type CompactionSettings = {
  /** Without it nothing happens by itself; what the user asks for still does. */
  readonly enabled: boolean;
  readonly strategy: CompactionChoice;
  /** At least so many tokens of the window stay free for the answer. */
  readonly reserveTokens: number;
  /** The newest part that a summary leaves as it is. */
  readonly keepRecentTokens: number;
  /** Whether a run goes on by itself after its conversation was shortened. */
  readonly autoContinue: boolean;
  /** Whether a vendor that can, or an address of the user's own, shortens the conversation as well. */
  readonly remoteEnabled: boolean;
  /** Percent of the window; it counts only above 0, and only without `thresholdTokens`. */
  readonly thresholdPercent: number;
  /** Counts only above 0. */
  readonly thresholdTokens: number;
  readonly dropUseless: boolean;
  readonly supersedeReads: boolean;
  readonly idle: { readonly enabled: boolean; readonly thresholdTokens: number; readonly seconds: number };
};

export const defaultCompaction: CompactionSettings = {
  enabled: true,
  strategy: "summary",
  reserveTokens: 16_384,
  keepRecentTokens: 20_000,
  autoContinue: true,
  remoteEnabled: true,
  thresholdPercent: -1,
  thresholdTokens: -1,
  dropUseless: true,
  supersedeReads: true,
  idle: { enabled: false, thresholdTokens: 200_000, seconds: 300 },
};
