/** Opens the SQLite store at a path, or says in one sentence why it cannot. */
import type { Failure, Store } from "@kedge/protocol";
import { migrations } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { createSqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";

export type OpenedStore =
  /** `notice` tells the user why the store can only be read. */
  | { readonly ok: true; readonly store: Store; readonly notice?: Failure }
  | { readonly ok: false; readonly failure: Failure };

export function openSqliteStore(options: SqliteStoreOptions): OpenedStore {
  const opened = openDatabase(options.path, migrations, options.randomBytes);
  if (!opened.ok) return opened;
  const { database, readOnly } = opened;
  const store = createSqliteStore(database, readOnly, options);
  return readOnly === undefined ? { ok: true, store } : { ok: true, store, notice: readOnly };
}
