/** Brings a plugin or a catalogue from wherever it is into a directory of the store, checked and named by its content. */
import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type PluginSource, sourceText } from "@kedge/extend/plugins";
import { isJsonObject } from "@kedge/protocol";
import { fetchFile } from "./fetch-file.ts";
import { type FetchPlace, fetchGit } from "./fetch-git.ts";
import { runProgram } from "./run-program.ts";
import { takeTree, treeLimits } from "./take-tree.ts";
import { unpackArchive } from "./unpack-archive.ts";
import { unpackZip } from "./unpack-zip.ts";

export type FetchOptions = FetchPlace & {
  /** The directory of the catalogue that names the source. */
  readonly catalogue?: string;
  readonly ca?: string;
};

/** What is known of where it came from. */
export type Origin = { readonly commit?: string; readonly integrity?: string };

export type FetchedSource =
  | ({
      readonly ok: true;
      /** Inside of the directory that was given. */
      readonly taken: string;
      readonly hash: string;
    } & Origin)
  /** A sentence without a full stop. */
  | { readonly ok: false; readonly why: string };

const catalogueBytesMax = 1024 * 1024;

export async function fetchSource(
  source: PluginSource,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<FetchedSource> {
  const found = await findTree(source, options, signal);
  if (!found.ok) return { ok: false, why: `${sourceText(source)}: ${found.why}` };
  const { ok: _, tree, boundary, ...origin } = found;
  if (!existsSync(tree)) return { ok: false, why: `${sourceText(source)} does not exist` };
  const taken = join(options.directory, "taken");
  const copied = takeTree(tree, taken, { boundary });
  if (!copied.ok) return { ok: false, why: `${sourceText(source)} cannot be installed: ${copied.why}` };
  return { ok: true, taken, hash: copied.hash, ...origin };
}

type FoundTree =
  | ({ readonly ok: true; readonly tree: string; readonly boundary: string } & Origin)
  | { readonly ok: false; readonly why: string };

async function findTree(source: PluginSource, options: FetchOptions, signal: AbortSignal): Promise<FoundTree> {
  const { directory, catalogue } = options;
  switch (source.kind) {
    case "path": {
      const { path } = source;
      if (statSync(path, { throwIfNoEntry: false })?.isFile() === true)
        return unpacked(path, join(directory, "unpacked"), { strip: 0, signal });
      return { ok: true, tree: path, boundary: path };
    }
    case "inside":
      if (catalogue === undefined)
        return { ok: false, why: "its path is relative to a marketplace; install it as <name>@<marketplace>" };
      return { ok: true, tree: join(catalogue, source.path), boundary: catalogue };
    case "git": {
      const fetched = await fetchGit(source, options, signal);
      if (!fetched.ok) return fetched;
      const { directory: repository, commit } = fetched;
      return { ok: true, tree: join(repository, source.path ?? ""), boundary: repository, commit };
    }
    case "npm":
      return fetchPackage(source, options, signal);
    case "archive": {
      const fetched = await fetchFile(source.url, { bytesMax: treeLimits.bytesMax, ...options }, signal);
      if (!fetched.ok) return fetched;
      const sha256 = createHash("sha256").update(fetched.bytes).digest("hex");
      if (sha256 !== source.sha256) return { ok: false, why: `its SHA-256 is ${sha256}, not ${source.sha256}` };
      const file = join(directory, "archive");
      writeFileSync(file, fetched.bytes);
      return unpacked(file, join(directory, "unpacked"), { strip: 0, signal });
    }
    case "file": {
      const fetched = await fetchFile(source.url, { bytesMax: catalogueBytesMax, ...options }, signal);
      if (!fetched.ok) return fetched;
      const tree = join(directory, "catalogue");
      mkdirSync(tree);
      writeFileSync(join(tree, "marketplace.json"), fetched.bytes);
      return { ok: true, tree, boundary: tree };
    }
  }
}

/** What stands in one directory alone is that directory. */
async function unpacked(
  file: string,
  directory: string,
  { strip, signal }: { readonly strip: number; readonly signal: AbortSignal },
): Promise<FoundTree> {
  const done = isZip(file)
    ? await unpackZip(file, directory, { limits: treeLimits, signal })
    : await unpackArchive(file, directory, { strip, limits: treeLimits });
  if (!done.ok) return done;
  const entries = readdirSync(directory, { withFileTypes: true });
  const [only] = entries;
  const isWrapped = entries.length === 1 && only?.isDirectory() === true && !only.name.startsWith(".") && strip === 0;
  const tree = isWrapped ? join(directory, only.name) : directory;
  return { ok: true, tree, boundary: tree };
}

function isZip(file: string): boolean {
  const descriptor = openSync(file, "r");
  try {
    const head = Buffer.alloc(2);
    return readSync(descriptor, head) === 2 && head.toString("latin1") === "PK";
  } finally {
    closeSync(descriptor);
  }
}

/** Private registries need them. */
const registryTokens: readonly string[] = ["NPM_TOKEN", "NODE_AUTH_TOKEN"];

/** By the npm of the user: its configuration says which registry, and npm compares what came with what the registry stated. */
async function fetchPackage(
  { package: name, version }: Extract<PluginSource, { kind: "npm" }>,
  { directory, environment }: FetchOptions,
  signal: AbortSignal,
): Promise<FoundTree> {
  const folder = join(directory, "package");
  mkdirSync(folder);
  // Keeps npm from taking the directory for a part of something above it.
  writeFileSync(join(folder, "package.json"), '{"private":true}\n');
  const options = ["--ignore-scripts", "--json", "--loglevel=error", "--pack-destination", folder];
  const ran = await runProgram(
    {
      program: "npm",
      arguments: ["pack", ...options, "--", version === undefined ? name : `${name}@${version}`],
      cwd: folder,
      environment,
      passthrough: registryTokens,
    },
    signal,
  );
  if (!ran.ok) return ran;
  const packed = packedIn(ran.output);
  const file = readdirSync(folder).find((each) => each.endsWith(".tgz"));
  if (packed === undefined || file === undefined) return { ok: false, why: "npm returned no package" };
  const tree = await unpacked(join(folder, file), join(directory, "unpacked"), { strip: 1, signal });
  return tree.ok ? { ...tree, integrity: packed } : tree;
}

function packedIn(output: string): string | undefined {
  try {
    const value: unknown = JSON.parse(output);
    const [first]: readonly unknown[] = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
    const integrity = isJsonObject(first) ? first["integrity"] : undefined;
    return typeof integrity === "string" ? integrity : undefined;
  } catch {
    return undefined;
  }
}
