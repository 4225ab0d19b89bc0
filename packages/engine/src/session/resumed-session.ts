/** What a session that is taken up again must know again: which files are as the model saw them, and which are not. */
import { type ConversationItem, type FileChange, type FileState, type SessionState, toolCalls } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { describeChanges } from "../call/files/describe-changes.ts";
import type { Journal } from "../journal.ts";
import type { EngineParts } from "../parts.ts";
import { harmless, prompt } from "../prompt-texts.ts";
import { namedFilesOf } from "../window/file-uses.ts";

const changedText = prompt(textBeside(import.meta.url, "../prompts/changed-meanwhile.md"));

export type ResumedParts = {
  readonly engine: EngineParts;
  readonly journal: Journal;
  readonly files: FileState;
};

/** Of more files the newest are looked at; the others are read again before they are edited. */
const filesMax = 100;

/**
 * A file that did not change since the model saw or wrote it is known as it is now. Times tell this as well as the
 * content would, which no record holds.
 */
export async function rememberUnchangedFiles({ engine, journal, files }: ResumedParts): Promise<void> {
  const { resources, compaction, workspace } = engine;
  const { fileChangedAtMs } = resources;
  const readFile = compaction?.readFile;
  if (fileChangedAtMs === undefined || readFile === undefined) return;
  const seen = [...seenFiles(journal.state, workspace.cwd)].slice(-filesMax);
  await Promise.all(
    seen.map(async ([path, seenAtMs]) => {
      const changedAtMs = await fileChangedAtMs(path);
      if (changedAtMs === undefined || changedAtMs >= seenAtMs) return;
      const file = await readFile(path);
      if (file !== undefined && files.known(path) === undefined) files.remember(path, file.contentHash);
    }),
  );
}

/** By path, when each was last shown to the model or written by it; the newest last. */
function seenFiles({ items, tree }: SessionState, directory: string): ReadonlyMap<string, number> {
  const seen = new Map<string, number>();
  const see = (path: string, item: ConversationItem) => {
    const time = tree.get(item.id)?.time;
    if (time === undefined) return;
    seen.delete(path);
    seen.set(path, time);
  };
  let calls = new Map<string, Parameters<typeof namedFilesOf>[0]>();
  for (const item of items) {
    if (item.type === "answer") calls = new Map(toolCalls(item.content).map((call) => [call.callId, call]));
    else if (item.type === "compaction") for (const path of restoredPaths(item.restored)) see(path, item);
    else if (item.type === "results") {
      for (const { callId, outcome } of item.results) {
        const call = calls.get(callId);
        if (call === undefined || outcome !== "completed") continue;
        for (const { path } of namedFilesOf(call, directory)) see(path, item);
      }
    }
  }
  return seen;
}

function restoredPaths(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => {
    const quoted = /^<restored-file path=("(?:[^"\\]|\\.)*")>/.exec(text)?.[1];
    return quoted === undefined ? [] : [String(JSON.parse(quoted))];
  });
}

/** Gives the words for the model when they are asked for; none when nothing changed since the last tree of the session. */
export async function findChangesMeanwhile(
  { engine, journal }: ResumedParts,
  signal: AbortSignal,
): Promise<(() => string | undefined) | undefined> {
  const before = lastTree(journal.state);
  if (before === undefined) return undefined;
  const tracked = await engine.snapshots.track(signal, { asIn: [before] });
  if (!tracked.ok || tracked.tree === before) return undefined;
  const changes = await engine.snapshots.changes(before, tracked.tree);
  return () => {
    // The run may have begun to change files before the tree was taken; by now that is recorded.
    const own = new Set(ownChanges(journal.state, before).map(({ path }) => path));
    const others = changes.filter(({ path }) => !own.has(path));
    return others.length === 0
      ? undefined
      : fillSlots(changedText, { changes: harmless(describeChanges(others).line) });
  };
}

/** How the workspace was when the session last looked; undefined when it never did. */
function lastTree({ undoPoints }: SessionState): string | undefined {
  const trees = undoPoints.map(({ changes, cut, unfinished }) => cut ?? unfinished ?? changes.at(-1)?.after);
  return trees.findLast((tree) => tree !== undefined);
}

function ownChanges({ undoPoints }: SessionState, since: string): readonly FileChange[] {
  const all = undoPoints.flatMap(({ changes }) => changes);
  const at = all.findLastIndex(({ after }) => after === since);
  return all.slice(at + 1).flatMap(({ files }) => files);
}
