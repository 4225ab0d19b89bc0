/**
 * Opens the database, and rescues it first when it is damaged.
 * A whole check at every start would read the whole file, so damage is noticed where it shows: while opening, at the
 * ends of the trees that every start touches, or later in use, which leaves a mark for the next start.
 */
import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { type Failure, FailureError } from "@kedge/protocol";
import { migrations } from "../sqlite/migrations.ts";
import { type OpenedDatabase, openDatabase } from "../sqlite/open-database.ts";
import { storageError } from "../storage-failure.ts";
import { isDamage } from "./damage.ts";
import { isMarkedDamaged, markDamaged, type RescueOptions, rescueDatabase } from "./rescue-database.ts";

export type OpenedSound = OpenedDatabase & {
  /** Tells the user what was kept of a damaged database and where the old one is. */
  readonly rescued?: Failure;
};

/** Other processes may find damage as well; a second look is enough unless the disk itself is broken. */
const looksMax = 2;

/** Where every start reads or writes next; damage there shows now, when it can be dealt with. Together 15 µs. */
const looks = ["SELECT max(pos) FROM fact", "SELECT max(key) FROM session", "SELECT 1 FROM lease LIMIT 1"];

export function openSoundDatabase(options: RescueOptions): OpenedSound {
  let rescued: Failure | undefined;
  for (let look = 1; ; look += 1) {
    try {
      const opened = openUnlessMarked(options);
      if (opened !== "damaged") return rescued === undefined ? opened : { ...opened, rescued };
      if (look > looksMax) return { ok: false, failure: stillDamaged(options.path) };
      markDamaged(options.path, options.now);
      rescued = rescueDatabase(options) ?? rescued;
    } catch (error) {
      const known = storageError(error, options.path);
      if (known instanceof FailureError) return { ok: false, failure: known.failure };
      throw known;
    }
  }
}

function openUnlessMarked({ path, randomBytes }: RescueOptions): OpenedDatabase | "damaged" {
  if (isMarkedDamaged(path) || isEmptyBesideLog(path)) return "damaged";
  const opened = openDatabase(path, migrations, randomBytes);
  if (!opened.ok) return opened.isDamaged ? "damaged" : opened;
  if (opened.readOnly !== undefined || !showsDamage(opened.database)) return opened;
  opened.database.close();
  return "damaged";
}

function showsDamage(database: DatabaseSync): boolean {
  try {
    for (const look of looks) database.prepare(look).get();
    return false;
  } catch (error) {
    if (isDamage(error)) return true;
    database.close();
    throw error;
  }
}

/** SQLite would take it for a new database and throw the log away. The log is made after the file, so it is looked at first. */
function isEmptyBesideLog(path: string): boolean {
  const sizeOf = (suffix: string) => statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0;
  return sizeOf("-wal") > 0 && sizeOf("") === 0;
}

function stillDamaged(path: string): Failure {
  const message = `${path} is damaged again right after a rebuild.`;
  return {
    code: "storage",
    message,
    recovery: "Check the disk, or set KEDGE_HOME to another directory.",
    retryable: false,
  };
}
