/**
 * Copies a directory into the store and names it by its content: plain files alone, nothing from outside, within limits.
 * Whatever a plugin comes from passes here, so nothing that a repository or an archive holds can lead elsewhere.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative, sep } from "node:path";

export type TakenTree =
  | { readonly ok: true; readonly hash: string; readonly files: number; readonly bytes: number }
  /** A sentence without a full stop, about what was to be installed. */
  | { readonly ok: false; readonly why: string };

export type TreeLimits = { readonly filesMax: number; readonly bytesMax: number; readonly depthMax: number };

export const treeLimits: TreeLimits = { filesMax: 20_000, bytesMax: 200 * 1024 * 1024, depthMax: 32 };

/** The history of a repository is not part of what it holds. */
const leftOut: ReadonlySet<string> = new Set([".git"]);

type Entry = { readonly path: string; readonly isRunnable: boolean; readonly digest: string };

type Taking = {
  readonly from: string;
  readonly to: string;
  /** Links must not lead out of here. */
  readonly boundary: string;
  readonly limits: TreeLimits;
  readonly entries: Entry[];
  bytes: number;
};

/** What a tree cannot be taken for. */
class Refusal extends Error {}

/** `to` must not be there yet. `boundary` is `from` or a directory above it. */
export function takeTree(
  from: string,
  to: string,
  { boundary = from, limits = treeLimits }: { readonly boundary?: string; readonly limits?: TreeLimits } = {},
): TakenTree {
  try {
    const outer = realpathSync.native(boundary);
    const start = realpathSync.native(from);
    if (start !== outer && !start.startsWith(outer + sep))
      return { ok: false, why: "it is a link that points elsewhere" };
    const taking: Taking = { from: start, to, boundary: outer, limits, entries: [], bytes: 0 };
    takeFolder("", taking, 0);
    const { entries, bytes } = taking;
    return { ok: true, hash: hashOf(entries), files: entries.length, bytes };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, why: error.message };
    if (error instanceof Error && "code" in error) return { ok: false, why: `it cannot be copied (${error.code})` };
    throw error;
  }
}

/** The name that a directory of the store should have, from what lies in it. */
export function hashTree(directory: string): string | undefined {
  const entries: Entry[] = [];
  const walk = (path: string) => {
    for (const { name, isDirectory } of namesIn(join(directory, path))) {
      const inner = path === "" ? name : `${path}/${name}`;
      if (isDirectory) walk(inner);
      else entries.push(entryOf(inner, readFileSync(join(directory, inner)), lstatSync(join(directory, inner)).mode));
    }
  };
  try {
    walk("");
    return hashOf(entries);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function takeFolder(path: string, taking: Taking, depth: number): void {
  if (depth > taking.limits.depthMax) throw new Refusal(`it is nested more than ${taking.limits.depthMax} levels deep`);
  mkdirSync(join(taking.to, path), { mode: 0o700 });
  for (const { name, isDirectory } of namesIn(join(taking.from, path))) {
    if (leftOut.has(name)) continue;
    const inner = path === "" ? name : `${path}/${name}`;
    if (/[\p{Cc}\\]/u.test(name))
      throw new Refusal(`it contains a file with an invalid name, ${JSON.stringify(inner)}`);
    if (isDirectory) takeFolder(inner, taking, depth + 1);
    else takeFile(inner, taking);
  }
}

function takeFile(path: string, taking: Taking): void {
  const { from, to, limits, entries } = taking;
  const given = join(from, path);
  const stats = lstatSync(given);
  const source = stats.isSymbolicLink() ? linkTarget(given, path, taking) : given;
  const { mode, size } = source === given ? stats : statSync(source);
  if (!statSync(source).isFile()) throw new Refusal(`${path} is neither a file nor a directory`);
  taking.bytes += size;
  if (taking.bytes > limits.bytesMax) throw new Refusal(`it is larger than ${limits.bytesMax / 1_048_576} MB`);
  if (entries.length >= limits.filesMax) throw new Refusal(`it has more than ${limits.filesMax} files`);
  const bytes = readFileSync(source);
  const entry = entryOf(path, bytes, mode);
  entries.push(entry);
  const target = join(to, path);
  writeFileSync(target, bytes, { flag: "wx", flush: true });
  // What was looked at when it was installed stays as it was.
  chmodSync(target, entry.isRunnable ? 0o500 : 0o400);
}

/** A link to a file inside becomes that file. */
function linkTarget(given: string, path: string, { boundary }: Taking): string {
  const target = realIfThere(given);
  if (target === undefined) throw new Refusal(`${path} is a broken link`);
  const inside = relative(boundary, target);
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || inside.split(sep).includes(".git"))
    throw new Refusal(`${path} is a link that points outside`);
  if (statSync(target).isDirectory()) throw new Refusal(`${path} is a link to a directory`);
  return target;
}

function realIfThere(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function entryOf(path: string, bytes: Uint8Array, mode: number): Entry {
  return { path, isRunnable: (mode & 0o100) !== 0, digest: createHash("sha256").update(bytes).digest("hex") };
}

function hashOf(entries: readonly Entry[]): string {
  const lines = entries.map(({ path, isRunnable, digest }) => `${path}\0${isRunnable ? "x" : "-"}\0${digest}\n`);
  return createHash("sha256").update(lines.toSorted().join("")).digest("hex");
}

function namesIn(folder: string): readonly { readonly name: string; readonly isDirectory: boolean }[] {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}
