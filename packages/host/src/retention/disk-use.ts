/** Where the disk went: everything that sessions left in kedge's own directory. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Failure, StorageUse } from "@kedge/protocol";
import { openSqliteStore } from "@kedge/store";
import type { Home } from "../home.ts";
import { isAlive } from "../identity.ts";
import { createRandomBytes } from "../random-bytes.ts";
import { directoryBytes } from "./directory-bytes.ts";

const largestMax = 3;

export type DiskUse = StorageUse & {
  readonly snapshotBytes: number;
  readonly artifactBytes: number;
  /** Copies of sessions for other programs and for reading. */
  readonly transcriptBytes: number;
  /** Made again when it is missing: the index of code, the list of models, what the shell defines. */
  readonly cacheBytes: number;
};

export type MeasuredDisk =
  | { readonly ok: true; readonly use: DiskUse; readonly notice?: Failure }
  | { readonly ok: false; readonly failure: Failure };

/** Undefined when nothing was stored yet: looking must not make a database. */
export async function measureDisk(home: Home, now: () => number): Promise<MeasuredDisk | undefined> {
  if (!existsSync(home.database)) return undefined;
  const { database: path, blobs: blobsDirectory, data, directory } = home;
  const opened = openSqliteStore({ path, blobsDirectory, now, randomBytes: createRandomBytes(), isAlive });
  if (!opened.ok) return opened;
  const { store, notice } = opened;
  try {
    const use = {
      ...(await store.storageUse({ largestMax })),
      snapshotBytes: directoryBytes(home.snapshots),
      artifactBytes: directoryBytes(join(data, "tool-output")),
      transcriptBytes: directoryBytes(join(directory, "projects")),
      cacheBytes: directoryBytes(join(directory, "cache")) + directoryBytes(join(data, "code-index")),
    };
    return notice === undefined ? { ok: true, use } : { ok: true, use, notice };
  } finally {
    await store.close();
  }
}
