/** Reads trees of the shadow directory: what changed between two, and the files of one. */
import { FailureError, type FileChange } from "@kedge/protocol";
import { failure } from "../storage-failure.ts";
import { joinNul, linkFinder, splitNul } from "./changed-files.ts";
import {
  type Coverage,
  coverageName,
  coverageTest,
  indexName,
  isNote,
  noCoverage,
  presenceTest,
  readCoverage,
  refsName,
} from "./coverage.ts";
import { type GitOutcome, type GitPlace, runGit } from "./git-process.ts";
import { deleteFile, isPlainPath, type TreeFile, writeFile } from "./restore-files.ts";
import type { Shadow } from "./take-tree.ts";

/** Contents fetched from git at a time. */
const filesPerFetch = 32;

const treeShape = /^[0-9a-f]{40,64}$/;

type TreeEntry = { readonly path: string; readonly kind: TreeFile["kind"]; readonly object: string };

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
  // Trees that cover the same files have the same note, or both none.
  if (!changes.some(({ path }) => path === coverageName)) return changes.filter(({ path }) => !isNote(path));
  const [old = noCoverage, now = noCoverage] = await coverageOf(place, [before, after]);
  const isAddition = presenceTest(now, old);
  const isDeletion = presenceTest(old, now);
  return changes.filter(({ path, status }) => {
    if (isNote(path)) return false;
    if (status === "modified") return true;
    return status === "added" ? isAddition(path) : isDeletion(path);
  });
}

async function coverageOf(place: GitPlace, trees: readonly string[]): Promise<readonly Coverage[]> {
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

/** Ignored files may hold secrets, and only one of the trees may know them: those are left out as in `changedFiles`. */
export async function unifiedDiff(place: GitPlace, before: string, after: string): Promise<string> {
  const [old = noCoverage, now = noCoverage] = await coverageOf(place, [before, after]);
  const isAddition = presenceTest(now, old);
  const isDeletion = presenceTest(old, now);
  const unknown = [...now.extra.filter((path) => !isAddition(path)), ...old.extra.filter((path) => !isDeletion(path))];
  const output = await gitOutput(place, [
    ...["diff-tree", "-r", "-p", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"],
    ...[checkedTree(before), checkedTree(after), "--", "."],
    ...[coverageName, refsName, indexName, ...unknown].map((path) => `:(exclude,literal)${path}`),
  ]);
  return output.toString();
}

/** Deletes first, so that what stands in the way of a file to be written is gone if the tree does not have it. */
export async function restoreFiles(shadow: Shadow, tree: string, paths: readonly string[]): Promise<void> {
  const { place } = shadow;
  const foreign = paths.find((path) => !isPlainPath(path));
  if (foreign !== undefined) {
    throw new FailureError(
      failure(`${JSON.stringify(foreign)} is not a path in the workspace.`, "Nothing was changed."),
    );
  }
  const entries = await listEntries(place, tree, new Set(paths));
  const absent = paths.filter((path) => !entries.has(path));
  const unknown = await unknownTo(shadow, tree, absent);
  for (const path of absent) if (!unknown.has(path)) await deleteFile(place.root, path);
  const blocked: string[] = [];
  const wanted = [...entries.values()];
  for (let start = 0; start < wanted.length; start += filesPerFetch) {
    const fetched = wanted.slice(start, start + filesPerFetch);
    const contents = await fetchContents(place, fetched);
    for (const [index, { path, kind }] of fetched.entries()) {
      const content = contents[index] ?? Buffer.alloc(0);
      if (!(await writeFile(place.root, path, { kind, content }))) blocked.push(path);
    }
  }
  if (blocked.length > 0) {
    throw new FailureError(
      failure(`Not restored, because something stands in the way: ${blocked.join(", ")}.`, "Move it and try again."),
    );
  }
}

/** Ignored files that the tree was never asked about: that it lacks them says nothing, so they are not deleted. */
async function unknownTo(
  { place, index, excludeFile }: Shadow,
  tree: string,
  absent: readonly string[],
): Promise<ReadonlySet<string>> {
  if (absent.length === 0) return new Set();
  const [coverage = noCoverage] = await coverageOf(place, [tree]);
  const isCovered = coverageTest(coverage);
  // Git gives up over a path behind a link; such a file is never deleted anyway.
  const isBehindLink = linkFinder(place.root);
  const doubtful = absent.filter((path) => !isCovered(path) && !isBehindLink(path));
  const outcome = await runGit(place, {
    arguments: ["-c", `core.excludesFile=${excludeFile}`, "check-ignore", "-z", "--stdin"],
    input: joinNul(doubtful),
    indexFile: index,
  });
  if (outcome.kind === "done") return new Set(splitNul(outcome.output).map(String));
  // That none is ignored makes it fail too, without a word.
  if (outcome.kind === "failed" && outcome.error === "") return new Set();
  throw unreadable(outcome);
}

async function listEntries(
  place: GitPlace,
  tree: string,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, TreeEntry>> {
  const entries = new Map<string, TreeEntry>();
  for (const line of splitNul(await gitOutput(place, ["ls-tree", "-r", "-z", checkedTree(tree)]))) {
    const tab = line.indexOf("\t");
    const path = line.subarray(tab + 1).toString();
    if (!wanted.has(path)) continue;
    const [mode = "", , object = ""] = line.subarray(0, tab).toString().split(" ");
    entries.set(path, { path, kind: kindOf(mode), object });
  }
  return entries;
}

function kindOf(mode: string): TreeFile["kind"] {
  if (mode === "120000") return "link";
  return mode === "100755" ? "executable" : "file";
}

async function fetchContents(place: GitPlace, entries: readonly TreeEntry[]): Promise<readonly Buffer[]> {
  const contents = await readObjects(
    place,
    entries.map((entry) => entry.object),
  );
  return entries.map(({ path }, index) => {
    const content = contents[index];
    if (content !== undefined) return content;
    throw new FailureError(failure(`The snapshot has lost the content of ${path}.`, "It cannot be restored."));
  });
}

/** The answer to each name is a line `<name> <type> <size>`, the bytes and a line end, or a line `<name> missing`. */
async function readObjects(place: GitPlace, names: readonly string[]): Promise<readonly (Buffer | undefined)[]> {
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

async function gitOutput(place: GitPlace, words: readonly string[], input?: Buffer): Promise<Buffer> {
  const outcome = await runGit(place, input === undefined ? { arguments: words } : { arguments: words, input });
  if (outcome.kind === "done") return outcome.output;
  throw unreadable(outcome);
}

function unreadable(outcome: Exclude<GitOutcome, { kind: "done" }>): FailureError {
  const why = outcome.kind === "failed" ? outcome.error : "git could not be started";
  return new FailureError(failure(`The snapshot cannot be read: ${why}.`, "Check that git is installed."));
}
