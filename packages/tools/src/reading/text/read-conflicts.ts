/** What `read` shows of an unfinished merge: the conflicts of a file, and each side of one. */
import { closeSync } from "node:fs";
import type { ToolOutput } from "@kedge/protocol";
import type { ConflictRegion } from "../../editing/conflicts/conflicts.ts";
import { loadText, type OpenedFile } from "../../file-content.ts";
import { findTruePath, shortPath } from "../../tool-path.ts";
import { nameInWords } from "../in-words.ts";
import { isPartial, type KnownConflicts, type ReadCall } from "../read-parts.ts";
import { mixingProblem, selectBy, selectLines, showLines } from "../selection.ts";
import { splitSelector } from "../selector.ts";
import { createLineWindow } from "./line-window.ts";

export const conflictPrefix = "conflict://";
const regionsShownMax = 200;
const conflictPattern = /^conflict:\/\/(\d{1,9})(?:\/(ours|theirs|base))?$/;

type Place = { readonly path: string; readonly title: string };

/** The conflicts of a text file, with the numbers to read and resolve them by. Closes the file. */
export function listConflicts(
  opened: Exclude<OpenedFile, { kind: "missing" }>,
  { path, title }: Place,
  { parts, context }: ReadCall,
): ToolOutput {
  const refuse = (output: string): ToolOutput => ({ output, isError: true, title });
  if (opened.kind === "file") closeSync(opened.descriptor);
  if (opened.kind === "refused") return refuse(opened.problem);
  if (parts?.conflicts === undefined) return refuse(`Conflicts are not known here; find them in ${path} with grep.`);
  const loaded = loadText(path);
  if (loaded.kind === "missing") return refuse(`${path} was just removed.`);
  if (loaded.kind === "refused") return refuse(`${path} has no conflicts that could be listed: ${loaded.problem}`);
  const place = findTruePath(path);
  if (!place.ok) return refuse(place.problem);
  const regions = parts.conflicts.record(place.path, loaded.text);
  context.files.remember(path, loaded.contentHash);
  const metadata = { conflicts: regions.length };
  if (regions.length === 0) return { output: "(no unresolved conflicts)", title, metadata };
  const rows = regions.slice(0, regionsShownMax).map(describeRegion);
  const more = regions.length > rows.length ? `the first ${rows.length} of ` : "";
  const example = `${conflictPrefix}${regions[0]?.id}`;
  const advice = `read one with ${example}, a side of it with ${example}/ours, /theirs or /base; resolve it by writing the text, @ours, @theirs or @both to ${example}`;
  return { output: `${rows.join("\n")}\n(${more}${regions.length} unresolved; ${advice})`, title, metadata };
}

function describeRegion({ id, startLine, endLine, oursLabel, theirsLabel, base }: ConflictRegion): string {
  const sides = `${labelOf(oursLabel, "ours")} against ${labelOf(theirsLabel, "theirs")}`;
  return `${conflictPrefix}${id}  lines ${startLine}-${endLine}  ${sides}${base === undefined ? "" : ", with base"}`;
}

function labelOf(label: string, fallback: string): string {
  return label === "" ? fallback : nameInWords(label);
}

type Side = "ours" | "theirs" | "base";

export type FoundConflict = { readonly region: ConflictRegion | undefined; readonly side: Side | undefined };

/** The region that an address with or without a selector means. */
export function findConflict(address: string, conflicts: KnownConflicts | undefined): FoundConflict {
  const match = conflictPattern.exec(splitSelector(address).at(-1)?.path ?? address);
  // The pattern lets only these three names through.
  const side = match?.[2] as Side | undefined;
  return { region: match === null ? undefined : conflicts?.find(Number(match[1])), side };
}

/** `conflict://N` or a side of it, with a selector or with offset and limit. */
export function readConflict({ input, parts, context }: ReadCall): ToolOutput {
  const { filePath } = input;
  const split = splitSelector(filePath).at(-1);
  const title = split?.path ?? filePath;
  const refuse = (output: string): ToolOutput => ({ output, isError: true, title });
  const { region, side } = findConflict(filePath, parts?.conflicts);
  if (region === undefined)
    return refuse(`${title} is not known. Read FILE:conflicts first; it gives addresses such as conflict://1/ours.`);
  if (split !== undefined && isPartial(input)) return refuse(mixingProblem);
  if (split?.selector.ok === false) return refuse(split.selector.problem);
  const text = side === undefined ? wholeText(region) : region[side];
  if (text === undefined) return refuse(`${title} is not recorded: this merge kept only ours and theirs.`);
  const selector = split?.selector.value;
  const chosen = selector?.kind === "lines" ? selectBy(selector, title) : selectLines(input);
  const selection = { ...chosen, isRaw: true, continueWith: `${title}:` };
  const window = createLineWindow(selection.ranges, selection);
  window.addText(text);
  const shown = showLines(
    window,
    { path: title, title, selection, pages: undefined, isRemembered: false },
    { unit: "lines" },
  );
  const place = `${shortPath(region.path, context.cwd)}:${region.startLine}-${region.endLine}`;
  const output = text === "" ? "(this side has no lines)" : shown.output;
  return { output: side === undefined ? `(${place})\n${output}` : output, title };
}

/** As it stands in the file. */
function wholeText({ ours, theirs, base, oursLabel, theirsLabel }: ConflictRegion): string {
  const ended = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
  const middle = base === undefined ? "" : `|||||||\n${ended(base)}`;
  return `${row("<<<<<<<", oursLabel)}${ended(ours)}${middle}=======\n${ended(theirs)}${row(">>>>>>>", theirsLabel)}`;
}

function row(mark: string, label: string): string {
  return label === "" ? `${mark}\n` : `${mark} ${label}\n`;
}
