/** Finds where a path leads after every symbolic link, also where its last parts are missing. Never throws. */
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, parse, sep } from "node:path";

const linksMax = 40;

/** The true place of a path whose last parts may be missing; undefined when it cannot be known. */
export function findTruePath(path: string, linksLeft = linksMax): string | undefined {
  const missing: string[] = [];
  for (let existing = path; ; existing = dirname(existing)) {
    let code: unknown;
    try {
      const real = realpathSync.native(existing);
      return missing.length === 0 ? real : join(real, ...missing);
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

/** Resolves step by step as the kernel does, so that `..` starts from where a link has led. */
export function walk(path: string, linksLeft = linksMax): string | undefined {
  let place: string | undefined = parse(path).root;
  for (const step of path.slice(place.length).split(sep)) {
    if (step === "" || step === ".") continue;
    place = step === ".." ? dirname(place) : findTruePath(join(place, step), linksLeft);
    if (place === undefined) return undefined;
  }
  return place;
}

export function withSeparator(directory: string): string {
  return directory.endsWith(sep) ? directory : directory + sep;
}

function readLink(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
  } catch (error) {
    // The parent decides: what cannot be looked at fails there again, and then for good.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
