/** How tools speak about paths: absolute inside, short for people and rules, and the true place behind symbolic links. */
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { isPlainAbsolutePath, type Need } from "@kedge/protocol";
import { describeFileError, isFileError } from "./file-error.ts";

/** Gives what `resolve` gives, without taking a path apart that is plain. */
export function absolutePath(cwd: string, path: string): string {
  return sep === "/" && isPlainAbsolutePath(path) ? path : resolve(cwd, path);
}

/** Relative to the working directory if inside of it, else absolute. */
export function shortPath(path: string, cwd: string): string {
  if (path === cwd) return ".";
  const directory = cwd.endsWith(sep) ? cwd : cwd + sep;
  return path.startsWith(directory) ? path.slice(directory.length) : path;
}

/** The need of a call that touches one path. */
export function needPath(permission: string, access: "read" | "write", path: string, cwd: string): readonly Need[] {
  const absolute = absolutePath(cwd, path);
  const pattern = shortPath(absolute, cwd);
  return [{ permission, patterns: [pattern], always: [pattern], access, paths: [absolute] }];
}

export type TruePath = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly problem: string };

/** No system opens a longer path. */
const charactersMax = 4_096;

/** Where a write to this path would land. The last parts may be missing; a link that leads nowhere is refused. */
export function findTruePath(path: string): TruePath {
  if (path.length > charactersMax) return { ok: false, problem: `The name ${path.slice(0, 200)}… is too long.` };
  const missing: string[] = [];
  let existing = path;
  for (;;) {
    try {
      return { ok: true, path: join(realpathSync.native(existing), ...missing) };
    } catch (error) {
      if (isFileError(error, "ELOOP")) return { ok: false, problem: `${path} is a symbolic link to itself.` };
      if (isFileError(error, "ENOTDIR")) return { ok: false, problem: `A part of ${path} is a file, not a directory.` };
      if (isFileError(error, "EACCES")) return { ok: false, problem: `No permission to look into ${dirname(path)}.` };
      const problem = isFileError(error, "ENOENT") ? undefined : describeFileError(error, path);
      if (problem !== undefined) return { ok: false, problem };
      if (!isFileError(error, "ENOENT")) throw error;
    }
    if (isLink(existing))
      return { ok: false, problem: `${existing} is a symbolic link to a missing file; write to its target instead.` };
    missing.unshift(basename(existing));
    existing = dirname(existing);
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch (error) {
    // What it is shows when its parent is looked at, or when it is written.
    if (describeFileError(error, path) === undefined) throw error;
    return false;
  }
}
