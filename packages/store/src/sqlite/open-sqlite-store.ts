/** Opens the SQLite store at a path, or says in one sentence why it cannot. */
import type { Failure, Store } from "@kedge/protocol";
import { isDamageOf } from "../rescue/damage.ts";
import { openSoundDatabase } from "../rescue/open-sound-database.ts";
import { repairTornEnd } from "../rescue/repair-torn-end.ts";
import { markDamaged } from "../rescue/rescue-database.ts";
import { watchDamage } from "../rescue/watch-damage.ts";
import { createConnection } from "./sqlite-connection.ts";
import { createSqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";

export type OpenedStore =
  /** `notice` tells the user why the store can only be read, or what was kept of a damaged one. */
  | { readonly ok: true; readonly store: Store; readonly notice?: Failure }
  | { readonly ok: false; readonly failure: Failure };

export function openSqliteStore(options: SqliteStoreOptions): OpenedStore {
  const { path, now } = options;
  const opened = openSoundDatabase(options);
  if (!opened.ok) return opened;
  const { database, readOnly } = opened;
  const connection = createConnection(database, path, readOnly);
  const store = watchDamage(createSqliteStore(database, readOnly, options), {
    path,
    isDamage: (error) => isDamageOf(database, error),
    onDamage: () => markDamaged(path, now),
    beforeWriting: (sessionId) => repairTornEnd(connection, sessionId, options),
  });
  const notice = readOnly ?? opened.rescued;
  return notice === undefined ? { ok: true, store } : { ok: true, store, notice };
}
