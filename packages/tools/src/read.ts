/** The `read` tool: numbered lines of a text file, or the entries of a directory. */
import { closeSync, readdirSync, readFileSync, readSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { type JsonSchema, nearNames, type Tool, type ToolContext, type ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { hashContent, looksBinary, openRegularFile } from "./file-content.ts";
import { isFileError } from "./file-error.ts";
import { createLineWindow, type LineWindow } from "./line-window.ts";
import { type FileRead, readLargeFile } from "./read-large-file.ts";
import { parseInput } from "./tool-input.ts";
import { needPath, shortPath } from "./tool-path.ts";

export type ReadInput = { readonly filePath: string; readonly offset?: number; readonly limit?: number };

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    filePath: { type: "string", minLength: 1 },
    offset: { type: "integer", minimum: 1, description: "first line" },
    limit: { type: "integer", minimum: 1, description: "number of lines" },
  },
  required: ["filePath"],
};

const linesMax = 2_000;
/** Up to this size one synchronous read is eight times faster than the way through the thread pool. */
const synchronousBytesMax = 256 * 1_024;
const nearNamesMax = 3;

export function createReadTool(): Tool<ReadInput> {
  return {
    name: "read",
    description: textBeside(import.meta.url, "./read.md"),
    inputSchema,
    resultCharactersMax: 60_000,
    parse: (input) => parseInput<ReadInput>(inputSchema, input),
    needs: (input, cwd) => needPath("read", "read", input.filePath, cwd),
    readOnly: () => true,
    concurrencySafe: () => true,
    run: readPath,
  };
}

async function readPath(input: ReadInput, context: ToolContext): Promise<ToolOutput> {
  const path = resolve(context.cwd, input.filePath);
  const title = shortPath(path, context.cwd);
  const refuse = (problem: string): ToolOutput => ({ output: problem, isError: true, title });

  const opened = openRegularFile(path);
  if (opened.kind === "missing") return refuse(describeMissing(path));
  if (opened.kind === "refused") return refuse(opened.problem);
  const window = createLineWindow(input.offset ?? 1, Math.min(input.limit ?? linesMax, linesMax));
  if (opened.kind === "directory") return listDirectory(path, title, window);

  let content: FileRead;
  try {
    content =
      opened.sizeBytes <= synchronousBytesMax
        ? readSmallFile(opened, window)
        : await readLargeFile(opened.descriptor, window, context.signal);
  } finally {
    closeSync(opened.descriptor);
  }
  if (content.kind === "binary") return refuse(`${path} is a binary file; only text can be read.`);
  if (content.kind === "interrupted") return refuse("Reading was interrupted.");
  context.files.remember(path, content.contentHash);
  return show(window, title, "lines");
}

/** One read of the known size; only a file that is longer than it said (as under /proc) is read again to its end. */
function readSmallFile(
  file: { readonly descriptor: number; readonly sizeBytes: number },
  window: LineWindow,
): FileRead {
  const buffer = Buffer.allocUnsafe(file.sizeBytes + 1);
  const length = readSync(file.descriptor, buffer, 0, buffer.length, 0);
  const bytes = length < buffer.length ? buffer.subarray(0, length) : readFileSync(file.descriptor);
  if (looksBinary(bytes)) return { kind: "binary" };
  window.addText(bytes.toString("utf8"));
  return { kind: "text", contentHash: hashContent(bytes) };
}

function show(window: LineWindow, title: string, unit: "lines" | "entries"): ToolOutput {
  const { rows, first, last, total } = window.result();
  const metadata = { firstLine: first, lastLine: last, totalLines: total };
  if (total === 0)
    return { output: unit === "lines" ? "(the file is empty)" : "(the directory is empty)", title, metadata };
  if (last < first)
    return {
      output: `There are only ${total} ${unit}; offset ${first} is past the end.`,
      isError: true,
      title,
      metadata,
    };
  const rest = last < total ? `; continue with offset ${last + 1}` : "";
  return { output: `${rows}(${unit} ${first}-${last} of ${total}${rest})`, title, metadata };
}

function listDirectory(path: string, title: string, window: LineWindow): ToolOutput {
  const entries = readdirSync(path, { withFileTypes: true });
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  window.addText(names.join("\n"));
  return show(window, title, "entries");
}

function describeMissing(path: string): string {
  let names: readonly string[];
  try {
    names = readdirSync(dirname(path));
  } catch (error) {
    if (isFileError(error, "ENOENT", "ENOTDIR")) return `${path} does not exist, and neither does its directory.`;
    if (isFileError(error, "EACCES")) return `${path} does not exist.`;
    throw error;
  }
  const near = nearNames(basename(path), names, { countMax: nearNamesMax });
  return near.length === 0
    ? `${path} does not exist.`
    : `${path} does not exist. Similar names there: ${near.join(", ")}`;
}
