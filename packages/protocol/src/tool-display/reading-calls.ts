/** Calls that read one thing: files, documents, pictures, the entries of a directory. */
import { counted } from "../text/counted.ts";
import { bytesInWords, countedLines } from "./amounts-in-words.ts";
import { numberOf, pathOf, type ShownCall } from "./shown-call.ts";
import type { Described } from "./tool-display.ts";

export function describeRead(call: ShownCall): Described {
  return {
    name: "read",
    title: pathOf(call, "filePath", "path", "file_path"),
    summary: readSummary(call),
    body: { kind: "text", text: call.output, isError: false },
    isQuiet: true,
    groupNoun: { verb: "read", one: "file", many: "files" },
  };
}

function readSummary({ metadata, output, status }: ShownCall): string {
  if (status !== "done") return "";
  if (metadata["isUnchanged"] === true) return "unchanged";
  const { mediaType } = metadata;
  const sizeBytes = numberOf(metadata, "sizeBytes");
  if (typeof mediaType === "string" && sizeBytes !== undefined) return `${mediaType}, ${bytesInWords(sizeBytes)}`;
  const entries = numberOf(metadata, "entries");
  if (entries !== undefined) return counted(entries, "entry", "entries");
  const total = numberOf(metadata, "totalLines");
  const first = numberOf(metadata, "firstLine");
  const last = numberOf(metadata, "lastLine");
  if (metadata["isSummary"] === true && total !== undefined) return `outline of ${counted(total, "line", "lines")}`;
  if (first === undefined || last === undefined || (first <= 1 && last === total))
    return total === undefined ? countedLines(output) : counted(total, "line", "lines");
  return total === undefined ? `lines ${first}-${last}` : `lines ${first}-${last} of ${total}`;
}
