/** Copies a folder or a file into a worktree: as a clone that shares blocks where the disk can, never as a link. */
import {
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  opendirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

export type CopyLimits = {
  /** What may be copied where the disk cannot share blocks. */
  readonly bytesMax: number;
  readonly entriesMax: number;
};

export type CopyPlan = {
  /** Absolute roots: a link from one place in the first to another becomes the same link in the second. */
  readonly fromRoot: string;
  readonly toRoot: string;
  /** Relative to the roots. */
  readonly path: string;
  readonly limits: CopyLimits;
};

export type CopyOutcome = { readonly ok: true; readonly files: number } | { readonly ok: false; readonly why: string };

/** All of it or nothing: a dependency folder that is half there breaks a build in ways nobody understands. */
export function copyTree(plan: CopyPlan): CopyOutcome {
  const source = join(plan.fromRoot, plan.path);
  const target = join(plan.toRoot, plan.path);
  const sharesBlocks = canShareBlocks(plan);
  const limits = sharesBlocks ? { ...plan.limits, bytesMax: Number.POSITIVE_INFINITY } : plan.limits;
  const counted = count(source, limits);
  if (counted !== undefined) return { ok: false, why: counted };
  let files = 0;
  try {
    mkdirSync(dirname(target), { recursive: true });
    for (const entry of walk(source)) {
      copyEntry(entry, plan);
      files += 1;
    }
    return { ok: true, files };
  } catch (error) {
    rmSync(target, { recursive: true, force: true });
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

type Entry = { readonly path: string; readonly kind: "file" | "folder" | "link" };

/** Folders before what is in them. Pipes, sockets and devices are left out. */
function* walk(path: string): Generator<Entry> {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) yield { path, kind: "link" };
  else if (stats.isFile()) yield { path, kind: "file" };
  else if (stats.isDirectory()) {
    yield { path, kind: "folder" };
    using folder = opendirSync(path);
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) yield* walk(join(path, entry.name));
  }
}

function count(source: string, { bytesMax, entriesMax }: CopyLimits): string | undefined {
  let bytes = 0;
  let entries = 0;
  for (const { path, kind } of walk(source)) {
    entries += 1;
    if (kind === "file") bytes += lstatSync(path).size;
    if (entries > entriesMax) return `it has more than ${entriesMax.toLocaleString("en")} entries`;
    if (bytes > bytesMax) return `it is larger than ${Math.round(bytesMax / 1024 / 1024)} MB`;
  }
  return undefined;
}

function copyEntry({ path, kind }: Entry, { fromRoot, toRoot }: CopyPlan): void {
  const target = join(toRoot, relative(fromRoot, path));
  if (kind === "folder") mkdirSync(target, { mode: lstatSync(path).mode & 0o777, recursive: true });
  else if (kind === "link") symlinkSync(moved(path, fromRoot, toRoot), target);
  else copyFileSync(path, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}

/** An absolute link into the main checkout would lead out of the worktree. */
function moved(link: string, fromRoot: string, toRoot: string): string {
  const aim = readlinkSync(link);
  if (!isAbsolute(aim)) return aim;
  const inside = relative(fromRoot, resolve(aim));
  return inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? aim : join(toRoot, inside);
}

/** Tried with a real file, because neither the system nor the mount says so. */
function canShareBlocks({ fromRoot, toRoot, path }: CopyPlan): boolean {
  const sample = firstFile(join(fromRoot, path));
  if (sample === undefined) return false;
  const scratch = mkdtempSync(join(toRoot, ".kedge-clone-"));
  try {
    copyFileSync(sample, join(scratch, "clone"), constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    // The disk cannot.
    return false;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function firstFile(source: string): string | undefined {
  for (const { path, kind } of walk(source)) if (kind === "file") return path;
  return undefined;
}
