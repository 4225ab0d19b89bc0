/** The `list` tool: all files below a directory as a tree, newest first. */
import { dirname, resolve } from "node:path";
import type { JsonSchema, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { parseInput } from "../tool-input.ts";
import { needPath, shortPath } from "../tool-path.ts";
import { describeEnd, findFiles, lookAt } from "./file-search.ts";
import { showFileTree } from "./file-tree.ts";
import { describeLeftOut } from "./left-out.ts";
import { createNewestFiles } from "./newest-files.ts";
import { type RipgrepParts, searchTimeoutMs } from "./ripgrep.ts";

export type ListInput = { readonly path?: string; readonly ignore?: readonly string[] };

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    path: { type: "string" },
    ignore: { type: "array", items: { type: "string" }, description: "globs to leave out" },
  },
};

const entriesMax = 1_000;
const charactersMax = 50_000;

export function createListTool(parts: RipgrepParts): Tool<ListInput> {
  return {
    name: "list",
    description: textBeside(import.meta.url, "./list.md"),
    inputSchema,
    searchHint: "list directory folder contents files tree ls",
    resultCharactersMax: charactersMax,
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
  if (place === undefined) return refuse(`${root} does not exist. Check the path, or list a directory above.`);
  if (!place.isDirectory()) return { output: title, title, metadata: { count: 1, truncated: false } };
  if (root === dirname(root)) return refuse("The root of the file system is too large to list; give a directory.");

  let leftOut = 0;
  const newest = createNewestFiles(entriesMax);
  const end = await findFiles(parts, {
    root,
    hidden: true,
    gitignore: true,
    gitDirectory: root.split("/").includes(".git"),
    // Twice negated, a pattern to leave out would become one to keep, against the ignore files.
    ignore: (input.ignore ?? [])
      .map((pattern) => pattern.trim().replace(/^!+/, ""))
      .filter((pattern) => pattern !== ""),
    timeoutMs: searchTimeoutMs,
    signal: context.signal,
    reading: context.reading,
    onFile: newest.add,
    onLeftOut: () => {
      leftOut += 1;
    },
  });
  const problem = describeEnd(end);
  if (problem !== undefined) return refuse(problem);
  const { files, more } = newest.result();
  const paths = files.map(({ path }) => shortPath(path, root));
  const { text, count } = showFileTree(paths, charactersMax);
  const timedOut = end.kind === "timed-out";
  const cut = more || count < paths.length;
  const notes = [
    ...(cut ? [`(cut: the newest ${count} of ${newest.total} files; list a subdirectory to see others)`] : []),
    ...(timedOut ? ["(incomplete: timed out; list a subdirectory)"] : []),
    ...describeLeftOut(leftOut),
  ];
  const metadata = { count, truncated: cut || timedOut, ...(count === 0 && { useless: true }) };
  return { output: [count === 0 ? `No files below ${title}.` : text, ...notes].join("\n"), title, metadata };
}
