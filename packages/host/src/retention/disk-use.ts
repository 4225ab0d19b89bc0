/** Where the disk went: the database, here or on its server, and what sessions left in kedge's own directory. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Failure, StorageUse } from "@kedge/protocol";
import type { Home } from "../machine/home.ts";
import { createRandomBytes } from "../machine/random-bytes.ts";
import { openStore, serverNameOf } from "../storage/open-store.ts";
import type { StorageSettings } from "../storage/storage-settings.ts";
import { directoryBytes } from "./directory-bytes.ts";

const largestMax = 3;

export type DiskUse = StorageUse & {
  /** The PostgreSQL database that holds the sessions; on this machine without it. */
  readonly server?: string;
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

export type DiskPlace = { readonly home: Home; readonly storage: StorageSettings; readonly now: () => number };

/** Undefined when nothing was stored yet: looking must not make a database. */
export async function measureDisk({ home, storage, now }: DiskPlace): Promise<MeasuredDisk | undefined> {
  if (storage.url === undefined && !existsSync(home.database)) return undefined;
  const { data, directory } = home;
  const opened = await openStore({ storage, home, now, randomBytes: createRandomBytes() });
  if (!opened.ok) return opened;
  const { store, notice } = opened;
  try {
    const server = await serverNameOf(storage);
    const use = {
      ...(server !== undefined && { server }),
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
