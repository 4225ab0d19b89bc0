/** Reads unified diffs as git, diff and models write them; what it does not understand it leaves out, and says so. */
import type { DiffHunk, FileDiff } from "./file-diff.ts";
import { createHunkBuilder, type HunkBuilder } from "./hunk-builder.ts";

const hunkLine = /^@@+ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@+ ?(.*)$/;
const bareHunkLine = /^@@/;

type OpenHunk = { readonly builder: HunkBuilder; readonly oldMax: number; readonly newMax: number };
type OpenFile = {
  oldPath: string | undefined;
  newPath: string | undefined;
  isBinary: boolean;
  hasHead: boolean;
  hunks: DiffHunk[];
};

/** Lines beside those of hunks that say nothing more than the files and places that are shown anyway. */
const headLine = /^(?:diff |index |rename from |rename to |similarity index )/;
const unendedLine = /^\\ No newline at end of file\r?$/;

export function parseUnifiedDiff(text: string): readonly FileDiff[] {
  return readUnifiedDiff(text).files;
}

/** True when every line of it is a head or would be shown. */
export function isWhollyRead(text: string): boolean {
  return readUnifiedDiff(text).isWhole;
}

function readUnifiedDiff(text: string): { readonly files: readonly FileDiff[]; readonly isWhole: boolean } {
  const files: OpenFile[] = [];
  let hunk: OpenHunk | undefined;
  let isWhole = true;
  const file = (): OpenFile => files.at(-1) ?? openFile(files);
  const closeHunk = () => {
    if (hunk !== undefined) file().hunks.push(hunk.builder.hunk());
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
    if (line.startsWith("diff ")) nameFile(openFile(files), line);
    else if (line.startsWith("--- ") && (all[index + 1] ?? "").startsWith("+++ ")) {
      const current = file();
      const target = current.hasHead || current.hunks.length > 0 ? openFile(files) : current;
      target.oldPath = pathOf(line);
      target.hasHead = true;
    } else if (line.startsWith("+++ ")) file().newPath = pathOf(line);
    else if (line.startsWith("rename from ")) file().oldPath = line.slice("rename from ".length);
    else if (line.startsWith("rename to ")) file().newPath = line.slice("rename to ".length);
    else if (line.startsWith("Binary files ") || line === "GIT binary patch") file().isBinary = true;
    else hunk = openHunk(line);
  }
  closeHunk();
  if (/^[-+]/m.test(text) && files.every(({ hunks, isBinary }) => hunks.length === 0 && !isBinary))
    file().hunks.push(...signedLines(all));
  const read = files.map(({ oldPath, newPath, isBinary, hunks }) => ({
    ...(oldPath === undefined ? {} : { oldPath }),
    ...(newPath === undefined ? {} : { newPath }),
    isBinary,
    hunks,
  }));
  return { files: read, isWhole };
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
  const file: OpenFile = { oldPath: undefined, newPath: undefined, isBinary: false, hasHead: false, hunks: [] };
  files.push(file);
  return file;
}

/** For files without lines, whose path stands nowhere else. */
function nameFile(file: OpenFile, line: string): void {
  const [, path] = /^diff --git a\/(.+) b\/\1\r?$/.exec(line) ?? [];
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

/** The counts decide, because a removed line may itself look like the head of a file. */
function isFull({ builder, oldMax, newMax }: OpenHunk, line: string): boolean {
  if (line.startsWith("\\")) return false;
  if (oldMax === Number.POSITIVE_INFINITY)
    return line.startsWith("diff ") || line.startsWith("@@") || line.startsWith("--- ");
  const needsOld = !line.startsWith("+");
  const needsNew = !line.startsWith("-");
  return (needsOld && builder.oldCount >= oldMax) || (needsNew && builder.newCount >= newMax);
}

/** Without the time behind a tab and the `a/` or `b/` before it; undefined for no file. */
function pathOf(line: string): string | undefined {
  const [path = ""] = line.slice("--- ".length).replace(/\r$/, "").split("\t");
  return path === "/dev/null" ? undefined : path.replace(/^[ab]\//, "");
}
