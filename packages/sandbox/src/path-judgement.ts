/** Judges whether a path lies inside the directories a session may use, after every symbolic link was followed. */
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from "node:path";

export type PathVerdict = "inside" | "outside";

export type PathJudgeOptions = {
  readonly root: string;
  /** Further directories that count as inside. */
  readonly added: readonly string[];
};

const linksMax = 40;

/**
 * A relative path counts from the root. Nothing is remembered about the disk between two calls, because a link may be
 * made in between; one call is a single realpath in the common case.
 */
export function createPathJudge(options: PathJudgeOptions): (path: string) => PathVerdict {
  const root = resolve(options.root);
  const roots = [root, ...options.added.map((directory) => resolve(root, directory))].map(
    (directory) => findTruePath(directory) ?? directory,
  );
  const contains = (path: string | undefined) =>
    path !== undefined && roots.some((directory) => path === directory || path.startsWith(withSeparator(directory)));

  return (path) => {
    if (path === "" || path.includes("\0")) return "outside";
    if (!contains(findTruePath(resolve(root, path)))) return "outside";
    // `link/..` is another place for the kernel than for a reader of the text, so both must be inside.
    if (hasParentStep(path) && !contains(walk(isAbsolute(path) ? path : withSeparator(root) + path))) return "outside";
    return "inside";
  };
}

/** The true place of a path whose last parts may be missing; undefined when links lead nowhere or in a circle. */
function findTruePath(path: string, linksLeft = linksMax): string | undefined {
  const missing: string[] = [];
  for (let existing = path; ; existing = dirname(existing)) {
    let code: unknown;
    try {
      return join(realpathSync.native(existing), ...missing);
    } catch (error) {
      // Any other error means that the place cannot be known, which must count as outside. Below a file is nothing:
      // names in an archive look like that, and count by the archive.
      code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code !== "ENOENT" && code !== "ENOTDIR") return undefined;
    }
    const target = code === "ENOENT" ? readLink(existing) : undefined;
    if (target !== undefined) {
      // A link to something that does not exist yet: what is created through it appears at the target.
      const directory = findTruePath(dirname(existing), linksLeft);
      if (linksLeft === 0 || directory === undefined) return undefined;
      const place = walk(isAbsolute(target) ? target : withSeparator(directory) + target, linksLeft - 1);
      return place === undefined ? undefined : join(place, ...missing);
    }
    if (existing === parse(existing).root) return undefined;
    missing.unshift(basename(existing));
  }
}

function readLink(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
}

/** Resolves step by step as the kernel does, so that `..` starts from where a link has led. */
function walk(path: string, linksLeft = linksMax): string | undefined {
  let place: string | undefined = parse(path).root;
  for (const step of path.slice(place.length).split(sep)) {
    if (step === "" || step === ".") continue;
    place = step === ".." ? dirname(place) : findTruePath(join(place, step), linksLeft);
    if (place === undefined) return undefined;
  }
  return place;
}

function hasParentStep(path: string): boolean {
  return path.includes("..") && path.split(sep).includes("..");
}

function withSeparator(directory: string): string {
  return directory.endsWith(sep) ? directory : directory + sep;
}
