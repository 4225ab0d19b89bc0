/** The files of a memory directory as texts, read and changed only as a whole: a crash leaves the old or the new ones. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { FailureError, parseJson } from "@kedge/protocol";
import { makePrivateDirectory, replacePrivateFile, syncDirectory } from "./private-files.ts";
import { inboxFolder, ledgerFile, pendingFile, quarantineFolder, recordFolder } from "./store-files.ts";

/** A file by its path in the directory; null where it is to be removed. */
export type FileChanges = ReadonlyMap<string, string | null>;

export type UnreadableFile = { readonly path: string; readonly why: string };

export type FileSet = {
  readonly texts: ReadonlyMap<string, string>;
  /** Markdown files whose text cannot be had. They are left alone. */
  readonly unreadable: readonly UnreadableFile[];
};

export const emptyFileSet: FileSet = { texts: new Map(), unreadable: [] };

const fileBytesMax = 1_048_576;
const filesMax = 5_000;

/** With the change that is decided but not carried out, so that nobody sees half of one. `only`: no other files. */
export function readFileSet(directory: string, only?: readonly string[]): FileSet {
  const texts = new Map<string, string>();
  const unreadable: UnreadableFile[] = [];
  for (const path of only ?? markdownFiles(directory)) {
    const read = readText(join(directory, path));
    if (typeof read === "string") texts.set(path, read);
    else if (read !== undefined) unreadable.push({ path, why: read.why });
  }
  const ledger = readText(join(directory, ledgerFile));
  if (typeof ledger === "string") texts.set(ledgerFile, ledger);
  for (const [path, text] of pendingChanges(directory)) {
    if (text === null) texts.delete(path);
    else if (path === ledgerFile || (path.endsWith(".md") && (only?.includes(path) ?? true))) texts.set(path, text);
  }
  return { texts, unreadable };
}

/**
 * The decision is one rename: before it nothing has happened, after it everything will. Only called by whoever holds
 * the lock of the directory.
 */
export function commitFiles(directory: string, changes: FileChanges, newToken: () => string): void {
  if (changes.size === 0) return;
  for (const folder of new Set([recordFolder, ...[...changes.keys()].map(dirname)])) {
    makePrivateDirectory(join(directory, folder));
  }
  replacePrivateFile(join(directory, pendingFile), JSON.stringify([...changes]), newToken());
  syncDirectory(join(directory, recordFolder));
  carryOut(directory, changes, newToken);
}

/** Completes what a process that died had decided. Only called by whoever holds the lock of the directory. */
export function completePending(directory: string, newToken: () => string): void {
  const changes = pendingChanges(directory);
  if (changes.size > 0) carryOut(directory, changes, newToken);
  for (const folder of ["", inboxFolder, quarantineFolder, recordFolder]) {
    const names = namesIn(join(directory, folder)).filter((name) => /^\.\w+\.tmp$/.test(name));
    for (const name of names) rmSync(join(directory, folder, name), { force: true });
  }
}

function carryOut(directory: string, changes: FileChanges, newToken: () => string): void {
  for (const [path, text] of changes) {
    const target = join(directory, path);
    if (text === null) rmSync(target, { force: true });
    else {
      makePrivateDirectory(dirname(target));
      replacePrivateFile(target, text, newToken());
    }
  }
  for (const folder of new Set([...changes.keys()].map((path) => dirname(join(directory, path)))))
    syncDirectory(folder);
  rmSync(join(directory, pendingFile), { force: true });
  syncDirectory(join(directory, recordFolder));
}

function pendingChanges(directory: string): FileChanges {
  const text = readText(join(directory, pendingFile), Number.POSITIVE_INFINITY);
  if (typeof text !== "string") return new Map();
  const entries = parseJson(text);
  if (Array.isArray(entries) && entries.every(isChange)) return new Map(entries);
  // It is written as a whole, so this is not what kedge wrote.
  const message = `${join(directory, pendingFile)} is damaged.`;
  throw new FailureError({ code: "storage", message, recovery: "Review it and remove it.", retryable: false });
}

function isChange(entry: unknown): entry is [string, string | null] {
  if (!Array.isArray(entry)) return false;
  const [path, text]: readonly unknown[] = entry;
  const isPlain = typeof path === "string" && /^(?:(?:\.store|inbox|quarantine)\/)?[\w][\w.-]*$/.test(path);
  return isPlain && (text === null || typeof text === "string");
}

function markdownFiles(directory: string): readonly string[] {
  return ["", inboxFolder, quarantineFolder].flatMap((folder) => {
    const names = namesIn(join(directory, folder)).filter((name) => name.endsWith(".md") && !name.startsWith("."));
    return names
      .sort()
      .slice(0, filesMax)
      .map((name) => (folder === "" ? name : `${folder}/${name}`));
  });
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** Undefined for a file that is not there. A link is not followed, and nothing that is no file is waited for. */
function readText(path: string, bytesMax = fileBytesMax): string | undefined | { readonly why: string } {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    if (error instanceof Error && "code" in error) {
      return { why: error.code === "ELOOP" ? "it is a link" : `it cannot be read (${String(error.code)})` };
    }
    throw error;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return { why: "it is not a file" };
    if (stats.size > bytesMax) return { why: `it is larger than ${bytesMax.toLocaleString("en-US")} bytes` };
    const bytes = readFileSync(file);
    if (bytes.includes(0)) return { why: "it is not text" };
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return { why: "it is not UTF-8" };
    throw error;
  } finally {
    closeSync(file);
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
