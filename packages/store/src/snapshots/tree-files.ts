/** Reads trees of the shadow directory: what changed between two, and the objects of one. */
import { FailureError, type FileChange } from "@kedge/protocol";
import { failure } from "../storage-failure.ts";
import { splitNul } from "./changed-files.ts";

import {
  type Coverage,
  coverageName,
  foldersName,
  isNote,
  noCoverage,
  noteNames,
  presenceTest,
  readCoverage,
} from "./coverage.ts";
import { readFolders } from "./empty-folders.ts";
import { changedFolders } from "./folder-changes.ts";
import { type GitOutcome, type GitPlace, runGit } from "./git-process.ts";

const treeShape = /^[0-9a-f]{40,64}$/;

/** An empty folder that came or went is named with a slash at its end. */
export async function changedFiles(place: GitPlace, before: string, after: string): Promise<readonly FileChange[]> {
  const output = await gitOutput(place, [
    ...["diff-tree", "-r", "-z", "--no-renames", "--name-status"],
    ...[checkedTree(before), checkedTree(after)],
  ]);
  const fields = splitNul(output).map(String);
  const changes: FileChange[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    changes.push({ path: fields[index + 1] ?? "", status: statusOf(fields[index] ?? "") });
  }
  const hasNote = (name: string) => changes.some(({ path }) => path === name);
  const folders = hasNote(foldersName) ? await foldersChanged(place, [before, after], changes) : [];
  const all = [...changes.filter(({ path }) => !isNote(path)), ...folders];
  // Trees that cover the same files have the same note, or both none.
  if (!hasNote(coverageName)) return all;
  const [old = noCoverage, now = noCoverage] = await coverageOf(place, [before, after]);
  const isAddition = presenceTest(now, old);
  const isDeletion = presenceTest(old, now);
  return all.filter(({ path, status }) => {
    if (status === "modified") return true;
    return status === "added" ? isAddition(path) : isDeletion(path);
  });
}

async function foldersChanged(
  place: GitPlace,
  trees: readonly [string, string],
  files: readonly FileChange[],
): Promise<readonly FileChange[]> {
  const [old, now] = (await notesOf(place, trees, foldersName)).map(readFolders);
  return old === undefined || now === undefined ? [] : changedFolders(place.root, { old, now, files });
}

export async function coverageOf(place: GitPlace, trees: readonly string[]): Promise<readonly Coverage[]> {
  const found = await notesOf(place, trees, coverageName);
  return found.map((content) => (content === undefined ? noCoverage : readCoverage(content)));
}

/** What each tree notes under a name; undefined where it has no such note. */
export async function notesOf(
  place: GitPlace,
  trees: readonly string[],
  name: string,
): Promise<readonly (Buffer | undefined)[]> {
  if (trees.length === 0) return [];
  return readObjects(
    place,
    trees.map((tree) => `${checkedTree(tree)}:${name}`),
  );
}

function statusOf(letter: string): FileChange["status"] {
  if (letter === "A") return "added";
  return letter === "D" ? "deleted" : "modified";
}

/** Ignored files may contain secrets, and only one of the trees may know them: those are left out as in `changedFiles`. */
export async function unifiedDiff(place: GitPlace, before: string, after: string): Promise<string> {
  const [old = noCoverage, now = noCoverage] = await coverageOf(place, [before, after]);
  const isAddition = presenceTest(now, old);
  const isDeletion = presenceTest(old, now);
  const unknown = [...now.extra.filter((path) => !isAddition(path)), ...old.extra.filter((path) => !isDeletion(path))];
  const output = await gitOutput(place, [
    ...["diff-tree", "-r", "-p", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"],
    ...[checkedTree(before), checkedTree(after), "--", "."],
    ...[...noteNames, ...unknown].map((path) => `:(exclude,literal)${path}`),
  ]);
  return output.toString();
}

/** The answer to each name is a line `<name> <type> <size>`, the bytes and a line end, or a line `<name> missing`. */
export async function readObjects(place: GitPlace, names: readonly string[]): Promise<readonly (Buffer | undefined)[]> {
  const input = Buffer.from(names.map((name) => `${name}\n`).join(""));
  const output = await gitOutput(place, ["cat-file", "--batch", "--buffer"], input);
  let position = 0;
  return names.map(() => {
    const lineEnd = output.indexOf("\n", position);
    if (lineEnd === -1) return undefined;
    const sizeBytes = Number(output.subarray(position, lineEnd).toString().split(" ")[2]);
    const start = lineEnd + 1;
    position = Number.isInteger(sizeBytes) ? start + sizeBytes + 1 : start;
    return Number.isInteger(sizeBytes) ? output.subarray(start, start + sizeBytes) : undefined;
  });
}

/** A name that is not a hash could be read by git as an option. */
export function checkedTree(tree: string): string {
  if (treeShape.test(tree)) return tree;
  throw new FailureError(failure(`${JSON.stringify(tree)} is not a snapshot.`, "Check the session with verify."));
}

export async function gitOutput(place: GitPlace, words: readonly string[], input?: Buffer): Promise<Buffer> {
  const outcome = await runGit(place, input === undefined ? { arguments: words } : { arguments: words, input });
  if (outcome.kind === "done") return outcome.output;
  throw unreadable(outcome);
}

const missingObject = /bad object|not a valid object name|not a tree object/i;

export function unreadable(outcome: Exclude<GitOutcome, { kind: "done" }>): FailureError {
  const why = outcome.kind === "failed" ? outcome.error : "git could not be started";
  // Git has run, so it is the tree that is missing: cleaned away, or taken by a kedge on another machine.
  if (missingObject.test(why)) {
    const message = "The snapshot cannot be read: it is not on this machine.";
    return new FailureError(failure(message, "Undo where the files were changed."));
  }
  return new FailureError(failure(`The snapshot cannot be read: ${why}.`, "Check that git is installed."));
}
