/** The guards that every change of a file passes: where it lands, whether the model knows the content, and one at a time. */
import { resolve, sep } from "node:path";
import type { FileState } from "@kedge/protocol";
import { findTruePath, type TruePath } from "../tool-path.ts";

/**
 * The true path. A name inside the working directory must not lead out of it by a link: rules and people judge the
 * name they are shown, so the model has to name the place itself.
 */
export function findPlace(filePath: string, cwd: string): TruePath {
  const named = resolve(cwd, filePath);
  const place = findTruePath(named);
  const home = findTruePath(cwd);
  if (!place.ok || !home.ok) return place;
  if (!isBelow(named, cwd) || isBelow(place.path, home.path)) return place;
  const problem = `${filePath} leads through a symbolic link out of the working directory, to ${place.path}; name that path.`;
  return { ok: false, problem };
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** A sentence for the model when it has not seen this content. */
export function describeStale(filePath: string, present: string, known: string | undefined): string | undefined {
  if (known === undefined) return `${filePath} exists but has not been read in this session; read it first.`;
  if (known !== present) return `${filePath} has changed since it was last read; read it again first.`;
  return undefined;
}

/** The paths must be sorted: two calls that lock in one order never wait for each other. */
export function lockAll<Result>(
  paths: readonly string[],
  files: FileState,
  work: () => Promise<Result>,
): Promise<Result> {
  const [path, ...rest] = paths;
  if (path === undefined) return work();
  return files.exclusively(path, () => lockAll(rest, files, work));
}
