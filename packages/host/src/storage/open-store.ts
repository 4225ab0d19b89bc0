/** Opens the store that the user chose: the file of this machine, or the PostgreSQL database of several. */
import type { JournalKey } from "@kedge/protocol";
import { type OpenedStore, openSqliteStore } from "@kedge/store";
import type { Home } from "../machine/home.ts";
import { isAlive, thisMachine } from "../machine/identity.ts";
import type { StorageSettings } from "./storage-settings.ts";

export type OpenStoreOptions = {
  readonly storage: StorageSettings;
  readonly home: Home;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly redact?: (text: string) => string;
  readonly journalKey?: JournalKey;
  /** Another one for every program. Without it no folds of sessions are kept, because nobody could tell who made them. */
  readonly buildId?: string;
};

/** The client of PostgreSQL is loaded only where a database is named. */
export async function openStore({ storage, home, buildId, ...world }: OpenStoreOptions): Promise<OpenedStore> {
  const { url } = storage;
  if (url === undefined) {
    const files = { path: home.database, blobsDirectory: home.blobs };
    return openSqliteStore({
      ...world,
      ...files,
      isAlive,
      ...(buildId !== undefined && { keptTexts: { mark: buildId } }),
    });
  }
  const { openPostgresStore } = await import("@kedge/store/postgres");
  return openPostgresStore({ ...world, url, isAlive, machine: thisMachine() });
}

/** How people call the database on a server; undefined where sessions are kept on this machine. */
export async function serverNameOf({ url }: StorageSettings): Promise<string | undefined> {
  if (url === undefined) return undefined;
  const { readDatabaseAddress } = await import("@kedge/store/postgres");
  const read = readDatabaseAddress(url);
  return read.ok ? read.address.name : undefined;
}
