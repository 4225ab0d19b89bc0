/** Reads patches of the form `*** Begin Patch` … `*** End Patch`. */
import { anchorOf, finishHunk, type HunkDraft, joinAdded, startHunk, takeHunkLine } from "./hunk-draft.ts";
import { type FilePatch, type ParsedPatch, quoteLine, refusePatch } from "./patch.ts";

/** The part of the patch about one file, while it is read. */
type Section = {
  readonly kind: "add" | "update" | "delete";
  readonly path: string;
  moveTo?: string;
  readonly drafts: HunkDraft[];
  /** The hunk that takes lines, until its end is marked. */
  open: HunkDraft | undefined;
};

const marker = /^\*\*\*\s*(Add File|Update File|Delete File|Move to)\s*:(.*)$/i;
export const noEnd =
  "The patch was cut off: its last line is not *** End Patch. Nothing was changed; send it again, in parts if it is long.";

const markers = "*** Add File: path, *** Update File: path, *** Delete File: path, *** Move to: path, *** End Patch";

export function isFileMarker(line: string): boolean {
  return /^\*\*\*\s*(Add|Update|Delete) File\s*:/i.test(line);
}

export function isEnvelopeBegin(line: string): boolean {
  return /^\*\*\*\s*Begin Patch\s*$/i.test(line);
}

export function isEnvelopeEnd(line: string): boolean {
  return /^\*\*\*\s*End Patch\s*$/i.test(line);
}

/** What follows the end is ignored; without one nobody knows what the last file would have been. */
export function parseEnvelope(lines: readonly string[], first: number): ParsedPatch {
  const sections: Section[] = [];
  for (let index = first; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (isEnvelopeEnd(line)) return { ok: true, files: sections.map(finishSection) };
    const problem = line.startsWith("***") ? takeMarker(sections, line) : takeLine(sections.at(-1), line);
    if (problem !== undefined) return refusePatch(index, problem);
  }
  return { ok: false, problem: noEnd };
}

function takeMarker(sections: Section[], line: string): string | undefined {
  if (isEnvelopeBegin(line)) return undefined;
  const section = sections.at(-1);
  if (/^\*\*\*\s*End of File\s*$/i.test(line)) {
    if (section?.open !== undefined) section.open.atEnd = true;
    if (section !== undefined) section.open = undefined;
    return undefined;
  }
  const [, word, rest = ""] = marker.exec(line) ?? [];
  const path = rest.trim();
  if (word === undefined) return `${quoteLine(line)} is not a marker; use one of: ${markers}.`;
  if (path === "") return `${quoteLine(line)} has no path; put it after the colon.`;
  const name = word.toLowerCase();
  if (name === "move to") {
    if (section?.kind !== "update") return "*** Move to belongs below the *** Update File line of the file to move.";
    section.moveTo = path;
    return undefined;
  }
  const kind = name === "add file" ? "add" : name === "delete file" ? "delete" : "update";
  sections.push({ kind, path, drafts: [], open: undefined });
  return undefined;
}

function takeLine(section: Section | undefined, line: string): string | undefined {
  const isBlank = line.trim() === "";
  if (section === undefined) {
    if (isBlank) return undefined;
    return `${quoteLine(line)} comes before the first file; begin with one of: ${markers}.`;
  }
  switch (section.kind) {
    case "delete":
      return isBlank ? undefined : `*** Delete File takes no lines, but ${quoteLine(line)} follows; leave it out.`;
    case "add":
      if (!isBlank && !line.startsWith("+") && !line.startsWith("\\"))
        return `every line of the new file ${section.path} begins with +, unlike ${quoteLine(line)}.`;
      takeHunkLine(openHunk(section), isBlank ? "" : line);
      return undefined;
    case "update":
      return takeUpdateLine(section, line);
  }
}

function takeUpdateLine(section: Section, line: string): string | undefined {
  if (line.startsWith("@@")) {
    const { open } = section;
    // Several headers in a row narrow the place step by step.
    if (open !== undefined && open.lines.length === 0 && open.header !== "") open.anchors.push(anchorOf(line.trim()));
    else openHunk(section, line);
    return undefined;
  }
  if (section.open === undefined && line.trim() === "") return undefined;
  if (takeHunkLine(section.open ?? openHunk(section), line)) return undefined;
  return `${quoteLine(line)} begins with none of space, - and +; context lines begin with a space.`;
}

function openHunk(section: Section, header?: string): HunkDraft {
  if (header === undefined && section.open !== undefined) return section.open;
  const { draft } = startHunk(header ?? "");
  section.drafts.push(draft);
  section.open = draft;
  return draft;
}

function finishSection({ kind, path, moveTo, drafts }: Section): FilePatch {
  const hunks = drafts.map(finishHunk);
  switch (kind) {
    case "add":
      return { kind, path, text: joinAdded(hunks.flatMap(({ lines }) => lines)) };
    case "update":
      return { kind, path, hunks, ...(moveTo !== undefined && { moveTo }) };
    case "delete":
      return { kind, path, hunks };
  }
}
