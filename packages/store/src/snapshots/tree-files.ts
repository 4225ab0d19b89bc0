/** Reads trees of the shadow directory: what changed between two, and the files of one. */
import { FailureError, type FileChange } from "@kedge/protocol";
import { failure } from "../storage-failure.ts";
import { splitNul } from "./changed-files.ts";
import { type GitPlace, runGit } from "./git-process.ts";
import { deleteFile, isPlainPath, type TreeFile, writeFile } from "./restore-files.ts";

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
  return changes;
}

function statusOf(letter: string): FileChange["status"] {
  if (letter === "A") return "added";
  return letter === "D" ? "deleted" : "modified";
}

export async function unifiedDiff(place: GitPlace, before: string, after: string): Promise<string> {
  const output = await gitOutput(place, [
    ...["diff-tree", "-r", "-p", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"],
    ...[checkedTree(before), checkedTree(after)],
  ]);
  return output.toString();
}

/** Deletes first, so that what stands in the way of a file to be written is gone if the tree does not have it. */
export async function restoreFiles(place: GitPlace, tree: string, paths: readonly string[]): Promise<void> {
  const foreign = paths.find((path) => !isPlainPath(path));
  if (foreign !== undefined) {
    throw new FailureError(
      failure(`${JSON.stringify(foreign)} is not a path in the workspace.`, "Nothing was changed."),
    );
  }
  const entries = await listEntries(place, tree, new Set(paths));
  for (const path of paths) if (!entries.has(path)) await deleteFile(place.root, path);
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

/** The answer to each name is a line `<name> blob <size>`, the bytes, and a line end. */
async function fetchContents(place: GitPlace, entries: readonly TreeEntry[]): Promise<readonly Buffer[]> {
  const input = Buffer.from(entries.map((entry) => `${entry.object}\n`).join(""));
  const output = await gitOutput(place, ["cat-file", "--batch", "--buffer"], input);
  let position = 0;
  return entries.map((entry) => {
    const lineEnd = output.indexOf("\n", position);
    const size = Number(output.subarray(position, lineEnd).toString().split(" ")[2]);
    if (lineEnd === -1 || !Number.isInteger(size)) {
      throw new FailureError(failure(`The snapshot has lost the content of ${entry.path}.`, "It cannot be restored."));
    }
    const start = lineEnd + 1;
    position = start + size + 1;
    return output.subarray(start, start + size);
  });
}

/** A name that is not a hash could be read by git as an option. */
function checkedTree(tree: string): string {
  if (treeShape.test(tree)) return tree;
  throw new FailureError(failure(`${JSON.stringify(tree)} is not a snapshot.`, "Check the session with verify."));
}

async function gitOutput(place: GitPlace, words: readonly string[], input?: Buffer): Promise<Buffer> {
  const outcome = await runGit(place, input === undefined ? { arguments: words } : { arguments: words, input });
  if (outcome.kind === "done") return outcome.output;
  const why = outcome.kind === "failed" ? outcome.error : "git could not be started";
  throw new FailureError(failure(`The snapshot cannot be read: ${why}.`, "Check that git is installed."));
}
