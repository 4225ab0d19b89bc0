/** Writes a session out: whole and importable, line by line, or to be read by people. */
import { writeDump } from "./dump-export.ts";
import { type ExportOptions, type ExportSource, prepareExport } from "./export-source.ts";
import { writeHtml } from "./html-export.ts";
import { writeJson } from "./json-export.ts";
import { writeJsonLines } from "./json-lines-export.ts";
import { writeMarkdown } from "./markdown-export.ts";

/** Pieces of text in order. `json` and `jsonl` hold one message at a time; the others need the whole tree. */
export function exportSession(source: ExportSource, options: ExportOptions): AsyncIterable<string> {
  const prepared = prepareExport(source, options);
  switch (options.format) {
    case "json":
      return writeJson(prepared);
    case "jsonl":
      return writeJsonLines(prepared);
    case "md":
      return writeMarkdown(prepared);
    case "html":
      return writeHtml(prepared);
    case "dump":
      return writeDump(prepared, options.formatCall);
  }
}
