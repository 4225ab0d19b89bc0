/** Watches the files of the workspace around calls: what each call changed unsaid, and what the whole step changed. */
import type { FileChange, Need, Snapshots, TrackOptions } from "@kedge/protocol";
import type { Journal } from "../../journal.ts";
import type { HeldByTrees } from "./undo-coverage.ts";
import { createWorkspaceTrees, type TakenTree } from "./workspace-trees.ts";

/** What a call may change by itself: nothing, the files it named, or whatever it likes. */
export type Reach = "nothing" | "named-files" | "anything";

export type CallReach = { readonly reach: Reach; readonly held: HeldByTrees };

export interface WatchedCall {
  /** The tree before this call, if it is the first of its step, or the first that needs this tree. */
  readonly snapshot?: string;
  /** The files that changed while it ran; none if its result tells them already or if they cannot be known. */
  ended(options: { readonly isTold: boolean }): Promise<readonly FileChange[]>;
}

export interface WorkspaceWatch {
  /** For a call that may change files, just before it runs. */
  before(stepId: string, call: CallReach, signal: AbortSignal): Promise<WatchedCall>;
  /** Records the files that changed since `before`; call it when all calls of the step have ended. */
  after(stepId: string): Promise<void>;
  /** Records what jobs changed since the last step; call it when somebody wants to know all changes. */
  settle(): Promise<void>;
}

export type WorkspaceWatchParts = {
  readonly snapshots: Snapshots;
  readonly journal: Journal;
  /** Jobs change files when no call runs. */
  readonly hasRunningJobs: () => boolean;
};

type OpenStep = {
  /** Where the changes that are not recorded yet begin. */
  tree: string;
  latest: TakenTree;
  /** What was never covered in a tree of this step, and so cannot be put back. */
  readonly uncovered: Set<string>;
  /** The trees hold more than git sees; with `isAll` everything it ignores. */
  isWide: boolean;
  isAll: boolean;
  /** A call ended since the latest tree was taken, and may have changed files. */
  isStale: boolean;
  /** The comparison made last; a step of one call needs it twice. */
  compared?: { readonly before: string; readonly after: string; readonly files: readonly FileChange[] };
  /** One call after the other widens the trees. */
  widening: Promise<unknown>;
};

const unwatched: WatchedCall = { ended: async () => [] };

/** What an interrupted call changed must be known as well, so that work is not tied to the run's signal. */
const never = () => new AbortController().signal;

export function createWorkspaceWatch({ snapshots, journal, hasRunningJobs }: WorkspaceWatchParts): WorkspaceWatch {
  const trees = createWorkspaceTrees(snapshots, journal);
  /** A promise, because calls that start side by side share one first tree. */
  let open: { readonly stepId: string; readonly step: Promise<OpenStep | undefined> } | undefined;
  /** Where the last step ended while jobs were running: what differs from there is theirs. */
  let leftWithJobs: { readonly stepId: string; readonly tree: string; readonly isWide: boolean } | undefined;

  async function openStep(held: HeldByTrees, signal: AbortSignal): Promise<OpenStep | undefined> {
    const latest = await trees.take(signal, { ...held, ...likeTrees(leftWithJobs) });
    if (latest === undefined) return undefined;
    const isWide = isMore(held) || leftWithJobs?.isWide === true;
    await recordJobs(latest);
    const { tree, uncovered } = latest;
    const fresh = { isWide, isAll: held.also === "all-ignored", isStale: false, widening: Promise.resolve() };
    return { tree, latest, uncovered: new Set(uncovered), ...fresh };
  }

  async function recordJobs(taken: TakenTree): Promise<void> {
    const left = leftWithJobs;
    leftWithJobs = undefined;
    if (left === undefined || left.tree === taken.tree) return;
    const files = await trees.changes(left.tree, taken.tree);
    if (files === undefined || (left.isWide && files.length === 0)) return;
    const { tree: after, uncovered } = taken;
    await journal.emit({ type: "files.changed", stepId: left.stepId, before: left.tree, after, files, uncovered });
  }

  async function compare(step: OpenStep, before: string, after: string): Promise<readonly FileChange[] | undefined> {
    if (before === after) return [];
    const { compared } = step;
    if (compared?.before === before && compared.after === after) return compared.files;
    const files = await trees.changes(before, after);
    if (files !== undefined) step.compared = { before, after, files };
    return files;
  }

  async function refresh(step: OpenStep, signal: AbortSignal): Promise<TakenTree | undefined> {
    // Before the tree is taken, so that a call that ends meanwhile can say otherwise.
    step.isStale = false;
    const taken = await trees.take(signal, likeTrees(step));
    if (taken === undefined) step.isStale = true;
    else step.latest = taken;
    return taken;
  }

  /** Names more for the trees from here on. What changed until now is recorded, because it was seen with less. */
  async function widen(stepId: string, step: OpenStep, held: HeldByTrees, signal: AbortSignal): Promise<boolean> {
    step.isStale = false;
    const taken = await trees.take(signal, { ...held, ...likeTrees(step) });
    if (taken === undefined) {
      step.isStale = true;
      return false;
    }
    await record(stepId, step, taken);
    step.tree = taken.tree;
    step.latest = taken;
    step.isWide = true;
    step.isAll ||= held.also === "all-ignored";
    return true;
  }

  async function record(stepId: string, step: OpenStep, taken: TakenTree): Promise<void> {
    const { tree: before } = step;
    const { tree: after } = taken;
    const found = await compare(step, before, after);
    const refs = step.isWide ? await trees.changedRefs(before, after) : undefined;
    if (found === undefined) return;
    for (const path of arrivedByRules(step, found)) step.uncovered.add(path);
    // A file that was too large before is no new one: undoing its arrival would remove it.
    const files = found.filter(({ path }) => !step.uncovered.has(path));
    for (const path of taken.uncovered) step.uncovered.add(path);
    const uncovered = [...step.uncovered];
    const moved = refs !== undefined && refs.length > 0 ? { refs } : {};
    await journal.emit({ type: "files.changed", stepId, before, after, files, uncovered, ...moved });
  }

  async function watch(step: OpenStep, reach: Reach, signal: AbortSignal): Promise<WatchedCall> {
    if (reach === "nothing") {
      // What it sets off, such as the last words of a job it ends, may change files all the same.
      return { ended: async () => markStale(step) };
    }
    // Only a call that may change anything is worth a tree of its own; one that names its files mostly tells them.
    const isKnown = !step.isStale || (reach === "anything" && (await refresh(step, signal)) !== undefined);
    const before = isKnown ? step.latest.tree : undefined;
    return {
      async ended({ isTold }) {
        if (isTold || before === undefined || !trees.isAvailable()) return markStale(step);
        const taken = await refresh(step, never());
        return (taken && (await compare(step, before, taken.tree))) ?? [];
      },
    };
  }

  return {
    async before(stepId, { reach, held }, signal) {
      if (!trees.isAvailable()) return unwatched;
      const isFirst = open?.stepId !== stepId;
      if (open === undefined || isFirst) open = { stepId, step: openStep(held, signal) };
      const step = await open.step;
      if (step === undefined) return unwatched;
      let isNewTree = isFirst;
      if (!isFirst && isMore(held)) {
        const widening = step.widening.then(() => widen(stepId, step, held, signal));
        step.widening = widening;
        isNewTree = await widening;
      }
      const { tree } = step;
      const watched = await watch(step, reach, signal);
      return isNewTree ? { ...watched, snapshot: tree } : watched;
    },
    async after(stepId) {
      if (open?.stepId !== stepId) return;
      const step = await open.step;
      open = undefined;
      if (step === undefined || !trees.isAvailable()) return;
      const hasJobs = hasRunningJobs();
      const taken = step.isStale ? await trees.take(never(), likeTrees(step)) : step.latest;
      if (taken === undefined) return;
      if (hasJobs) leftWithJobs = { stepId, tree: taken.tree, isWide: step.isWide };
      if (taken.tree !== step.tree) await record(stepId, step, taken);
    },
    async settle() {
      const left = leftWithJobs;
      if (left === undefined || !trees.isAvailable()) return;
      const hasJobs = hasRunningJobs();
      const taken = await trees.take(never(), likeTrees(left));
      if (taken === undefined) return;
      await recordJobs(taken);
      if (hasJobs) leftWithJobs = { ...left, tree: taken.tree };
    },
  };
}

export function reachOf(needs: readonly Need[]): Reach {
  if (needs.length === 0) return "nothing";
  return needs.every(({ access }) => access === "read" || access === "write") ? "named-files" : "anything";
}

/** With other rules a file of the user that was ignored looks like a new one; what may be such stays. */
function arrivedByRules({ isAll }: OpenStep, files: readonly FileChange[]): readonly string[] {
  const isOtherRules = ({ path, status }: FileChange) => status !== "added" && /(?:^|\/)\.gitignore$/.test(path);
  if (isAll || !files.some(isOtherRules)) return [];
  return files.flatMap(({ path, status }) => (status === "added" ? [path] : []));
}

function isMore({ also, refs }: HeldByTrees): boolean {
  return also !== undefined || refs !== undefined;
}

/** A tree that holds more can only be compared with one that was asked for the same. */
function likeTrees(earlier: { readonly tree: string; readonly isWide: boolean } | undefined): TrackOptions {
  return earlier?.isWide ? { asIn: [earlier.tree] } : {};
}

function markStale(step: OpenStep): readonly FileChange[] {
  step.isStale = true;
  return [];
}
