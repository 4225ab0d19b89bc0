/** What a session has outside of the store: its folder of artifacts, its transcripts, and the trees that its undo needs. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Fact, SnapshotCleanup, Store } from "@kedge/protocol";
import { removeDebugLog } from "../debug-log/debug-log.ts";
import { listTranscripts, removeTranscripts } from "../transcripts/transcript-place.ts";
import { directoryBytes } from "./directory-bytes.ts";

export type SnapshotsOf = (directory: string, projectId: string) => SnapshotCleanup | undefined;

const sessionName = /^ses_\w+$/;

/** Every tree that somebody may want to return to because of this fact. */
export function treesOf(fact: Fact): readonly string[] {
  switch (fact.type) {
    case "tool.started":
      return fact.snapshot === undefined ? [] : [fact.snapshot];
    case "files.changed":
      return [fact.before, fact.after];
    case "session.reverted":
      return [fact.snapshot, ...fact.restores.flatMap(({ tree, refsFrom }) => [tree, ...(refsFrom ? [refsFrom] : [])])];
    case "session.unreverted":
      return fact.restores.flatMap(({ tree, refsFrom }) => [tree, ...(refsFrom ? [refsFrom] : [])]);
    default:
      return [];
  }
}

/**
 * Removes what lies outside of the store. The bare chain of a deleted session still says where it worked, and so whose
 * snapshots it kept.
 */
export async function removeSessionPlace(
  sessionId: string,
  {
    store,
    home,
    artifactsDirectory,
    snapshotsOf,
  }: {
    readonly store: Store;
    /** kedge's own directory. */
    readonly home: string;
    readonly artifactsDirectory: string;
    readonly snapshotsOf: SnapshotsOf;
  },
): Promise<void> {
  if (sessionName.test(sessionId)) rmSync(join(artifactsDirectory, sessionId), { recursive: true, force: true });
  removeTranscripts(home, sessionId);
  removeDebugLog(home, sessionId);
  for await (const { fact } of store.read(sessionId, 0)) {
    if (fact.type === "session.created") await snapshotsOf(fact.directory, fact.projectId)?.unpin(sessionId);
    return;
  }
}

export type RemovedFolders = { readonly folders: number; readonly bytesFreed: number };

/** Folders of sessions that are gone, as after a crash in the middle of a deletion. */
export async function removeLeftArtifacts(
  store: Store,
  artifactsDirectory: string,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<RemovedFolders> {
  let folders = 0;
  let bytesFreed = 0;
  for (const name of existsSync(artifactsDirectory) ? readdirSync(artifactsDirectory) : []) {
    if (!sessionName.test(name) || (await store.session(name)) !== undefined) continue;
    const folder = join(artifactsDirectory, name);
    folders += 1;
    bytesFreed += directoryBytes(folder);
    if (!isDryRun) rmSync(folder, { recursive: true, force: true });
  }
  return { folders, bytesFreed };
}

export type RemovedFiles = { readonly files: number; readonly bytesFreed: number };

/** Transcripts of sessions that are gone, as when one process wrote what another one was deleting, and unfinished ones. */
export async function removeLeftTranscripts(
  store: Store,
  home: string,
  { isDryRun, unfinishedBefore }: { readonly isDryRun: boolean; readonly unfinishedBefore: number },
): Promise<RemovedFiles> {
  let files = 0;
  let bytesFreed = 0;
  for (const { sessionId, path, bytes, unfinishedAt } of listTranscripts(home)) {
    const isLeft = unfinishedAt !== undefined && unfinishedAt < unfinishedBefore;
    if (!isLeft && (await store.session(sessionId)) !== undefined) continue;
    files += 1;
    bytesFreed += bytes;
    if (!isDryRun) rmSync(path, { force: true });
  }
  return { files, bytesFreed };
}
