/** The `glob` tool: files whose path matches a pattern, newest first. */
import { isAbsolute, resolve } from "node:path";
import type { JsonSchema, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { findFiles, lookAt } from "./file-search.ts";
import { type GlobPattern, hasWildcard, parseGlob } from "./glob-pattern.ts";
import type { RipgrepParts } from "./ripgrep.ts";
import { parseInput } from "./tool-input.ts";
import { needPath, shortPath } from "./tool-path.ts";

export type GlobInput = { readonly pattern: string; readonly path?: string; readonly limit?: number };

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    pattern: { type: "string", minLength: 1 },
    path: { type: "string", description: "directory to search" },
    limit: { type: "integer", minimum: 1, description: "default 100, at most 200" },
  },
  required: ["pattern"],
};

const limitDefault = 100;
const limitMax = 200;

export function createGlobTool(parts: RipgrepParts): Tool<GlobInput> {
  return {
    name: "glob",
    aliases: ["find"],
    description: textBeside(import.meta.url, "./glob.md"),
    inputSchema,
    resultCharactersMax: 50_000,
    parse: (input) => parseInput<GlobInput>(inputSchema, input),
    needs: (input, cwd) => needPath("glob", "read", neededRoot(input, cwd), cwd),
    readOnly: () => true,
    concurrencySafe: () => true,
    run: (input, context) => glob(parts, input, context),
  };
}

/** The directory that holds everything the call can name, told from the input alone. */
function neededRoot(input: GlobInput, cwd: string): string {
  const root = resolve(cwd, input.path ?? ".");
  const base = hasWildcard(input.pattern) ? parseGlob(input.pattern).base : input.pattern;
  return isAbsolute(base) || base.split("/").includes("..") ? resolve(root, base) : root;
}

type SearchPlace = { readonly root: string; readonly matches?: GlobPattern["matches"] };

function findSearchPlace(input: GlobInput, cwd: string): SearchPlace {
  const root = resolve(cwd, input.path ?? ".");
  if (hasWildcard(input.pattern)) {
    const { base, matches } = parseGlob(input.pattern);
    return { root: resolve(root, base), matches };
  }
  const named = resolve(root, input.pattern);
  // A name that is no path from here may still be the name of a file further down.
  return neededRoot(input, cwd) === named || lookAt(named) !== undefined
    ? { root: named }
    : { root, matches: parseGlob(`**/${input.pattern}`).matches };
}

async function glob(parts: RipgrepParts, input: GlobInput, context: ToolContext): Promise<ToolOutput> {
  const title = input.pattern;
  const refuse = (problem: string): ToolOutput => ({ output: problem, isError: true, title });
  const { root, matches } = findSearchPlace(input, context.cwd);
  const place = lookAt(root);
  if (place === undefined) return refuse(`${root} does not exist.`);
  if (place.isFile()) return { output: shortPath(root, context.cwd), title, metadata: { count: 1 } };
  if (root === resolve(root, ".."))
    return refuse("The root of the file system is too large to search; give a directory.");

  const found = await findFiles(parts, { root, ...(matches && { matches }), signal: context.signal });
  if (!found.ok) return refuse(found.problem);
  const shown = found.paths.slice(0, Math.min(input.limit ?? limitDefault, limitMax));
  const metadata = { count: shown.length };
  if (shown.length === 0) return { output: `No files match ${input.pattern}.`, title, metadata };
  const list = shown.map((path) => shortPath(path, context.cwd)).join("\n");
  if (shown.length === found.paths.length && !found.cut) return { output: list, title, metadata };
  const total = found.cut ? `more than ${found.paths.length}` : found.paths.length;
  return { output: `${list}\n(cut: the newest ${shown.length} of ${total} files)`, title, metadata };
}
