/** Calls that look for something: names and contents of files, code by syntax or topic, earlier conversations, the web. */
import { counted } from "../text/counted.ts";
import { durationInWords, joined } from "./amounts-in-words.ts";
import { listOf, numberOf, oneLine, pathOf, type ShownCall, shortPath, textOf } from "./shown-call.ts";
import type { Described, ToolBody } from "./tool-display.ts";

const searches = { one: "search", many: "searches" } as const;
/** Quicker than this nobody wants to know how long a search took. */
const toldDurationMinMs = 1_000;

export function describeGrep(call: ShownCall): Described {
  const { input, metadata } = call;
  const count = numberOf(metadata, "count");
  const fileCount = numberOf(metadata, "fileCount");
  const isByFile = input["mode"] === "files" || input["mode"] === "count";
  const matches = count === undefined ? undefined : counted(count, "match", "matches");
  const files = fileCount === undefined ? undefined : counted(fileCount, "file", "files");
  const found = isByFile || matches === undefined || files === undefined ? files : `${matches} in ${files}`;
  return searched(call, { name: "search", found: count === 0 ? "no match" : found, groups: hitsPerFile(call.output) });
}

export function describeGlob(call: ShownCall): Described {
  const count = numberOf(call.metadata, "fileCount");
  const groups = listOf(call.metadata["files"]).flatMap((path) => (typeof path === "string" ? [{ path }] : []));
  return searched(call, { name: "find", found: filesFound(count), groups });
}

export function describeList(call: ShownCall): Described {
  const found = filesFound(numberOf(call.metadata, "count"));
  return {
    name: "list",
    title: pathOf(call, "path") || ".",
    summary: endOfSearch(call, found),
    body: { kind: "text", text: call.output, isError: false },
    isQuiet: true,
    groupNoun: { verb: "listed", one: "folder", many: "folders" },
  };
}

export function describeSyntaxSearch(call: ShownCall): Described {
  const count = numberOf(call.metadata, "count");
  const found = count === undefined ? undefined : count === 0 ? "no match" : counted(count, "match", "matches");
  return searched(call, { name: "search syntax", found, groups: hitsPerFile(call.output) });
}

/** By topic, by memory, by the web: a list of texts. */
export function describeHits(call: ShownCall, name: string): Described {
  const count = numberOf(call.metadata, "count");
  const found = count === undefined ? undefined : count === 0 ? "no hit" : counted(count, "hit", "hits");
  const body: ToolBody = { kind: "text", text: call.output, isError: false };
  return { ...searched(call, { name, found, groups: [] }), body };
}

type Found = {
  readonly name: string;
  readonly found: string | undefined;
  readonly groups: Extract<ToolBody, { kind: "search" }>["groups"];
};

function searched(call: ShownCall, { name, found, groups }: Found): Described {
  const pattern = patternOf(call);
  const place = shortPath(textOf(call, "path"), call.context.directory);
  const isNamed = name === "search" && place !== "";
  return {
    name,
    title: isNamed ? `${pattern} in ${place}` : pattern,
    summary: endOfSearch(call, found),
    body:
      groups.length > 0
        ? { kind: "search", pattern, groups, isCut: isCut(call) }
        : { kind: "text", text: call.output, isError: false },
    isQuiet: true,
    groupNoun: searches,
  };
}

function patternOf(call: ShownCall): string {
  const named = textOf(call, "pattern", "pat", "query");
  return oneLine(named === "" ? (call.title ?? listOf(call.input["paths"]).join(", ")) : named);
}

function endOfSearch(call: ShownCall, found: string | undefined): string {
  if (call.status !== "done") return "";
  const { durationMs } = call;
  const time = durationMs !== undefined && durationMs >= toldDurationMinMs ? durationInWords(durationMs) : undefined;
  return joined(found, isCut(call) ? "cut" : undefined, time);
}

function isCut({ metadata }: ShownCall): boolean {
  return metadata["truncated"] === true || metadata["more"] === true;
}

function filesFound(count: number | undefined): string | undefined {
  if (count === undefined) return undefined;
  return count === 0 ? "no file" : counted(count, "file", "files");
}

const taggedHeading = /^\[(.+)#[0-9A-F]+\]$/;
const plainMatch = /^ {2}\d+:/;
const taggedMatch = /^\*\d+:/;
const taggedContext = /^ ?\d+:/;
const countedFile = /^(.+): (\d+)$/;

/** A heading per file and its lines below it, or a file and its number of matches. */
function hitsPerFile(output: string): Extract<ToolBody, { kind: "search" }>["groups"] {
  const groups: { path: string; count?: number }[] = [];
  for (const line of output.split("\n")) {
    const current = groups.at(-1);
    const heading = taggedHeading.exec(line)?.[1];
    if (heading !== undefined) groups.push({ path: heading, count: 0 });
    else if (plainMatch.test(line) || taggedMatch.test(line)) {
      if (current !== undefined) current.count = (current.count ?? 0) + 1;
    } else if (line === "" || line.startsWith("  ") || line.startsWith("(") || taggedContext.test(line)) continue;
    else {
      const [, path, count] = countedFile.exec(line) ?? [];
      groups.push(path === undefined ? { path: line } : { path, count: Number(count) });
    }
  }
  return groups;
}
