/**
 * Moves a damaged database aside and puts one in its place that holds every record which could be read.
 * Each step can be repeated, so that a crash in between costs nothing: the mark stays until the new file is in place,
 * and while it stays nobody opens the database.
 */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type Failure, FailureError, type JournalKey } from "@kedge/protocol";
import type { RandomBytes } from "../chain.ts";
import { foldFiles, foldsDirectory } from "../fold-files.ts";
import type { IsAlive } from "../lease.ts";
import { migrations } from "../sqlite/migrations.ts";
import { openDatabase } from "../sqlite/open-database.ts";
import { failure } from "../storage-failure.ts";
import { type FoundFacts, findChains } from "./find-chains.ts";
import { openPageImages } from "./page-images.ts";
import { type Rebuilt, rebuildDatabase } from "./rebuild-database.ts";

export type RescueOptions = {
  readonly path: string;
  readonly blobsDirectory: string;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly isAlive: IsAlive;
  /** Tells a signature that was damaged from one that was not. */
  readonly journalKey?: JournalKey;
};

/** How long one process waits for another one that is at it already. */
const rescueMsMax = 120_000;

const companions = ["", "-wal", "-shm"] as const;

/** Says for the next start that the database is damaged, and which name the old file gets. */
export function markDamaged(path: string, now: () => number): void {
  const time = new Date(now()).toISOString().replaceAll(/[-:]/g, "").slice(0, "20000101T000000".length);
  let name = `${path}.damaged-${time}`;
  for (let again = 2; existsSync(name); again += 1) name = `${path}.damaged-${time}-${again}`;
  try {
    writeFileSync(markOf(path), name, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

export function isMarkedDamaged(path: string): boolean {
  return existsSync(markOf(path));
}

function markOf(path: string): string {
  return `${path}.damaged`;
}

/** Undefined when another process has done it meanwhile. Throws a FailureError when it cannot be done now. */
export function rescueDatabase(options: RescueOptions): Failure | undefined {
  const { path } = options;
  const lockPath = `${path}.rescue-lock`;
  // SQLite's own lock, because the system takes it back from a process that dies.
  const lock = new DatabaseSync(lockPath, { timeout: rescueMsMax });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return isMarkedDamaged(path) ? rescueMarked(options) : undefined;
  } finally {
    lock.close();
    // Whoever still waits for the removed file finds no mark.
    rmSync(lockPath, { force: true });
  }
}

function rescueMarked(options: RescueOptions): Failure {
  const { path } = options;
  const aside = readFileSync(markOf(path), "utf8");
  const temporary = `${path}.rescued`;
  for (const suffix of companions) {
    rmSync(temporary + suffix, { force: true });
    if (!existsSync(aside + suffix) && existsSync(path + suffix)) keepAside(path + suffix, aside + suffix);
  }
  const { facts, rebuilt } = salvage(aside, temporary, options);
  // An old log beside a new database would be played into it.
  for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
  renameSync(temporary, path);
  rmSync(markOf(path));
  return rescueNotice(rebuilt, facts, aside);
}

function keepAside(path: string, aside: string): void {
  try {
    linkSync(path, aside);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    // Not every file system knows links; a copy that breaks off must not pass for a whole one.
    copyFileSync(path, `${aside}.part`);
    renameSync(`${aside}.part`, aside);
  }
}

function salvage(
  from: string,
  to: string,
  options: RescueOptions,
): { readonly facts: FoundFacts; readonly rebuilt: Rebuilt } {
  const images = openPageImages(from);
  try {
    const facts = findChains(images);
    refuseWhileUsed(facts, options);
    // Sessions get other numbers, by which their folds were kept.
    foldFiles(foldsDirectory(options.path)).removeAll();
    const opened = openDatabase(to, migrations, options.randomBytes);
    if (!opened.ok) throw new FailureError(opened.failure);
    try {
      return { facts, rebuilt: rebuildDatabase({ ...options, images, facts, database: opened.database, path: to }) };
    } finally {
      opened.database.close();
      syncFile(to);
    }
  } finally {
    images.close();
  }
}

/** What a living process still writes would be lost with the file that is moved aside. */
function refuseWhileUsed({ leases }: FoundFacts, { path, now, isAlive }: RescueOptions): void {
  const used = leases.find(({ holder, expiresAt }) => expiresAt > now() && isAlive(holder));
  if (used === undefined) return;
  const message = `${path} is damaged, and another kedge process (pid ${used.holder.pid}) is using it.`;
  throw new FailureError(failure(message, "Close it and restart kedge, which then recovers what can be read."));
}

function syncFile(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function rescueNotice(
  { sessions, records, recordsLost, contentsLost }: Rebuilt,
  facts: FoundFacts,
  aside: string,
): Failure {
  const place = `The old file was moved to ${aside}.`;
  if (records === 0) return failure("The database was damaged and unreadable. A new one was created.", place);
  const losses = [
    ...(facts.sessionsLost > 0 ? [counted(facts.sessionsLost, "session")] : []),
    ...(recordsLost > 0 ? [counted(recordsLost, "record")] : []),
    ...(contentsLost > 0 ? [`the contents of ${counted(contentsLost, "record")}`] : []),
  ];
  const kept = `${counted(sessions, "session")} with ${counted(records, "record")} were kept`;
  const losing = losses.length === 0 ? "nothing was lost" : `${losses.join(" and ")} could not be read`;
  return failure(`The database was damaged and has been rebuilt: ${kept}, ${losing}.`, place);
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
