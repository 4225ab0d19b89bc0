/** Reads unified diffs as git, diff and models write them; what it does not understand it leaves out, and says so. */
import type { DiffFile, DiffHunk } from "./diff-file.ts";
import { pathOfGitLine, pathOfHeader, unquoteDiffPath } from "./diff-path.ts";
import { createHunkBuilder, type HunkBuilder } from "./hunk-builder.ts";

const hunkLine = /^@@+ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@+ ?(.*)$/;
const bareHunkLine = /^@@/;

type OpenHunk = { readonly builder: HunkBuilder; readonly oldMax: number; readonly newMax: number };
type OpenFile = {
  oldPath: string | undefined;
  newPath: string | undefined;
  isBinary: boolean;
  hasHead: boolean;
  isRenamed: boolean;
  hunks: DiffHunk[];
};

/** Lines beside those of hunks that say nothing more than the files and places that are shown anyway. */
const headLine = /^(?:diff |index |rename from |rename to |similarity index )/;
const unendedLine = /^\\ No newline at end of file\r?$/;

export type ReadDiff = {
  readonly files: readonly DiffFile[];
  /** Every line is a head or a line of a hunk, so that nothing would be left out where the files are shown. */
  readonly isWhole: boolean;
  /** Every hunk has as many lines as its head promises, and nothing says that the diff was shortened. */
  readonly isComplete: boolean;
};

export function readUnifiedDiff(text: string): ReadDiff {
  const files: OpenFile[] = [];
  let hunk: OpenHunk | undefined;
  let isWhole = true;
  let isComplete = true;
  const file = (): OpenFile => files.at(-1) ?? openFile(files);
  const closeHunk = () => {
    if (hunk === undefined) return;
    file().hunks.push(hunk.builder.hunk());
    isComplete &&= isKept(hunk);
    hunk = undefined;
  };
  const all = text.split("\n");
  // The text ends with a line feed; no line follows it.
  if (all.at(-1) === "") all.pop();
  for (const [index, line] of all.entries()) {
    if (line.startsWith("\\") && !unendedLine.test(line)) isWhole = false;
    if (hunk !== undefined && !isFull(hunk, line) && hunk.builder.add(line)) continue;
    closeHunk();
    isWhole &&= isHead(line, all, index);
    isComplete &&= !line.startsWith("… ");
    if (line.startsWith("diff ")) nameFile(openFile(files), line);
    else if (line.startsWith("--- ") && (all[index + 1] ?? "").startsWith("+++ ")) {
      const oldPath = pathOfHeader(line);
      const target = isTaken(file(), oldPath) ? openFile(files) : file();
      target.oldPath = oldPath;
      target.hasHead = true;
    } else if (line.startsWith("+++ ")) file().newPath = pathOfHeader(line);
    else if (line.startsWith("rename from ")) {
      file().oldPath = unquoteDiffPath(line.slice("rename from ".length));
      file().isRenamed = true;
    } else if (line.startsWith("rename to ")) file().newPath = unquoteDiffPath(line.slice("rename to ".length));
    else if (line.startsWith("Binary files ") || line === "GIT binary patch") file().isBinary = true;
    else hunk = openHunk(line);
  }
  closeHunk();
  if (/^[-+]/m.test(text) && files.every(({ hunks, isBinary }) => hunks.length === 0 && !isBinary)) {
    file().hunks.push(...signedLines(all));
    isComplete = false;
  }
  const read = files.map(({ oldPath, newPath, isBinary, hunks }) => ({
    ...(oldPath === undefined ? {} : { oldPath }),
    ...(newPath === undefined ? {} : { newPath }),
    isBinary,
    hunks,
  }));
  return { files: read, isWhole, isComplete };
}

/** A lone path may be a line of the file, and nobody can tell where a hunk without counts ends. */
function isHead(line: string, all: readonly string[], index: number): boolean {
  if (line.startsWith("--- ")) return (all[index + 1] ?? "").startsWith("+++ ");
  if (line.startsWith("+++ ")) return (all[index - 1] ?? "").startsWith("--- ");
  return headLine.test(line) || hunkLine.test(line.replace(/\r$/, ""));
}

/** Without any head the signs are all there is to go by. */
function signedLines(lines: readonly string[]): readonly DiffHunk[] {
  const builder = createHunkBuilder({ oldStart: 1, newStart: 1, heading: "" });
  for (const line of lines) if (/^[-+](?![-+]{2} )/.test(line)) builder.add(line);
  return builder.oldCount + builder.newCount > 0 ? [builder.hunk()] : [];
}

function openFile(files: OpenFile[]): OpenFile {
  const paths = { oldPath: undefined, newPath: undefined };
  const file: OpenFile = { ...paths, isBinary: false, hasHead: false, isRenamed: false, hunks: [] };
  files.push(file);
  return file;
}

/** The paths that follow belong to another file. */
function isTaken(file: OpenFile, oldPath: string | undefined): boolean {
  return file.hasHead || file.hunks.length > 0 || (file.isRenamed && file.oldPath !== oldPath);
}

/** For files without lines, whose path stands nowhere else. */
function nameFile(file: OpenFile, line: string): void {
  const path = pathOfGitLine(line);
  file.oldPath = path;
  file.newPath = path;
}

function openHunk(line: string): OpenHunk | undefined {
  const [, oldStart, oldCount = "1", newStart, newCount = "1", heading = ""] =
    hunkLine.exec(line.replace(/\r$/, "")) ?? [];
  if (oldStart !== undefined && newStart !== undefined) {
    const head = { oldStart: Number(oldStart), newStart: Number(newStart), heading };
    return { builder: createHunkBuilder(head), oldMax: Number(oldCount), newMax: Number(newCount) };
  }
  if (!bareHunkLine.test(line)) return undefined;
  // Models write `@@` alone, or with a place in words: such a hunk ends where no sign follows.
  const builder = createHunkBuilder({
    oldStart: 1,
    newStart: 1,
    heading: line.replace(/^@@+ ?/, "").replace(/ ?@@+$/, ""),
  });
  return { builder, oldMax: Number.POSITIVE_INFINITY, newMax: Number.POSITIVE_INFINITY };
}

/** A hunk without counts promises nothing, so nobody knows whether it is there to its end. */
function isKept({ builder, oldMax, newMax }: OpenHunk): boolean {
  return builder.oldCount === oldMax && builder.newCount === newMax;
}

/** The counts decide, because a removed line may itself look like the head of a file. */
function isFull({ builder, oldMax, newMax }: OpenHunk, line: string): boolean {
  if (line.startsWith("\\")) return false;
  if (oldMax === Number.POSITIVE_INFINITY)
    return line.startsWith("diff ") || line.startsWith("@@") || line.startsWith("--- ");
  const needsOld = !line.startsWith("+");
  const needsNew = !line.startsWith("-");
  return (needsOld && builder.oldCount >= oldMax) || (needsNew && builder.newCount >= newMax);
}
