/** The Snapshots contract by a shadow git directory that uses the workspace as its work tree. */
import { FailureError, type SnapshotCleanup, type Snapshots, type Tracked, type TrackOptions } from "@kedge/protocol";
import { failure } from "../storage-failure.ts";
import { checkOutTree } from "./check-out.ts";
import { extendSnapshot } from "./extend-snapshot.ts";
import { type OpenedShadow, openShadow, type ShadowOptions } from "./open-shadow.ts";
import { changedState, restoreState } from "./repository-state.ts";
import { restoreFiles } from "./restore-tree.ts";
import { cleanShadow, pinTree, shadowBytes, unpinTrees } from "./shadow-cleanup.ts";
import { type TakenTree, type TakeOutcome, takeTree } from "./take-tree.ts";
import { changedFiles, unifiedDiff } from "./tree-files.ts";
import { describeWaitingFile, findWaitingFile, stoppedByWaitingFile } from "./waiting-files.ts";

/** A workspace that takes longer is too large for snapshots; they are then off for good. */
const trackMsMax = 10_000;

/** How often a clean-up looks whether it is in somebody's way. */
const giveWayMs = 50;

const tooLarge = {
  ok: false,
  why: "Snapshots are off: this workspace is too large for them.",
} as const satisfies Tracked;

const busy = "Another kedge keeps the snapshots of this workspace busy.";

export type GitSnapshotsOptions = ShadowOptions;

type Opened = Extract<OpenedShadow, { ok: true }>;

/** Does nothing until it is first used. Operations run one after the other, also those of other processes. */
export function createGitSnapshots(options: GitSnapshotsOptions): Snapshots & SnapshotCleanup {
  let queue: Promise<unknown> = Promise.resolve();
  let opening: Promise<OpenedShadow> | undefined;
  let tooSlow = false;
  let last: TakenTree | undefined;
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

  async function track(signal: AbortSignal, wish: TrackOptions): Promise<Tracked> {
    if (tooSlow) return tooLarge;
    const shadow = await opened();
    if (!shadow.ok) return shadow;
    const waiting = findWaitingFile(shadow.shadow);
    if (waiting !== undefined) return snapshotsWait(shadow, waiting);
    const release = await shadow.lock?.acquire(signal);
    if (shadow.lock !== undefined && release === undefined) {
      return { ok: false, why: signal.aborted ? whyNot({ kind: "aborted" }) : busy };
    }
    try {
      const limit = AbortSignal.timeout(trackMsMax);
      const { result: taken, found } = await stoppedByWaitingFile(
        shadow.shadow,
        AbortSignal.any([signal, limit]),
        (either) => take(shadow, either),
      );
      if (taken.kind === "taken") {
        const isPlain = wish.also === undefined && wish.asIn === undefined && wish.refs === undefined;
        if (!isPlain) return await extend(shadow, taken, { ...wish, signal });
        return { ok: true, tree: taken.tree, uncovered: taken.uncovered };
      }
      if (found !== undefined) return snapshotsWait(shadow, found);
      tooSlow = taken.kind === "too-many-files" || (taken.kind === "aborted" && !signal.aborted);
      return tooSlow ? tooLarge : { ok: false, why: whyNot(taken) };
    } finally {
      release?.();
    }
  }

  async function take({ shadow, borrowing }: Opened, signal: AbortSignal): Promise<TakeOutcome> {
    await borrowing.begin(signal);
    const taken = await takeTree(shadow, last, signal);
    if (taken.kind === "taken") {
      // What the tree before holds is ours before anybody may go on to change it.
      if (taken.indexState !== last?.indexState) await borrowing.waitALittle();
      const { kind: _, uncovered: __, ...tree } = taken;
      last = tree;
    }
    return taken;
  }

  /** Too much to take in time costs the named files, and never the snapshot. */
  async function extend(
    { shadow, borrowing, repository }: Opened,
    taken: Extract<TakeOutcome, { kind: "taken" }>,
    wish: TrackOptions & { readonly signal: AbortSignal },
  ): Promise<Tracked> {
    // Named files announce danger, which may be to the user's repository itself.
    await borrowing.end();
    const signal = AbortSignal.any([wish.signal, AbortSignal.timeout(trackMsMax)]);
    const extended = await extendSnapshot({ shadow, repository, signal }, taken, wish);
    if (extended.kind === "extended") {
      return { ok: true, tree: extended.tree, uncovered: [...taken.uncovered, ...extended.uncovered] };
    }
    if (extended.kind === "aborted" && !wish.signal.aborted) {
      const named = typeof wish.also === "object" ? wish.also : ["."];
      return { ok: true, tree: taken.tree, uncovered: [...taken.uncovered, ...named] };
    }
    return { ok: false, why: whyNot(extended) };
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

  async function ready(): Promise<Opened> {
    const outcome = await opened();
    if (!outcome.ok) throw new FailureError(failure(outcome.why, "Work in a project folder with git installed."));
    return outcome;
  }

  async function locked<Result>(work: (opened: Opened) => Promise<Result>): Promise<Result> {
    const outcome = await ready();
    const waiting = findWaitingFile(outcome.shadow);
    if (waiting !== undefined) {
      throw new FailureError(failure(describeWaitingFile(outcome.shadow, waiting), "Remove it and try again."));
    }
    await outcome.borrowing.end();
    const release = await outcome.lock?.acquire(new AbortController().signal);
    if (outcome.lock !== undefined && release === undefined) throw new FailureError(failure(busy, "Try again later."));
    try {
      return await work(outcome);
    } finally {
      release?.();
    }
  }

  return {
    track: (signal, wish = {}) => serially(() => track(signal, wish)),
    changes: (before, after) => serially(async () => changedFiles((await ready()).shadow.place, before, after)),
    restore: (tree, paths) => serially(() => locked(({ shadow }) => restoreFiles(shadow, tree, paths))),
    refs: {
      changed: (before, after) => serially(async () => changedState((await ready()).shadow.place, before, after)),
      restore: (tree, from) =>
        serially(() => locked(({ shadow: { place }, repository }) => restoreState({ place, repository }, tree, from))),
    },
    checkOut: (tree, directory) => serially(() => locked(({ shadow }) => checkOutTree(shadow.place, tree, directory))),
    diff: (before, after) => serially(() => locked(({ shadow }) => unifiedDiff(shadow.place, before, after))),
    // One small file, which may be written at any time.
    pin: async (tree, owner) => pinTree((await ready()).shadow.place, tree, owner),
    unpin: (owner) => serially(() => locked(({ shadow }) => unpinTrees(shadow.place, owner))),
    cleanup: (wish) => serially(() => cleanup(wish)),
    sizeBytes: async () => shadowBytes((await ready()).shadow.place),
  };
}

function snapshotsWait({ shadow }: Opened, path: string): Tracked {
  return { ok: false, why: describeWaitingFile(shadow, path) };
}

function whyNot(outcome: Exclude<TakeOutcome, { kind: "taken" }>): string {
  switch (outcome.kind) {
    case "absent":
      return "Snapshots are off because git could not be started on this machine.";
    case "too-many-files":
      return tooLarge.why;
    case "aborted":
      return "The snapshot was interrupted.";
    case "failed":
      return `git could not take a snapshot: ${outcome.error}`;
  }
}
