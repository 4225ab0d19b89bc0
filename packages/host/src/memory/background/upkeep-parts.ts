/** What everything that works on memory beside sessions is made of. */
import type { MemoryStore, RecalledNotes } from "@kedge/memory/topics";
import { noUsage, type SessionState, type Usage } from "@kedge/protocol";
import type { WorkerEngine } from "../../forks/run-worker.ts";
import type { BackgroundSettings, MemorySettings } from "../memory-settings.ts";
import type { LockParts } from "./consolidation-lock.ts";

export type UpkeepParts = {
  readonly store: MemoryStore;
  readonly recalled: RecalledNotes;
  readonly settings: MemorySettings;
  readonly background: BackgroundSettings;
  /** Takes out secrets and marks. */
  readonly clean: (text: string) => string;
  readonly now: () => number;
  readonly cwd: string;
  /** Of the checkout that memory speaks of. */
  readonly root: string;
  /** By its real path: in the workspace or a directory that the user added. */
  readonly isInside: (path: string) => boolean;
  /** For the fence around data in what is asked beside a session. */
  readonly nonceOf: (sessionId: string) => string;
  readonly workerEngine: () => WorkerEngine;
  /** How many sessions of this project were worked in since then. */
  readonly sessionsSince: (timeMs: number) => Promise<number>;
  /** This one, and whether another one still lives. */
  readonly process: Pick<LockParts, "holder" | "isAlive">;
  /** Whether sessions are searched, as far as is known by now. */
  readonly isExtracting: () => boolean;
  /** What the provider counted for the last request of the session. */
  readonly requestUsageOf: (state: Readonly<SessionState>) => Usage | undefined;
  readonly onNotice: (sentence: string) => void;
};

export const nothingSpent = { usage: noUsage, cost: { usd: 0, estimated: false } } as const;
