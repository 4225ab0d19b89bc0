/** The `glob` tool: files whose path matches a pattern, newest first. */
import { dirname, resolve } from "node:path";
import {
  isJsonObject,
  type JsonSchema,
  type OutputSink,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { needAddress } from "../addresses/address.ts";
import { globAddresses } from "../addresses/glob-addresses.ts";
import { namedAddresses } from "../addresses/open-texts.ts";
import { shortPath } from "../tool-path.ts";
import { describeEnd, type FileSearch, findFiles, lookLocally, withSlashes } from "./file-search.ts";
import { showFileTree } from "./file-tree.ts";
import { hasWildcard } from "./glob-pattern.ts";
import { describeLeftOut } from "./left-out.ts";
import { createNewestFiles, type NewestFiles } from "./newest-files.ts";
import type { RipgrepEnd, RipgrepParts } from "./ripgrep.ts";
import { parseSearchInput } from "./search-input.ts";
import {
  type Entry,
  findPlaces,
  type Look,
  namesGitDirectory,
  needEntries,
  newEntry,
  type SearchPlace,
} from "./search-place.ts";

export type GlobInput = {
  readonly pattern?: string;
  readonly paths?: readonly string[];
  readonly path?: string;
  readonly hidden?: boolean;
  readonly gitignore?: boolean;
  readonly limit?: number;
  readonly timeout?: number;
};

/** What `glob` asks of a workspace; the disk of this machine unless another is given. */
export interface GlobOperations {
  readonly look: Look;
  /** Reports every file below the root that fits. */
  glob(search: FileSearch): Promise<RipgrepEnd>;
}

export type GlobParts = RipgrepParts & { readonly globOperations?: GlobOperations };

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    pattern: { type: "string" },
    paths: { type: "array", items: { type: "string" } },
    path: { type: "string", description: "directory" },
    hidden: { type: "boolean" },
    gitignore: { type: "boolean" },
    limit: { type: "integer", minimum: 1, description: "default 100, at most 200" },
    timeout: { type: "number", description: "seconds" },
  },
};

const limitDefault = 100;
const limitMax = 200;
const timeoutSeconds = { default: 5, min: 0.5, max: 60 } as const;
const charactersMax = 50_000;
const progressIntervalMs = 200;
const progressPathsMax = 10;
const progressSnapshotsMax = 10;

export function createGlobTool(parts: GlobParts): Tool<GlobInput> {
  const { globOperations: given } = parts;
  const operations = given === undefined ? localOperations(parts) : withUsualIgnores(given);
  return {
    name: "glob",
    aliases: ["find"],
    description: textBeside(import.meta.url, "./glob.md"),
    inputSchema,
    resultCharactersMax: charactersMax,
    parse(input) {
      const parsed = parseSearchInput<GlobInput>(inputSchema, withWholeLimit(input));
      if (!parsed.ok) return parsed;
      const { pattern, paths, path } = parsed.input;
      if (pattern?.trim() === "") return { ok: false, report: "pattern must not be empty." };
      const named = pattern !== undefined || path !== undefined || (paths !== undefined && paths.length > 0);
      return named ? parsed : { ok: false, report: "Give a pattern, such as `*.ts`, or a list of paths." };
    },
    needs: (input, cwd) =>
      namedAddresses(input)?.map((address) => needAddress("read", address)) ??
      needEntries("glob", entriesOf(input, cwd), cwd),
    readOnly: () => true,
    concurrencySafe: () => true,
    run: (input, context) => glob(operations, input, context),
  };
}

/** Another workspace may know no ignore files. */
function withUsualIgnores({ look, glob }: GlobOperations): GlobOperations {
  return { look, glob: (search) => glob({ ignore: ["**/node_modules/**", "**/.git/**"], ...search }) };
}

function localOperations(parts: RipgrepParts): GlobOperations {
  return { look: lookLocally, glob: (search) => findFiles(parts, search) };
}

/** A pattern counts from each of the paths; without one the paths themselves are the entries. */
function entriesOf({ pattern, path, paths }: GlobInput, cwd: string): readonly Entry[] {
  const base = resolve(cwd, path ?? ".");
  if (pattern === undefined) return (paths ?? ["."]).map((text) => newEntry(base, text, { anyDepth: false }));
  if (paths === undefined || paths.length === 0) return [newEntry(base, pattern, { anyDepth: true })];
  return paths.map((text) =>
    hasWildcard(text)
      ? newEntry(base, `${text}/**/${pattern}`, { anyDepth: false })
      : newEntry(resolve(base, text), pattern, { anyDepth: true }),
  );
}

async function glob(operations: GlobOperations, input: GlobInput, context: ToolContext): Promise<ToolOutput> {
  const title =
    [input.pattern, ...(input.paths ?? [])].filter((text) => text !== undefined).join(", ") || (input.path ?? ".");
  const refuse = (problem: string): ToolOutput => ({ output: problem, isError: true, title });
  const addresses = namedAddresses(input);
  if (addresses !== undefined) {
    const limit = Math.min(input.limit ?? limitDefault, limitMax);
    const { pattern } = input;
    return globAddresses(addresses, { title, limit, ...(pattern !== undefined && { pattern }) }, context);
  }
  const entries = entriesOf(input, context.cwd);
  const found = await findPlaces(entries, context.cwd, operations.look);
  if (!found.ok) return refuse(found.problem);

  let leftOut = 0;
  const limit = Math.min(input.limit ?? limitDefault, limitMax);
  const newest = createNewestFiles(limit);
  const seconds = input.timeout ?? timeoutSeconds.default;
  const options = {
    hidden: input.hidden ?? true,
    gitignore: input.gitignore ?? true,
    gitDirectory: namesGitDirectory(entries),
    timeoutMs: Math.min(Math.max(seconds, timeoutSeconds.min), timeoutSeconds.max) * 1_000,
    signal: context.signal,
    reading: context.reading,
    onLeftOut: () => {
      leftOut += 1;
    },
  };
  const progress = startProgress(context.sink, context.cwd);
  let ends: readonly RipgrepEnd[];
  try {
    const onFile: FileSearch["onFile"] = (path, modifiedMs) => {
      newest.add(path, modifiedMs);
      progress.add(path);
    };
    ends = await Promise.all(found.places.map((place) => searchPlace(operations, place, { ...options, onFile })));
  } finally {
    progress.stop();
  }
  const problem = ends.map(describeEnd).find((text) => text !== undefined);
  if (problem !== undefined) return refuse(problem);
  const timedOut = ends.some(({ kind }) => kind === "timed-out");
  let directories: readonly string[] = [];
  if (!timedOut && (newest.total === 0 ? leftOut === 0 : entries.some(mayNameDirectory))) {
    const searches = found.places.map((place) => findDirectories(operations, place, options));
    directories = [...new Set((await Promise.all(searches)).flat())].sort().slice(0, limit);
  }
  const stopped = timedOut ? { stoppedAfterSeconds: options.timeoutMs / 1_000 } : {};
  return show({ title, found, newest, directories, leftOut, ...stopped }, context.cwd);
}

function withWholeLimit(input: unknown): unknown {
  if (!isJsonObject(input) || typeof input["limit"] !== "number") return input;
  return { ...input, limit: Math.floor(input["limit"]) };
}

/**
 * Whether directories are looked for beside the files that match. It takes a second walk, so `*.ts` and `src/*` do
 * without: the one names files, the other everything.
 */
function mayNameDirectory({ text }: Entry): boolean {
  const name = text.slice(text.lastIndexOf("/") + 1);
  return hasWildcard(name) && /\w/.test(name) && !name.includes(".");
}

/** Directories that match. They are known by the files in them, so an ignored one stays unseen. */
async function findDirectories(
  operations: GlobOperations,
  { kind, root, filter }: SearchPlace,
  options: Omit<FileSearch, "root" | "onFile">,
): Promise<readonly string[]> {
  if (kind !== "directory" || filter === undefined) return [];
  const seen = new Map<string, boolean>([[root, false]]);
  const onFile: FileSearch["onFile"] = (path) => {
    for (let at = dirname(path); !seen.has(at) && at.length > root.length; at = dirname(at)) {
      seen.set(at, filter.matches(withSlashes(at.slice(root.length + 1))));
    }
  };
  await operations.glob({ ...options, root, onFile, onLeftOut: () => undefined });
  return [...seen].flatMap(([path, isMatch]) => (isMatch ? [path] : []));
}

function searchPlace(
  operations: GlobOperations,
  place: SearchPlace,
  options: Omit<FileSearch, "root">,
): Promise<RipgrepEnd> {
  const { root, filter } = place;
  if (place.kind === "directory") return operations.glob({ ...options, root, ...(filter && { filter }) });
  options.onFile(root, place.modifiedMs);
  return Promise.resolve({ kind: "complete" });
}

/** Shows some of what was found while a long search goes on. */
function startProgress(sink: OutputSink, cwd: string) {
  let fresh: string[] = [];
  let snapshots = 0;
  const timer = setInterval(() => {
    if (fresh.length > 0) sink.write(`${fresh.map((path) => shortPath(path, cwd)).join("\n")}\n`, "stdout");
    fresh = [];
    snapshots += 1;
    // More would only fill the memory of the sink.
    if (snapshots >= progressSnapshotsMax) clearInterval(timer);
  }, progressIntervalMs);
  return {
    add(path: string): void {
      if (fresh.length < progressPathsMax && snapshots < progressSnapshotsMax) fresh.push(path);
    },
    stop: () => clearInterval(timer),
  };
}

type Finding = {
  readonly title: string;
  readonly found: { readonly places: readonly SearchPlace[]; readonly missing: readonly string[] };
  readonly newest: NewestFiles;
  readonly directories: readonly string[];
  readonly leftOut: number;
  /** How long it was searched, if the time was up before everything had been seen. */
  readonly stoppedAfterSeconds?: number;
};

function show(finding: Finding, cwd: string): ToolOutput {
  const { title, found, newest, leftOut, stoppedAfterSeconds } = finding;
  const timedOut = stoppedAfterSeconds !== undefined;
  const directories = finding.directories.map((path) => `${shortPath(path, cwd)}/`);
  const { files, more } = newest.result();
  const paths = files.map(({ path }) => shortPath(path, cwd));
  const tree = showFileTree(paths, charactersMax);
  const cut = more || tree.count < paths.length;
  // Several places may overlap, so only one alone knows how many files there are.
  const total = found.places.length === 1 && !timedOut ? ` of ${newest.total} files` : "";
  const notes = [
    ...(cut ? [`(cut: the newest ${tree.count}${total}; narrow the pattern to see others)`] : []),
    ...(timedOut
      ? [
          `(incomplete: stopped after ${stoppedAfterSeconds} s with ${newest.total} found; narrow the pattern or raise timeout)`,
        ]
      : []),
    ...describeLeftOut(leftOut),
    ...(found.missing.length > 0 ? [`(left out, does not exist: ${found.missing.join(", ")})`] : []),
  ];
  const isNothing = tree.count === 0 && directories.length === 0;
  const shown = isNothing ? [`No files match ${title}.`] : [...directories, ...(tree.count === 0 ? [] : [tree.text])];
  return {
    output: [...shown, ...notes].join("\n"),
    title,
    metadata: {
      scopePath: found.places.map(({ root }) => shortPath(root, cwd)).join(", "),
      fileCount: tree.count,
      files: [...directories, ...paths.slice(0, tree.count)],
      truncated: cut || timedOut,
      resultLimitReached: more,
      missingPaths: found.missing,
      ...(isNothing && { useless: true }),
    },
  };
}
