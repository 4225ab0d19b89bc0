/** What `kedge doctor` says about stored sessions: how much room they take, and whether anything is missing. */
import { bytesText } from "../bytes-text.ts";
import type { Home } from "../machine/home.ts";
import { damagedDatabases, type StoredFile } from "./damaged-databases.ts";
import { type DiskPlace, type DiskUse, measureDisk } from "./disk-use.ts";

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
  /** Files that somebody should look at. */
  readonly files?: readonly StoredFile[];
};

/** Nothing is made where nothing was stored yet. */
export async function storageFindings(place: DiskPlace): Promise<readonly StorageFinding[]> {
  const { home } = place;
  const measured = await measureDisk(place);
  // Looked for afterwards, because opening a damaged database puts it aside.
  const aside = damagedFindings(home);
  if (measured === undefined) return [{ name: "storage", state: "ok", detail: "no sessions stored yet" }, ...aside];
  if (!measured.ok) {
    const { message, recovery } = measured.failure;
    return [
      { name: "storage", state: "missing", detail: message, ...(recovery !== undefined && { advice: recovery }) },
      ...aside,
    ];
  }
  const { use, notice } = measured;
  const told: readonly StorageFinding[] =
    notice === undefined ? [] : [{ name: "storage", state: "warning", detail: notice.message, ...adviceOf(notice) }];
  return [...told, roomFinding(use), sessionsFinding(use, home), ...aside];
}

function adviceOf({ recovery }: { readonly recovery?: string }): { readonly advice?: string } {
  return recovery === undefined ? {} : { advice: recovery };
}

function roomFinding(use: DiskUse): StorageFinding {
  const { databaseBytes, freeBytes, blobBytes, snapshotBytes, artifactBytes, transcriptBytes, cacheBytes, server } =
    use;
  const parts = [
    `database ${bytesText(databaseBytes)}${server === undefined ? "" : ` on ${server}`}`,
    `files ${bytesText(blobBytes)}`,
    `snapshots ${bytesText(snapshotBytes)}`,
    `outputs ${bytesText(artifactBytes)}`,
    ...(transcriptBytes > 0 ? [`transcripts ${bytesText(transcriptBytes)}`] : []),
    `caches ${bytesText(cacheBytes)}`,
  ];
  const finding = { name: "storage", detail: parts.join(", "), storage: use };
  const total = databaseBytes + blobBytes + snapshotBytes + artifactBytes + transcriptBytes;
  if (total < totalBytesHigh && freeBytes < freeBytesHigh) return { ...finding, state: "ok" };
  const advice = "Free space with kedge session prune; --older-than <days> also deletes old sessions.";
  return { ...finding, state: "warning", advice };
}

function sessionsFinding({ sessions, largest, filesMissing }: DiskUse, { blobs }: Home): StorageFinding {
  const names = largest.map(({ sessionId, bytes }) => `${sessionId} (${bytesText(bytes)})`);
  const detail = `${sessions} stored${names.length === 0 ? "" : `, the largest: ${names.join(", ")}`}`;
  if (filesMissing === 0) return { name: "sessions", state: "ok", detail };
  return {
    name: "sessions",
    state: "warning",
    detail: `${detail}; ${filesMissing} of their files in ${blobs} ${filesMissing === 1 ? "is" : "are"} missing or truncated`,
    advice: "Restore that directory from a backup. kedge session verify --all lists the affected sessions.",
  };
}

function damagedFindings({ database }: Home): readonly StorageFinding[] {
  const files = damagedDatabases(database);
  if (files.length === 0) return [];
  const names = files.map(({ path, bytes }) => `${path} (${bytesText(bytes)})`);
  const detail = `set aside as damaged: ${names.join(", ")}`;
  const advice = "Readable data was recovered. Check it with kedge session verify --all, then delete these files.";
  return [{ name: "damaged", state: "warning", detail, advice, files }];
}
