/** Reads what stands open: a large text, a notebook, a picture, a document, or a directory. */
import { closeSync, readdirSync, readFileSync, readSync } from "node:fs";
import type { ToolContext, ToolOutput } from "@kedge/protocol";
import { editableBytesMax, hashContent, looksBinary, type OpenedFile } from "../file-content.ts";
import { describeFileError } from "../file-error.ts";
import { containerKindOf, isContainer } from "./contained.ts";
import { overviewDirectory } from "./directory-overview.ts";
import { kindOf, sniffedBytes } from "./file-kind.ts";
import { nameInWords, sizeInWords } from "./in-words.ts";
import { createLineWindow } from "./line-window.ts";
import { notebookText } from "./notebook-text.ts";
import { readContainer } from "./read-contained.ts";
import { readImage } from "./read-image.ts";
import { readLargeFile } from "./read-large-file.ts";
import { readPdf } from "./read-pdf.ts";
import { showLines, type Target } from "./selection.ts";

type OpenFile = Extract<OpenedFile, { kind: "file" }>;

/** Milliseconds since 1970; without it a directory shows dates in the place of ages. */
export type WallClock = () => number;

/** Up to this size one synchronous read is eight times faster than the way through the thread pool. */
const synchronousBytesMax = 256 * 1_024;

/** Closes the file. */
export async function readOpened(
  opened: Exclude<OpenedFile, { kind: "missing" }>,
  target: Target,
  { context, wallClockMs }: { readonly context: ToolContext; readonly wallClockMs: WallClock | undefined },
): Promise<ToolOutput> {
  switch (opened.kind) {
    case "refused":
      return refuse(target, opened.problem);
    case "directory":
      return readDirectory(target, wallClockMs);
    case "file":
      try {
        return readSmallText(opened, target, context) ?? (await readOther(opened, target, context));
      } catch (error) {
        const code = codeOfFailedRead(error);
        if (code === undefined) throw error;
        return refuse(target, `${target.path} cannot be read (${code}); look at it with bash.`);
      } finally {
        closeSync(opened.descriptor);
      }
  }
}

/** Some files of the system open well and cannot be read. */
function codeOfFailedRead(error: unknown): string | undefined {
  const isRead = error instanceof Error && "syscall" in error && error.syscall === "read";
  return isRead && "code" in error ? String(error.code) : undefined;
}

/** Undefined when the file is not a small text. This is what most calls come to. */
function readSmallText(file: OpenFile, target: Target, context: ToolContext): ToolOutput | undefined {
  const { selection, path } = target;
  if (file.sizeBytes > synchronousBytesMax || target.pages !== undefined || isNotebook(target)) return undefined;
  const buffer = Buffer.allocUnsafe(file.sizeBytes + 1);
  const length = readSync(file.descriptor, buffer, 0, buffer.length, 0);
  // A file that is longer than it said, as under /proc, may have no end.
  if (length === buffer.length) return undefined;
  const bytes = buffer.subarray(0, length);
  if (looksBinary(bytes)) return undefined;
  const window = createLineWindow(selection.ranges, selection);
  window.addText(bytes.toString("utf8"));
  if (target.isRemembered) context.files.remember(path, hashContent(bytes));
  return showLines(window, target, { unit: "lines" });
}

async function readOther(file: OpenFile, target: Target, context: ToolContext): Promise<ToolOutput> {
  const { path, title, selection, pages } = target;
  const beginning = Buffer.alloc(sniffedBytes);
  const length = readSync(file.descriptor, beginning, 0, sniffedBytes, 0);
  const kind = kindOf(beginning.subarray(0, length));
  const { descriptor, sizeBytes } = file;
  if (kind.kind === "pdf")
    return readPdf({ descriptor, sizeBytes, path, title, pages, ranges: selection.ranges, signal: context.signal });
  if (pages !== undefined) return refuse(target, `${path} is no PDF; choose lines with offset and limit, not pages.`);
  if (kind.kind === "image")
    return readImage({ ...kind, load: () => readFileSync(descriptor), sizeBytes, path, title });
  const contained = containerKindOf(path);
  if (contained !== undefined && isContainer(contained, beginning))
    return readContainer({ kind: contained, inner: "", file, path, title, selection, signal: context.signal });
  if (isNotebook(target) && sizeBytes <= editableBytesMax) return readNotebook(file, target, context);

  const window = createLineWindow(selection.ranges, selection);
  const content = await readLargeFile(file, window, context.signal);
  switch (content.kind) {
    case "binary":
      return refuse(target, `${path} cannot be shown: ${kind.name}, ${sizeInWords(sizeBytes)}.`);
    case "interrupted":
      return refuse(target, "Reading was interrupted.");
    case "text":
      if (target.isRemembered && content.contentHash !== undefined) context.files.remember(path, content.contentHash);
      return showLines(window, target, { unit: "lines", isWhole: content.isWhole });
  }
}

function isNotebook({ path, selection }: Target): boolean {
  return path.endsWith(".ipynb") && !selection.isRaw;
}

/** What claims to be a notebook and is none is shown as the text it is. */
function readNotebook(file: OpenFile, target: Target, context: ToolContext): ToolOutput {
  const bytes = readFileSync(file.descriptor);
  const json = bytes.toString("utf8");
  const text = notebookText(json);
  const window = createLineWindow(target.selection.ranges);
  window.addText(text ?? json);
  if (target.isRemembered) context.files.remember(target.path, hashContent(bytes));
  const shown = showLines(window, target, { unit: "lines" });
  return text === undefined ? { ...shown, output: `(no valid notebook, shown as text)\n${shown.output}` } : shown;
}

function readDirectory(target: Target, wallClockMs: WallClock | undefined): ToolOutput {
  const { path, title, selection } = target;
  try {
    if (!selection.isPartial) return showOverview(target, wallClockMs);
    const entries = readdirSync(path, { withFileTypes: true });
    const names = entries.map((entry) => nameInWords(entry.name) + (entry.isDirectory() ? "/" : "")).sort();
    const window = createLineWindow(selection.ranges, selection);
    window.addText(names.join("\n"));
    return showLines(window, target, { unit: "entries" });
  } catch (error) {
    const problem = describeFileError(error, path);
    if (problem === undefined) throw error;
    return { output: problem, isError: true, title };
  }
}

function showOverview({ path, title }: Target, wallClockMs: WallClock | undefined): ToolOutput {
  const { rows, shown, seen, cut } = overviewDirectory(path, wallClockMs);
  const metadata = { entries: seen };
  if (seen === 0) return { output: "(the directory is empty)", title, metadata };
  const all = cut ? `more than ${seen}` : String(seen);
  const rest = shown < seen || cut ? "; all by name with offset 1" : "";
  return {
    output: `${rows}(${shown} of ${all} entries, the newest first${cut ? " among those looked at" : ""}${rest})`,
    title,
    metadata,
  };
}

function refuse({ title }: Target, problem: string): ToolOutput {
  return { output: problem, isError: true, title };
}
