/** Reads what stands open: a text, a notebook, a picture, a document, or a directory. */
import { closeSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import type { ToolContext, ToolOutput } from "@kedge/protocol";
import { editableBytesMax, hashContent, type OpenedFile } from "../file-content.ts";
import { describeFileError } from "../file-error.ts";
import { describeLeftOut } from "../searching/left-out.ts";
import { containerKindOf, isContainer } from "./contained.ts";
import { overviewDirectory } from "./directory-overview.ts";
import { documentKindOf, isRichText } from "./document/document-kind.ts";
import { notebookText } from "./document/notebook-text.ts";
import { readPdf } from "./document/read-pdf.ts";
import { kindOf, sniffedBytes } from "./file-kind.ts";
import { nameInWords, sizeInWords } from "./in-words.ts";
import { readContainer } from "./read-contained.ts";
import { readImage } from "./read-image.ts";
import type { ReadPlace } from "./read-parts.ts";
import { showLines, type Target } from "./selection.ts";
import { createLineWindow } from "./text/line-window.ts";
import { type OpenFile, readLargeText, readSmallText } from "./text/read-text.ts";

/** Closes the file. */
export async function readOpened(
  opened: Exclude<OpenedFile, { kind: "missing" }>,
  target: Target,
  place: ReadPlace,
): Promise<ToolOutput> {
  switch (opened.kind) {
    case "refused":
      return refuse(target, opened.problem);
    case "directory":
      return readDirectory(target, place);
    case "file":
      try {
        return await (readPlainText(opened, target, place) ?? readOther(opened, target, place));
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

function readPlainText(file: OpenFile, target: Target, place: ReadPlace) {
  const isOther =
    target.pages !== undefined || isNotebook(target) || (isRichText(target.path) && !target.selection.isRaw);
  return isOther ? undefined : readSmallText(file, target, place);
}

async function readOther(file: OpenFile, target: Target, place: ReadPlace): Promise<ToolOutput> {
  const { path, title, selection, pages } = target;
  const { context } = place;
  const beginning = Buffer.alloc(sniffedBytes);
  const length = readSync(file.descriptor, beginning, 0, sniffedBytes, 0);
  const kind = kindOf(beginning.subarray(0, length));
  const { descriptor, sizeBytes } = file;
  if (kind.kind === "pdf")
    return readPdf({ descriptor, sizeBytes, path, title, pages, ranges: selection.ranges, signal: context.signal });
  if (pages !== undefined)
    return refuse(target, `${path} is not a PDF; choose lines with offset and limit, not pages.`);
  if (kind.kind === "image")
    return readImage({ ...kind, load: () => readFileSync(descriptor), sizeBytes, path, title });
  const contained = containerKindOf(path);
  if (contained !== undefined && isContainer(contained, beginning))
    return readContainer({
      kind: contained,
      inner: "",
      file,
      path,
      title,
      selection,
      signal: context.signal,
      files: context.files,
      reading: context.reading,
    });
  const document = selection.isRaw ? undefined : documentKindOf(path, beginning);
  if (document !== undefined) {
    const { readDocument } = await import("./document/read-document.ts");
    return readDocument(document, { descriptor, sizeBytes, signal: context.signal }, target);
  }
  if (isNotebook(target) && sizeBytes <= editableBytesMax) return readNotebook(file, target, context);

  const read = await readLargeText(file, target, place);
  switch (read.kind) {
    case "binary":
      return refuse(target, `${path} cannot be shown: ${kind.name}, ${sizeInWords(sizeBytes)}.`);
    case "interrupted":
      return refuse(target, "Reading was interrupted.");
    case "shown":
      return read.result;
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
  const { output } = showLines(window, target, { unit: "lines" });
  // The lines of the script are not those of the file, so no edit by line may rely on them.
  const metadata = { totalLines: window.lineCount() };
  const note = text === undefined ? "(not a valid notebook; shown as text)\n" : "";
  return { output: note + output, title: target.title, metadata };
}

function readDirectory(target: Target, place: ReadPlace): ToolOutput {
  const { path, title, selection } = target;
  try {
    if (!selection.isPartial) return showOverview(target, place);
    const mayShow = place.context.reading.below(path);
    const all = readdirSync(path, { withFileTypes: true });
    const entries = all.filter(({ name }) => mayShow(join(path, name)));
    const names = entries.map((entry) => nameInWords(entry.name) + (entry.isDirectory() ? "/" : "")).sort();
    const window = createLineWindow(selection.ranges, selection);
    window.addText(names.join("\n"));
    return withLeftOut(showLines(window, target, { unit: "entries" }), all.length - entries.length);
  } catch (error) {
    const problem = describeFileError(error, path);
    if (problem === undefined) throw error;
    return { output: problem, isError: true, title };
  }
}

function withLeftOut(shown: ToolOutput, leftOut: number): ToolOutput {
  return leftOut === 0 ? shown : { ...shown, output: [shown.output, ...describeLeftOut(leftOut)].join("\n") };
}

function showOverview({ path, title }: Target, { context, parts }: ReadPlace): ToolOutput {
  const { reading } = context;
  const overview = overviewDirectory(path, { reading, wallClockMs: parts?.wallClockMs });
  const { rows, shown, seen, leftOut, cut } = overview;
  const metadata = { entries: seen };
  if (seen === 0 && leftOut === 0) return { output: "(the directory is empty)", title, metadata };
  const all = cut ? `more than ${seen}` : String(seen);
  const rest = shown < seen || cut ? "; all by name with offset 1" : "";
  const output = `${rows}(${shown} of ${all} entries, the newest first${cut ? " among those looked at" : ""}${rest})`;
  return withLeftOut({ output, title, metadata }, leftOut);
}

function refuse({ title }: Target, problem: string): ToolOutput {
  return { output: problem, isError: true, title };
}
