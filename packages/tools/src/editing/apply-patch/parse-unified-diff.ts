/** Reads plain unified diffs, also those of git with their renames, new and deleted files. */
import { unquoteDiffPath } from "@kedge/protocol";
import { finishHunk, type HunkDraft, joinAdded, startHunk, takeHunkLine } from "./hunk-draft.ts";
import { type FilePatch, type ParsedPatch, quoteLine, refusePatch } from "./patch.ts";
import { gitLineNames, headerName, isNoFile, pickNames } from "./patch-names.ts";

/** The part of the diff about one file, while it is read. */
type Section = {
  readonly line: number;
  oldName: string | undefined;
  newName: string | undefined;
  /** Named without prefixes by git; they count before the other names. */
  renameFrom: string | undefined;
  renameTo: string | undefined;
  isNew: boolean;
  isDeleted: boolean;
  readonly drafts: HunkDraft[];
  /** What the range of the open hunk still promises; undefined between hunks. */
  left: { old: number; new: number } | undefined;
};

export function isUnifiedStart(line: string, next: string | undefined): boolean {
  if (line.startsWith("diff --git ") || /^@@+ -\d/.test(line)) return true;
  return /^--- \S/.test(line) && next?.startsWith("+++ ") === true;
}

/** `blankTail` is how many blank lines stood behind the last one: context at the end of a hunk may be blank. */
export function parseUnifiedDiff(lines: readonly string[], first: number, blankTail: number): ParsedPatch {
  const sections: Section[] = [];
  for (let index = first; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const section = sections.at(-1);
    if (line.startsWith("diff --git ")) {
      const [oldName, newName] = gitLineNames(line);
      sections.push(newSection(index, oldName, newName));
    } else if (startsFile(lines, index, section)) {
      const [oldName, newName] = [headerName(line), headerName(lines[index + 1] ?? "")];
      // The line of git above has begun the section already.
      if (section !== undefined && section.drafts.length === 0 && lines[section.line]?.startsWith("diff ") === true) {
        section.oldName = oldName;
        section.newName = newName;
      } else sections.push(newSection(index, oldName, newName));
      index += 1;
    } else {
      const problem = section === undefined ? noFile(line) : takeLine(section, line);
      if (problem !== undefined) return refusePatch(index, problem);
    }
  }
  const files: FilePatch[] = [];
  for (const section of sections) {
    const finished = finishSection(section);
    if (typeof finished === "string") return refusePatch(section.line, finished);
    files.push(finished);
  }
  const left = sections.at(-1)?.left;
  if (left === undefined || Math.max(left.old, left.new) <= blankTail) return { ok: true, files };
  return { ok: false, problem: cutOff(sections.at(-1)?.drafts.at(-1)?.header ?? "") };
}

/** Only the last hunk can have been cut off; models count badly, and what follows a hunk shows where it ends. */
function cutOff(header: string): string {
  return `The patch was cut off: fewer lines follow its last hunk header ${quoteLine(header)} than the header counts. Nothing was changed; send it again, with all lines or the right counts.`;
}

function newSection(line: number, oldName: string | undefined, newName: string | undefined): Section {
  const unknown = { renameFrom: undefined, renameTo: undefined, isNew: false, isDeleted: false };
  return { line, oldName, newName, ...unknown, drafts: [], left: undefined };
}

function noFile(line: string): string {
  return `${quoteLine(line)} comes before the first file; begin with --- a/path and +++ b/path.`;
}

/**
 * Inside a hunk the same two lines can be a removed `-- x` and an added `++ y`. They are, if the range still promises
 * lines and either these two are the last of them or no hunk follows.
 */
function startsFile(lines: readonly string[], index: number, section: Section | undefined): boolean {
  if (lines[index]?.startsWith("--- ") !== true || lines[index + 1]?.startsWith("+++ ") !== true) return false;
  const left = section?.left;
  if (left === undefined || (left.old <= 0 && left.new <= 0)) return true;
  if (left.old === 1 && left.new === 1) return false;
  return lines[index + 2]?.startsWith("@@") === true;
}

/** The signature of a mailed patch, and the lines that other tools put between files. */
const closesHunk = /^(-- ?$|Index: |={3,}$|diff |Only in )/;

function takeLine(section: Section, line: string): string | undefined {
  if (line.startsWith("@@")) {
    const { draft, range } = startHunk(line);
    section.drafts.push(draft);
    section.left = range === undefined ? { old: 0, new: 0 } : { old: range.oldCount, new: range.newCount };
    return undefined;
  }
  const draft = section.drafts.at(-1);
  const { left } = section;
  if (draft === undefined || left === undefined) return takeHeaderLine(section, line);
  if (left.old <= 0 && left.new <= 0 && closesHunk.test(line)) {
    section.left = undefined;
    return undefined;
  }
  if (!takeHunkLine(draft, line))
    return `${quoteLine(line)} begins with none of space, - and +; context lines begin with a space.`;
  const kind = line.startsWith("\\") ? undefined : draft.lines.at(-1)?.kind;
  if (kind === "keep" || kind === "remove") left.old -= 1;
  if (kind === "keep" || kind === "add") left.new -= 1;
  return undefined;
}

const headerLine = /^(rename from|rename to|copy from|new file|deleted file|GIT binary|Binary files)(?: (.*))?$/;

/** Lines between files and hunks. What says nothing about content or name is passed over, but never a change. */
function takeHeaderLine(section: Section, line: string): string | undefined {
  if (/^[-+]/.test(line)) return `${quoteLine(line)} belongs to no hunk; write a line @@ -1,2 +1,2 @@ above the hunk.`;
  const [, word, name = ""] = headerLine.exec(line.trimEnd()) ?? [];
  switch (word) {
    case "rename from":
      section.renameFrom = unquoteDiffPath(name);
      return undefined;
    case "rename to":
      section.renameTo = unquoteDiffPath(name);
      return undefined;
    case "new file":
      section.isNew = true;
      return undefined;
    case "deleted file":
      section.isDeleted = true;
      return undefined;
    case "copy from":
      return "copies cannot be applied; add the new file with all of its lines.";
    case "GIT binary":
    case "Binary files":
      return "binary files cannot be patched; change them with bash.";
    default:
      return undefined;
  }
}

/** A sentence for the model when the section makes no sense. */
function finishSection(section: Section): FilePatch | string {
  const hunks = section.drafts.map(finishHunk);
  const names = pickNames(section);
  if (names === undefined) return "the names of the file cannot be read; write --- a/path and +++ b/path.";
  const { oldPath, newPath } = names;
  if (section.isNew || isNoFile(oldPath)) {
    if (isNoFile(newPath)) return "both names are /dev/null; name the file on one side.";
    const lines = hunks.flatMap((hunk) => hunk.lines);
    if (lines.some(({ kind }) => kind !== "add"))
      return `${newPath} is a new file, so all of its lines begin with +; to change an existing file write --- a/${newPath}.`;
    return { kind: "add", path: newPath, text: joinAdded(lines) };
  }
  if (section.isDeleted || isNoFile(newPath)) return { kind: "delete", path: oldPath, hunks };
  return { kind: "update", path: oldPath, hunks, ...(oldPath !== newPath && { moveTo: newPath }) };
}
