/** Reads a file that holds text: its lines, an outline of them, or a word that they are as they were. */
import { readFileSync, readSync } from "node:fs";
import type { ToolOutput } from "@kedge/protocol";
import { byteOrderMark, hashContent, looksBinary, type OpenedFile } from "../../file-content.ts";
import { defaultReadSettings, type ReadPlace } from "../read-parts.ts";
import { limitOpen, showLines, type Target } from "../selection.ts";
import { createLineWindow, type LineWindow, windowLinesMax } from "./line-window.ts";
import { readLargeFile } from "./read-large-file.ts";
import { summarisedBytesMax, summarisedLinesMax, summariseSource } from "./summarise-source.ts";

export type OpenFile = Extract<OpenedFile, { kind: "file" }>;

export type TextRead =
  | { readonly kind: "shown"; readonly result: ToolOutput }
  | { readonly kind: "binary" }
  | { readonly kind: "interrupted" };

/** Up to this size one synchronous read is eight times faster than the way through the thread pool. */
const synchronousBytesMax = 256 * 1_024;

/** Undefined when the file is not a small text. This is what most calls come to: only an outline is waited for. */
export function readSmallText(
  file: OpenFile,
  target: Target,
  place: ReadPlace,
): ToolOutput | Promise<ToolOutput> | undefined {
  if (file.sizeBytes > synchronousBytesMax) return undefined;
  const buffer = Buffer.allocUnsafe(file.sizeBytes + 1);
  const length = readSync(file.descriptor, buffer, 0, buffer.length, 0);
  // A file that is longer than it said, as under /proc, may have no end.
  if (length === buffer.length) return undefined;
  const bytes = buffer.subarray(0, length);
  return looksBinary(bytes) ? undefined : showText(bytes, target, place);
}

export async function readLargeText(file: OpenFile, target: Target, place: ReadPlace): Promise<TextRead> {
  if (file.sizeBytes <= summarisedBytesMax && mayBeOutlined(target, place)) {
    const bytes = readFileSync(file.descriptor);
    if (looksBinary(bytes)) return { kind: "binary" };
    return { kind: "shown", result: await showText(bytes, target, place) };
  }
  const window = windowFor(target, place);
  const content = await readLargeFile(file, window, place.context.signal);
  if (content.kind !== "text") return content;
  const { contentHash, isWhole } = content;
  return { kind: "shown", result: showWindow({ window, contentHash, isWhole, target, place }) };
}

type ReadContent = {
  readonly window: LineWindow;
  /** Undefined for what is too large to be changed. */
  readonly contentHash: string | undefined;
  readonly isWhole: boolean;
  readonly target: Target;
  readonly place: ReadPlace;
};

function showText(bytes: Buffer, target: Target, place: ReadPlace): ToolOutput | Promise<ToolOutput> {
  const text = bytes.toString("utf8");
  const window = windowFor(target, place);
  window.addText(text);
  const content: ReadContent = { window, contentHash: hashContent(bytes), isWhole: true, target, place };
  const isLong = window.lineCount() > linesMaxOf(place);
  return isLong && window.lineCount() <= summarisedLinesMax && mayBeOutlined(target, place)
    ? showOutlined(text, content)
    : showWindow(content);
}

function showWindow(content: ReadContent): ToolOutput {
  const { window, isWhole, target } = content;
  const result = showLines(window, target, { unit: "lines", isWhole });
  if (target.selection.isRaw) return remembered(content, result);
  const lines = window.result().shown;
  return showOnce(content, result, lines);
}

async function showOutlined(text: string, content: ReadContent): Promise<ToolOutput> {
  const { target, place, window } = content;
  const { path, title } = target;
  const source = {
    path,
    title,
    text: text.startsWith(byteOrderMark) ? text.slice(1) : text,
    totalLines: window.lineCount(),
    linesMax: linesMaxOf(place),
  };
  const result = place.parts?.grammars && (await summariseSource(source, place.parts.grammars));
  if (result === undefined) return showWindow(content);
  return showOnce(content, result, outline);
}

/** Stands in the place of a list of lines. */
const outline = "outline";

/** What the model still sees need not be sent again, if saying so is shorter. */
function showOnce(content: ReadContent, result: ToolOutput, lines: string): ToolOutput {
  const { target, place, contentHash } = content;
  if (!target.isRemembered || contentHash === undefined) return result;
  const { context, memory } = place;
  const read = { path: target.path, contentHash, lines };
  if (memory.shownReads.isSeen(read, context)) {
    const output = describeUnchanged(target.title, lines);
    if (output.length < result.output.length)
      return { ...result, output, metadata: { ...result.metadata, isUnchanged: true } };
  }
  memory.shownReads.add(read, context.callId);
  return remembered(content, result);
}

function describeUnchanged(title: string, lines: string): string {
  const name = lines === outline ? "the outline" : `lines ${lines}`;
  const again = lines === outline ? "1-" : `raw:${lines.replaceAll(" ", "")}`;
  return `Unchanged since you last read ${name} of ${title}: that result still holds. To have the text again, read ${title}:${again}.`;
}

function remembered({ target, place, contentHash }: ReadContent, result: ToolOutput): ToolOutput {
  if (target.isRemembered && contentHash !== undefined) place.context.files.remember(target.path, contentHash);
  return result;
}

function mayBeOutlined({ path, selection }: Target, { parts }: ReadPlace): boolean {
  const { summarize } = parts?.settings ?? defaultReadSettings;
  return summarize && !selection.isPartial && !selection.isRaw && parts?.grammars?.rowOf(path) !== undefined;
}

function windowFor({ selection }: Target, place: ReadPlace): LineWindow {
  return createLineWindow(limitOpen(selection.ranges, linesMaxOf(place)), selection);
}

function linesMaxOf({ parts }: ReadPlace): number {
  return Math.min((parts?.settings ?? defaultReadSettings).defaultLimit, windowLinesMax);
}
