/** Takes snapshots of a workspace, and says in a sentence why one cannot be taken. */
import type { Tracked, TrackOptions } from "@kedge/protocol";
import { extendSnapshot } from "./extend-snapshot.ts";
import type { OpenedShadow } from "./open-shadow.ts";
import { busySentence, type UsableShadow } from "./shadow-access.ts";
import { type TakenTree, type TakeOutcome, takeTree } from "./take-tree.ts";
import { describeWaitingFile, findWaitingFile, stoppedByWaitingFile } from "./waiting-files.ts";

/** A workspace that takes longer is too large for snapshots; they are then off for good. */
const trackMsMax = 10_000;

const tooLarge = {
  ok: false,
  why: "Snapshots are off: this workspace is too large.",
} as const satisfies Tracked;

export type TrackWorkspace = (signal: AbortSignal, wish: TrackOptions) => Promise<Tracked>;

export function createTracking(opened: () => Promise<OpenedShadow>): TrackWorkspace {
  let tooSlow = false;
  let last: TakenTree | undefined;

  async function track(signal: AbortSignal, wish: TrackOptions): Promise<Tracked> {
    if (tooSlow) return tooLarge;
    const shadow = await opened();
    if (!shadow.ok) return shadow;
    const waiting = findWaitingFile(shadow.shadow);
    if (waiting !== undefined) return snapshotsWait(shadow, waiting);
    const release = await shadow.lock?.acquire(signal);
    if (shadow.lock !== undefined && release === undefined) {
      return { ok: false, why: signal.aborted ? whyNot({ kind: "aborted" }) : busySentence };
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

  async function take({ shadow, borrowing }: UsableShadow, signal: AbortSignal): Promise<TakeOutcome> {
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

  return track;
}

/** Too much to take in time costs the named files, and never the snapshot. */
async function extend(
  { shadow, borrowing, repository }: UsableShadow,
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

function snapshotsWait({ shadow }: UsableShadow, path: string): Tracked {
  return { ok: false, why: describeWaitingFile(shadow, path) };
}

function whyNot(outcome: Exclude<TakeOutcome, { kind: "taken" }>): string {
  switch (outcome.kind) {
    case "absent":
      return "Snapshots are off: git could not be started.";
    case "too-many-files":
      return tooLarge.why;
    case "aborted":
      return "The snapshot was interrupted.";
    case "failed":
      return `git could not take a snapshot: ${outcome.error}`;
  }
}
