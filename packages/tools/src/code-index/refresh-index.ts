/** Brings the index of a directory up to date: what is gone goes, what changed is read again, as far as time and room allow. */
import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { ReadRights } from "@kedge/protocol";
import { describeEnd } from "../searching/file-search.ts";
import type { RipgrepParts } from "../searching/ripgrep.ts";
import type { FileStamp, IndexedFile, KnownFile } from "./file-rows.ts";
import { patiently, troubleOf } from "./index-database.ts";
import { type IndexFileParts, indexFile } from "./index-file.ts";
import type { IndexRows } from "./index-rows.ts";
import { listFiles } from "./list-files.ts";

export type RefreshParts = RipgrepParts &
  IndexFileParts & {
    readonly isSecret: (path: string) => boolean;
    /** Milliseconds of a clock that only goes forward. */
    readonly now: () => number;
    readonly sizeBytesMax: number;
    readonly refreshTimeoutMs: number;
  };

export type RefreshRequest = {
  readonly rows: IndexRows;
  /** The directory, and its number in the rows. */
  readonly root: string;
  readonly rootId: number;
  readonly reading: ReadRights;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
};

/** Why some files are missing or old in the index. */
export type RefreshStop = "time" | "size" | "busy" | "interrupted";

export type Refreshed =
  | {
      readonly ok: true;
      /** Files that belong in the index, and how many of them are in it as they are now. */
      readonly filesTotal: number;
      readonly filesCurrent: number;
      /** Files that may not be read, and are in no answer. */
      readonly leftOut: number;
      readonly stop?: RefreshStop;
    }
  | { readonly ok: false; readonly problem: string };

type StaleFile = { readonly path: string; readonly stamp: FileStamp; readonly known: KnownFile | undefined };

const batchFilesMax = 32;
const batchBytesMax = 1_000_000;
const removalBatch = 200;
/** A full index still takes the new form of what it has, as long as it does not grow much by that. */
const replacingShare = 1.1;
const progressEveryMs = 500;

export async function refreshIndex(parts: RefreshParts, request: RefreshRequest): Promise<Refreshed> {
  const { rows, root, rootId, signal } = request;
  const deadline = parts.now() + parts.refreshTimeoutMs;
  const { end, files, leftOut } = await listFiles(parts, {
    root,
    isSecret: parts.isSecret,
    reading: request.reading,
    timeoutMs: parts.refreshTimeoutMs,
    signal,
  });
  const problem = end.kind === "interrupted" ? undefined : describeEnd(end);
  if (problem !== undefined) return { ok: false, problem };

  const known = rows.knownFiles(rootId);
  const stale: StaleFile[] = [];
  for (const [path, stamp] of files) {
    const before = known.get(path);
    if (before === undefined || !isSameStamp(before, stamp)) stale.push({ path, stamp, known: before });
  }
  stale.sort((left, right) => rank(parts, right) - rank(parts, left) || right.stamp.modifiedMs - left.stamp.modifiedMs);
  const filesTotal = files.size;
  const filesBefore = filesTotal - stale.length;
  if (end.kind !== "complete")
    return {
      ok: true,
      filesTotal,
      filesCurrent: filesBefore,
      leftOut,
      stop: end.kind === "timed-out" ? "time" : "interrupted",
    };
  const taken = { stored: 0, gone: 0 };
  let stop: RefreshStop | undefined;
  try {
    await forgetMissing(
      request,
      [...known.keys()].filter((path) => !files.has(path)),
    );
    stop = await takeIn(parts, request, { stale, deadline, taken });
  } catch (error) {
    if (troubleOf(error) !== "busy") throw error;
    stop = "busy";
  }
  const counts = { filesTotal: filesTotal - taken.gone, filesCurrent: filesBefore + taken.stored };
  return { ok: true, ...counts, leftOut, ...(stop !== undefined && { stop }) };
}

function isSameStamp(left: FileStamp, right: FileStamp): boolean {
  const { modifiedMs, changedMs, sizeBytes } = left;
  return modifiedMs === right.modifiedMs && changedMs === right.changedMs && sizeBytes === right.sizeBytes;
}

/** If not everything can be taken in, then sources before other texts, and before both what the index has wrong. */
function rank({ grammars }: RefreshParts, { path, known }: StaleFile): number {
  if (known !== undefined) return 2;
  return grammars.rowOf(path) === undefined ? 0 : 1;
}

async function forgetMissing({ rows, rootId, signal }: RefreshRequest, gone: readonly string[]): Promise<void> {
  for (const { id, path } of rows.otherRoots(rootId))
    if (!existsSync(path)) await patiently(signal, () => rows.removeRoot(id));
  for (let start = 0; start < gone.length; start += removalBatch) {
    await patiently(signal, () => rows.removeFiles(rootId, gone.slice(start, start + removalBatch)));
    await setImmediate();
  }
}

type TakingIn = {
  readonly stale: readonly StaleFile[];
  readonly deadline: number;
  readonly taken: { stored: number; gone: number };
};

/** Undefined when everything was taken in. */
async function takeIn(
  parts: RefreshParts,
  request: RefreshRequest,
  { stale, deadline, taken }: TakingIn,
): Promise<RefreshStop | undefined> {
  const { root, rootId, rows, signal } = request;
  let batch: IndexedFile[] = [];
  let batchBytes = 0;
  let shownMs = parts.now();
  const flush = async (): Promise<void> => {
    await patiently(signal, () => rows.storeFiles(rootId, batch));
    taken.stored += batch.length;
    batch = [];
    batchBytes = 0;
  };
  let usedBytes = stale.length === 0 ? 0 : await makeRoom(parts, request, deadline);
  for (const [index, { path, stamp, known }] of stale.entries()) {
    // Parsing holds the thread; between two files others get their turn.
    await setImmediate();
    const isLate = parts.now() >= deadline;
    const isFull = usedBytes >= parts.sizeBytesMax * (known === undefined ? 1 : replacingShare);
    if (signal.aborted || isLate || isFull) {
      if (batch.length > 0) await flush();
      if (isFull) await forgetWrong(request, stale.slice(index));
      return signal.aborted ? "interrupted" : isLate ? "time" : "size";
    }
    const file = await indexFile(parts, { root, path, stamp, known });
    if (file === undefined) taken.gone += 1;
    else batch.push(file);
    batchBytes += stamp.sizeBytes;
    if (batch.length >= batchFilesMax || batchBytes >= batchBytesMax || index === stale.length - 1) {
      await flush();
      usedBytes = await makeRoom(parts, request, deadline);
    }
    if (parts.now() - shownMs >= progressEveryMs) {
      shownMs = parts.now();
      request.onProgress(`indexing: ${index + 1} of ${stale.length} files\n`);
    }
  }
  return undefined;
}

/** What there is no room for in its new form must not be shown in its old one. */
async function forgetWrong({ rows, rootId, signal }: RefreshRequest, stale: readonly StaleFile[]): Promise<void> {
  const wrong = stale.filter(({ known }) => known !== undefined).map(({ path }) => path);
  if (wrong.length > 0) await patiently(signal, () => rows.removeFiles(rootId, wrong));
}

/** How much is used; directories that were not asked about for the longest time are dropped as long as it is too much. */
async function makeRoom(
  { sizeBytesMax, now }: RefreshParts,
  { rows, rootId, signal }: RefreshRequest,
  deadline: number,
): Promise<number> {
  const isFull = () => rows.usedBytes() >= sizeBytesMax;
  if (isFull()) {
    for (const { id } of rows.otherRoots(rootId)) {
      await patiently(signal, () => rows.removeRoot(id));
      // Removed words keep their pages until what is left of the others has been written together.
      while (isFull() && now() < deadline && !signal.aborted) {
        if (!(await patiently(signal, () => rows.reclaim()))) break;
        await setImmediate();
      }
      if (!isFull()) break;
    }
  }
  return rows.usedBytes();
}
