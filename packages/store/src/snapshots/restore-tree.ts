/** Puts files and folders of the workspace back to their state in a tree. */
import { FailureError } from "@kedge/protocol";
import { failure } from "../storage-failure.ts";
import { linkFinder, splitNul } from "./changed-files.ts";
import { coverageTest, foldersName, noCoverage } from "./coverage.ts";
import { readAnswer, readFolders, writeQuestion } from "./empty-folders.ts";
import { addParents, isFolderPath } from "./folder-changes.ts";
import { type GitPlace, runGit } from "./git-process.ts";
import { excluding } from "./list-workspace.ts";
import { deleteFile, deleteFolder, isPlainPath, makeFolder, type TreeFile, writeFile } from "./restore-files.ts";
import type { Shadow } from "./shadow-directory.ts";
import { checkedTree, coverageOf, gitOutput, notesOf, readObjects, unreadable } from "./tree-files.ts";

/** Contents fetched from git at a time. */
const filesPerFetch = 32;

type TreeEntry = { readonly path: string; readonly kind: TreeFile["kind"]; readonly object: string };

/** Deletes first, so that what stands in the way of a file to be written is gone if the tree does not have it. */
export async function restoreFiles(shadow: Shadow, tree: string, paths: readonly string[]): Promise<void> {
  const { place } = shadow;
  const foreign = paths.find((path) => !isPlainPath(isFolderPath(path) ? path.slice(0, -1) : path));
  if (foreign !== undefined) {
    throw new FailureError(
      failure(`${JSON.stringify(foreign)} is not a path in the workspace.`, "Nothing was changed."),
    );
  }
  const { entries, folders } = await readTree(place, tree, new Set(paths));
  const isIn = (path: string) => (isFolderPath(path) ? folders?.has(path.slice(0, -1)) !== false : entries.has(path));
  const absent = paths.filter((path) => !isIn(path));
  const unknown = await unknownTo(shadow, tree, absent);
  // Without knowing the empty folders of the tree, none that becomes empty is taken away.
  const keeps = (folder: string) => folders?.has(folder) !== false;
  // Whatever lies in a folder has a longer path than the folder, and goes first.
  for (const path of absent.toSorted((one, other) => other.length - one.length)) {
    if (unknown.has(path)) continue;
    if (isFolderPath(path)) await deleteFolder(place.root, path.slice(0, -1), keeps);
    else await deleteFile(place.root, path, keeps);
  }
  const blocked = await writeEntries(place, [...entries.values()]);
  for (const path of paths) {
    if (!isFolderPath(path) || folders?.has(path.slice(0, -1)) !== true) continue;
    if (!(await makeFolder(place.root, path.slice(0, -1)))) blocked.push(path);
  }
  if (blocked.length > 0) {
    throw new FailureError(
      failure(`Not restored: something is in the way: ${blocked.join(", ")}.`, "Move it and try again."),
    );
  }
}

/** Gives back what could not be written. */
async function writeEntries(place: GitPlace, wanted: readonly TreeEntry[]): Promise<string[]> {
  const blocked: string[] = [];
  for (let start = 0; start < wanted.length; start += filesPerFetch) {
    const fetched = wanted.slice(start, start + filesPerFetch);
    const contents = await fetchContents(place, fetched);
    for (const [index, { path, kind }] of fetched.entries()) {
      const content = contents[index] ?? Buffer.alloc(0);
      if (!(await writeFile(place.root, path, { kind, content }))) blocked.push(path);
    }
  }
  return blocked;
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
    arguments: [...excluding(excludeFile), "check-ignore", "-z", "--stdin"],
    input: writeQuestion(doubtful),
    indexFile: index,
  });
  if (outcome.kind === "done") return new Set(readAnswer(outcome.output));
  // That none is ignored makes it fail too, without a word.
  if (outcome.kind === "failed" && outcome.error === "") return new Set();
  throw unreadable(outcome);
}

type ReadTree = {
  /** Of the wanted files that are there. */
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** Every folder, also the empty ones; undefined when those were too many to be told. */
  readonly folders: ReadonlySet<string> | undefined;
};

async function readTree(place: GitPlace, tree: string, wanted: ReadonlySet<string>): Promise<ReadTree> {
  const entries = new Map<string, TreeEntry>();
  const folders = new Set<string>();
  for (const line of splitNul(await gitOutput(place, ["ls-tree", "-r", "-z", checkedTree(tree)]))) {
    const tab = line.indexOf("\t");
    const path = line.subarray(tab + 1).toString();
    addParents(folders, path);
    if (!wanted.has(path)) continue;
    const [mode = "", , object = ""] = line.subarray(0, tab).toString().split(" ");
    entries.set(path, { path, kind: kindOf(mode), object });
  }
  const [note] = await notesOf(place, [tree], foldersName);
  const empty = readFolders(note);
  for (const folder of empty ?? []) addParents(folders.add(folder), folder);
  return { entries, folders: empty && folders };
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
    throw new FailureError(failure(`The snapshot lost the content of ${path}.`, "It cannot be restored."));
  });
}
