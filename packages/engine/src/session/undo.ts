/** Undo and redo: puts files and conversation back to before a prompt, and forward again. Recorded before it happens. */
import type {
  CommandAnswer,
  Failure,
  FileChange,
  Restore,
  Revert,
  SessionState,
  Snapshots,
  StepChanges,
  UndoPoint,
} from "@kedge/protocol";
import type { Journal } from "../journal.ts";

export type UndoOptions = {
  /** Everything since this prompt; the newest one without it. */
  readonly promptId?: string;
  /** The conversation stays where it is. */
  readonly only?: "files";
  /** Also puts back what somebody else changed since. */
  readonly evenIfChanged?: boolean;
  readonly signal: AbortSignal;
};

type Refused = { readonly ok: false; readonly failure: Failure };

/** The files that went back and the tree before, from which redo takes them. */
type PutBack = {
  readonly snapshot: string;
  readonly restores: readonly Restore[];
  readonly files: readonly FileChange[];
};

const namesMax = 10;

export async function undo(
  journal: Journal,
  snapshots: Snapshots,
  options: UndoOptions,
): Promise<CommandAnswer<"session.undo">> {
  const { undoPoints } = journal.state;
  const from = options.promptId === undefined ? undoPoints.length - 1 : indexOf(undoPoints, options.promptId);
  const points = from < 0 ? [] : undoPoints.slice(from);
  const [first] = points;
  if (first === undefined) return nothing(nothingToUndo(options));
  const planned = await planFiles(points, snapshots, options);
  if ("failure" in planned) return planned;
  const { only } = options;
  if (only === "files" && planned.restores.length === 0) return nothing(filesAreBack);
  const { promptId } = first;
  await journal.emit({ type: "session.reverted", promptId, ...(only !== undefined && { only }), ...planned });
  const left = await settleRestores(journal.state, snapshots);
  const { text: promptText, attachments } = first;
  const named = points.flatMap(({ changes }) => changes.flatMap((step) => step.uncovered));
  const uncovered = [...new Set([...named, ...left])];
  const said = { promptText, ...(attachments !== undefined && { attachments }) };
  return { ok: true, value: { ...said, files: planned.files, uncovered } };
}

function indexOf(points: readonly UndoPoint[], promptId: string): number {
  return points.findIndex((point) => point.promptId === promptId);
}

function nothingToUndo({ promptId }: UndoOptions): string {
  if (promptId === undefined) return "Nothing to undo in this session.";
  return `Prompt ${promptId} isn't on the current branch.`;
}

const filesAreBack = "No files to restore: the changes since that prompt are already gone.";

/** Prompts that changed no file are taken back without a look at any. */
async function planFiles(
  points: readonly UndoPoint[],
  snapshots: Snapshots,
  { evenIfChanged = false, signal }: UndoOptions,
): Promise<PutBack | Refused> {
  const unfinished = points.map((point) => point.cut ?? point.unfinished).findLast((tree) => tree !== undefined);
  const recorded = points.flatMap((point) => point.changes);
  if (recorded.length === 0 && unfinished === undefined) return { snapshot: "", restores: [], files: [] };
  const known = recorded.flatMap(({ before, after }) => [before, after]);
  const asIn = [...new Set(unfinished === undefined ? known : [...known, unfinished])];
  const present = await snapshots.track(signal, { asIn });
  if (!present.ok) return nothing(`Undo is unavailable: ${present.why}`);
  if (!evenIfChanged) {
    const foreign = await changedByOthers(recorded, snapshots, present.tree);
    if (foreign.length > 0) return changedSince(foreign, "undone");
  }
  const restores = await restoresOf(recorded, unfinished, { snapshots, present: present.tree });
  const files = changesBackwards(await changesOf(restores.toReversed(), snapshots, present.tree));
  const refs = recorded.toReversed().flatMap(({ refs: moved, before, after }) => refsRestore(moved, before, after));
  return { snapshot: present.tree, restores: [...restores, ...refs], files };
}

export async function redo(
  journal: Journal,
  snapshots: Snapshots,
  { evenIfChanged = false, signal }: Omit<UndoOptions, "promptId">,
): Promise<CommandAnswer<"session.redo">> {
  const revert = journal.state.reverts.at(-1);
  if (revert === undefined) return nothing("Nothing to redo in this session.");
  const paths = revert.files.map((file) => file.path);
  if (paths.length > 0 && !evenIfChanged) {
    const foreign = await changedSinceUndo(revert, snapshots, signal);
    if (foreign.length > 0) return changedSince(foreign, "redone");
  }
  const undone = revert.undoPoints.slice(indexOf(revert.undoPoints, revert.promptId));
  const steps = undone.flatMap(({ changes }) => changes);
  const refs = steps.flatMap(({ refs: moved, before, after }) => refsRestore(moved, after, before));
  const restores = [...(paths.length === 0 ? [] : [{ tree: revert.snapshot, paths }]), ...refs];
  const files = changesBackwards(revert.files);
  const { promptId, only } = revert;
  const forward = { promptId, ...(only !== undefined && { only }), restores, files };
  await journal.emit({ type: "session.unreverted", ...forward });
  await settleRestores(journal.state, snapshots);
  return { ok: true, value: { files } };
}

/** Takes back every undo that can still be taken back. */
export async function redoAll(
  journal: Journal,
  snapshots: Snapshots,
  options: Omit<UndoOptions, "promptId">,
): Promise<CommandAnswer<"session.redo">> {
  const files = new Map<string, FileChange>();
  do {
    const redone = await redo(journal, snapshots, options);
    if (!redone.ok) return files.size === 0 ? redone : afterSome(redone.failure, files.size);
    for (const file of redone.value.files) files.set(file.path, file);
  } while (journal.state.reverts.length > 0);
  return { ok: true, value: { files: [...files.values()] } };
}

/** What could be brought again stays. */
function afterSome(failure: Failure, count: number): Refused {
  const before = count === 1 ? "1 file from an earlier undo" : `${count} files from earlier undos`;
  return { ok: false, failure: { ...failure, message: `${failure.message} ${before} had already been restored.` } };
}

/** Carries out what the last revert announced, and names the refs it left to somebody else. Safe to repeat. */
export async function settleRestores(state: SessionState, snapshots: Snapshots): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { tree, paths, refsFrom } of state.unsettledRestores) {
    if (paths.length > 0) await snapshots.restore(tree, paths);
    if (refsFrom !== undefined) left.push(...((await snapshots.refs?.restore(tree, refsFrom)) ?? []));
  }
  return left;
}

function refsRestore(moved: readonly string[] | undefined, tree: string, refsFrom: string): readonly Restore[] {
  return moved === undefined ? [] : [{ tree, paths: [], refsFrom }];
}

/** Files that are no longer as the last step that changed them left them, or were not between two such steps. */
async function changedByOthers(
  steps: readonly StepChanges[],
  snapshots: Snapshots,
  present: string,
): Promise<readonly string[]> {
  const leftAt = new Map<string, string>();
  /** Files to be compared, by the two trees between which nobody of ours changed them. */
  const gaps = new Map<string, { readonly from: string; readonly to: string; readonly paths: Set<string> }>();
  const expect = (path: string, from: string, to: string) => {
    if (from === to) return;
    const gap = gaps.get(`${from} ${to}`) ?? { from, to, paths: new Set() };
    gaps.set(`${from} ${to}`, gap);
    gap.paths.add(path);
  };
  for (const { before, after, files } of steps) {
    for (const { path } of files) {
      if (isFolder(path)) continue;
      const left = leftAt.get(path);
      if (left !== undefined) expect(path, left, before);
      leftAt.set(path, after);
    }
  }
  for (const [path, left] of leftAt) expect(path, left, present);
  const changed = new Set<string>();
  for (const { from, to, paths } of gaps.values()) {
    for (const { path } of await snapshots.changes(from, to)) if (paths.has(path)) changed.add(path);
  }
  return [...changed].sort();
}

/** An empty folder: there is nothing in it that somebody could have changed, and one with something in it stays. */
function isFolder(path: string): boolean {
  return path.endsWith("/");
}

function changedSince(paths: readonly string[], done: keyof typeof forced): Refused {
  const shown = paths.slice(0, namesMax).join(", ");
  const more = paths.length > namesMax ? ` and ${paths.length - namesMax} more` : "";
  const message = `These files changed since then: ${shown}${more}. Nothing was ${done}.`;
  return { ok: false, failure: { code: "changed_since", message, recovery: forced[done], retryable: false } };
}

const forced = {
  undone: "Overwrite them with kedge undo --force (or /undo force); redo restores them.",
  redone: "Overwrite them with kedge redo --force (or /redo force).",
};

/** Files that are no longer as the undo left them. */
async function changedSinceUndo(
  { restores, snapshot }: Revert,
  snapshots: Snapshots,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const trees = restores.map(({ tree }) => tree);
  const present = await snapshots.track(signal, { asIn: [...new Set([...trees, snapshot])] });
  // Without snapshots nothing can be brought again either, and whoever tries is told so.
  if (!present.ok) return [];
  const changed = new Set<string>();
  for (const { tree, paths } of restores) {
    const wanted = new Set(paths.filter((path) => !isFolder(path)));
    for (const { path } of await snapshots.changes(tree, present.tree)) if (wanted.has(path)) changed.add(path);
  }
  return [...changed].sort();
}

/** Each file goes back to the earliest tree that still has it as it was before the prompt. */
async function restoresOf(
  recorded: readonly StepChanges[],
  unfinished: string | undefined,
  { snapshots, present }: { readonly snapshots: Snapshots; readonly present: string },
): Promise<readonly Restore[]> {
  const steps = recorded.map(({ before, files }) => ({ before, paths: files.map((file) => file.path) }));
  if (unfinished !== undefined) {
    const cut = await snapshots.changes(unfinished, present);
    steps.push({ before: unfinished, paths: cut.map((file) => file.path) });
  }
  const taken = new Set<string>();
  const restores = steps.map(({ before, paths }) => {
    const own = paths.filter((path) => !taken.has(path));
    for (const path of own) taken.add(path);
    return { tree: before, paths: own };
  });
  // The newest first: what a later step put in the place of a file must be gone before the file comes back.
  return restores.filter(({ paths }) => paths.length > 0).toReversed();
}

async function changesOf(
  restores: readonly Restore[],
  snapshots: Snapshots,
  present: string,
): Promise<readonly FileChange[]> {
  const lists = await Promise.all(
    restores.map(async ({ tree, paths }) => {
      const wanted = new Set(paths);
      // A folder that came for the sake of a file goes with it, though no step may have told of the folder.
      const isWanted = ({ path }: FileChange) =>
        wanted.has(path) || (isFolder(path) && paths.some((one) => one.startsWith(path)));
      return (await snapshots.changes(tree, present)).filter(isWanted);
    }),
  );
  return lists.flat();
}

/** Undoing an addition deletes, undoing a deletion adds. */
function changesBackwards(files: readonly FileChange[]): readonly FileChange[] {
  const opposite = { added: "deleted", deleted: "added", modified: "modified" } as const;
  return files.map(({ path, status }) => ({ path, status: opposite[status] }));
}

function nothing(message: string): Refused {
  return { ok: false, failure: { code: "not_found", message, retryable: false } };
}
