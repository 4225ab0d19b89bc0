/** Which files the work was about: what calls named and what the record says was changed, over all compactions. */
import { join, relative, sep } from "node:path";
import { type CallResult, type SessionState, type TouchedFiles, type TreeItem, toolCalls } from "@kedge/protocol";
import { namedFilesOf } from "./file-uses.ts";

export type TouchedOptions = {
  /** The root of the worktree, which the record's paths start from. */
  readonly root: string;
  /** What the last compaction knew. */
  readonly previous: TouchedFiles | undefined;
  /** In the place of all that the model sees, such as the part that a summary will stand for. */
  readonly items?: readonly TreeItem[];
};

const filesMax = 1_000;

/** Paths below the session's directory are relative to it. What was touched last stands last. */
export function touchedFiles(
  { items: shown, undoPoints, directory }: Pick<SessionState, "items" | "undoPoints" | "directory">,
  { root, previous, items = shown }: TouchedOptions,
): TouchedFiles {
  const read = new Set(previous?.read);
  const modified = new Set(previous?.modified);
  for (const { changes } of undoPoints) {
    for (const { files } of changes) for (const { path } of files) touch(modified, join(root, path));
  }
  let calls = new Map<string, Parameters<typeof namedFilesOf>[0]>();
  for (const item of items) {
    if (item.type === "answer") calls = new Map(toolCalls(item.content).map((call) => [call.callId, call]));
    if (item.type === "report") for (const { path } of item.files) touch(modified, join(root, path));
    for (const { callId, outcome } of resultsOf(item)) {
      const call = calls.get(callId);
      if (call === undefined || outcome !== "completed") continue;
      for (const { kind, path } of namedFilesOf(call, directory)) touch(kind === "read" ? read : modified, path);
    }
  }
  return { read: newest(read), modified: newest(modified) };

  function touch(paths: Set<string>, path: string): void {
    const name = nameBelow(directory, path);
    paths.delete(name);
    paths.add(name);
  }
}

function resultsOf(item: TreeItem): readonly Pick<CallResult, "callId" | "outcome">[] {
  if (item.type === "released") return item.step?.results ?? [];
  return item.type === "results" ? item.results : [];
}

function nameBelow(directory: string, path: string): string {
  const name = relative(directory, path);
  const isBelow = name !== "" && name !== ".." && !name.startsWith(`..${sep}`);
  return (isBelow ? name : path).replaceAll(sep, "/");
}

function newest(paths: ReadonlySet<string>): readonly string[] {
  return [...paths].slice(-filesMax);
}
