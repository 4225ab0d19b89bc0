/** Uses the shadow directory of a workspace: opened with its first use, by one operation at a time. */
import { FailureError, type SnapshotCleanup } from "@kedge/protocol";
import { failure } from "../storage-failure.ts";
import { type OpenedShadow, openShadow, type ShadowOptions } from "./open-shadow.ts";
import { cleanShadow } from "./shadow-cleanup.ts";
import { describeWaitingFile, findWaitingFile } from "./waiting-files.ts";

/** How often a clean-up looks whether it is in somebody's way. */
const giveWayMs = 50;

export const busySentence = "Another kedge process is using the snapshots of this workspace.";

export type UsableShadow = Extract<OpenedShadow, { ok: true }>;

export type ShadowAccess = {
  /** After everything that was asked for before; interrupts a clean-up. */
  serially<Result>(work: () => Promise<Result>): Promise<Result>;
  opened(): Promise<OpenedShadow>;
  /** Throws the failure that a person is shown where there can be no snapshots. */
  ready(): Promise<UsableShadow>;
  /** While no other process uses it. */
  locked<Result>(work: (shadow: UsableShadow) => Promise<Result>): Promise<Result>;
  readonly cleanup: SnapshotCleanup["cleanup"];
};

export function createShadowAccess(options: ShadowOptions): ShadowAccess {
  let queue: Promise<unknown> = Promise.resolve();
  let opening: Promise<OpenedShadow> | undefined;
  /** Interrupts the clean-up that runs now. */
  let giveWay: (() => void) | undefined;

  function serially<Result>(work: () => Promise<Result>): Promise<Result> {
    giveWay?.();
    const result = queue.then(work);
    // The next operation waits for this one's end; its failure belongs to whoever asked for it.
    queue = result.catch(() => undefined);
    return result;
  }

  function opened(): Promise<OpenedShadow> {
    opening ??= openShadow(options);
    return opening;
  }

  async function ready(): Promise<UsableShadow> {
    const outcome = await opened();
    if (!outcome.ok) throw new FailureError(failure(outcome.why, "Use a project directory, with git installed."));
    return outcome;
  }

  async function locked<Result>(work: (shadow: UsableShadow) => Promise<Result>): Promise<Result> {
    const outcome = await ready();
    const waiting = findWaitingFile(outcome.shadow);
    if (waiting !== undefined) {
      throw new FailureError(failure(describeWaitingFile(outcome.shadow, waiting), "Remove it and try again."));
    }
    await outcome.borrowing.end();
    const release = await outcome.lock?.acquire(new AbortController().signal);
    if (outcome.lock !== undefined && release === undefined)
      throw new FailureError(failure(busySentence, "Try again later."));
    try {
      return await work(outcome);
    } finally {
      release?.();
    }
  }

  async function cleanup(wish: Parameters<SnapshotCleanup["cleanup"]>[0]): ReturnType<SnapshotCleanup["cleanup"]> {
    const { shadow, lock, borrowing } = await ready();
    // Git would stumble over what is borrowed.
    if ((await borrowing.end()) === "incomplete") return { kind: "skipped" };
    const control = new AbortController();
    giveWay = () => control.abort();
    const release = await lock?.acquire(control.signal);
    const timer = setInterval(() => lock?.isWanted() && control.abort(), giveWayMs);
    try {
      if (lock !== undefined && release === undefined) return { kind: "skipped" };
      return await cleanShadow({ place: shadow.place, ...wish, signal: control.signal });
    } finally {
      clearInterval(timer);
      giveWay = undefined;
      release?.();
    }
  }

  return { serially, opened, ready, locked, cleanup };
}
