/** What `kedge doctor` says about stored sessions: how much room they take, and whether anything is missing. */
import { bytesText } from "../bytes-text.ts";
import type { Home } from "../home.ts";
import { type DiskUse, measureDisk } from "./disk-use.ts";

const gigabyte = 1024 ** 3;

/** From here on a clean-up is worth its time. */
const totalBytesHigh = 5 * gigabyte;
const freeBytesHigh = gigabyte / 4;

export type StorageFinding = {
  readonly name: string;
  readonly state: "ok" | "missing" | "warning";
  readonly detail: string;
  readonly advice?: string;
  readonly storage?: DiskUse;
};

/** Nothing is made where nothing was stored yet. */
export async function storageFindings({
  home,
  now,
}: {
  readonly home: Home;
  readonly now: () => number;
}): Promise<readonly StorageFinding[]> {
  const measured = await measureDisk(home, now);
  if (measured === undefined) return [{ name: "storage", state: "ok", detail: "no session was stored yet" }];
  if (!measured.ok) {
    const { message, recovery } = measured.failure;
    return [
      { name: "storage", state: "missing", detail: message, ...(recovery !== undefined && { advice: recovery }) },
    ];
  }
  const { use, notice } = measured;
  const told: readonly StorageFinding[] =
    notice === undefined ? [] : [{ name: "storage", state: "warning", detail: notice.message, ...adviceOf(notice) }];
  return [...told, roomFinding(use), sessionsFinding(use)];
}

function adviceOf({ recovery }: { readonly recovery?: string }): { readonly advice?: string } {
  return recovery === undefined ? {} : { advice: recovery };
}

function roomFinding(use: DiskUse): StorageFinding {
  const { databaseBytes, freeBytes, blobBytes, snapshotBytes, artifactBytes, cacheBytes } = use;
  const parts = [
    `database ${bytesText(databaseBytes)}`,
    `files ${bytesText(blobBytes)}`,
    `snapshots ${bytesText(snapshotBytes)}`,
    `outputs ${bytesText(artifactBytes)}`,
    `caches ${bytesText(cacheBytes)}`,
  ];
  const finding = { name: "storage", detail: parts.join(", "), storage: use };
  const total = databaseBytes + blobBytes + snapshotBytes + artifactBytes;
  if (total < totalBytesHigh && freeBytes < freeBytesHigh) return { ...finding, state: "ok" };
  const advice = "kedge session prune gives room back; with --older-than <days> it also deletes old sessions.";
  return { ...finding, state: "warning", advice };
}

function sessionsFinding({ sessions, largest, filesMissing }: DiskUse): StorageFinding {
  const names = largest.map(({ sessionId, bytes }) => `${sessionId} (${bytesText(bytes)})`);
  const detail = `${sessions} stored${names.length === 0 ? "" : `, the largest: ${names.join(", ")}`}`;
  if (filesMissing === 0) return { name: "sessions", state: "ok", detail };
  return {
    name: "sessions",
    state: "warning",
    detail: `${detail}; ${filesMissing} contents are missing`,
    advice: "kedge session verify --all names them.",
  };
}
