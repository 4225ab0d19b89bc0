/** The `list` tool: all files below a directory, grouped by directory, newest first. */
import { basename, dirname, resolve } from "node:path";
import type { JsonSchema, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { findFiles, lookAt } from "./file-search.ts";
import type { RipgrepParts } from "./ripgrep.ts";
import { parseInput } from "./tool-input.ts";
import { needPath, shortPath } from "./tool-path.ts";

export type ListInput = { readonly path?: string; readonly ignore?: readonly string[] };

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    path: { type: "string" },
    ignore: { type: "array", items: { type: "string" }, description: "globs to leave out" },
  },
};

const entriesMax = 1_000;

export function createListTool(parts: RipgrepParts): Tool<ListInput> {
  return {
    name: "list",
    description: textBeside(import.meta.url, "./list.md"),
    inputSchema,
    resultCharactersMax: 50_000,
    parse: (input) => parseInput<ListInput>(inputSchema, input),
    needs: (input, cwd) => needPath("list", "read", input.path ?? ".", cwd),
    readOnly: () => true,
    concurrencySafe: () => true,
    run: (input, context) => list(parts, input, context),
  };
}

async function list(parts: RipgrepParts, input: ListInput, context: ToolContext): Promise<ToolOutput> {
  const root = resolve(context.cwd, input.path ?? ".");
  const title = shortPath(root, context.cwd);
  const refuse = (problem: string): ToolOutput => ({ output: problem, isError: true, title });
  const place = lookAt(root);
  if (place === undefined) return refuse(`${root} does not exist.`);
  if (!place.isDirectory()) return { output: title, title, metadata: { count: 1 } };
  if (root === dirname(root)) return refuse("The root of the file system is too large to list; give a directory.");

  const found = await findFiles(parts, { root, ...(input.ignore && { ignore: input.ignore }), signal: context.signal });
  if (!found.ok) return refuse(found.problem);
  const shown = found.paths.slice(0, entriesMax);
  const metadata = { count: shown.length };
  if (shown.length === 0) return { output: `No files below ${title}.`, title, metadata };
  const tree = groupByDirectory(shown, root);
  if (shown.length === found.paths.length && !found.cut) return { output: tree, title, metadata };
  const total = found.cut ? `more than ${found.paths.length}` : found.paths.length;
  return { output: `${tree}\n(cut: the newest ${shown.length} of ${total} files)`, title, metadata };
}

/** Names under one heading per directory cost far fewer tokens than whole paths. */
function groupByDirectory(paths: readonly string[], root: string): string {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const directory = shortPath(dirname(path), root);
    const names = groups.get(directory);
    if (names === undefined) groups.set(directory, [basename(path)]);
    else names.push(basename(path));
  }
  return [...groups]
    .map(([directory, names]) => `${directory}/\n${names.map((name) => `  ${name}`).join("\n")}`)
    .join("\n");
}
