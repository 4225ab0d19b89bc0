/** Looks at a path without opening it: whether it lies inside the session's directories, and what else it is called. */
import { lstatSync } from "node:fs";
import { isAbsolute, join, resolve, sep } from "node:path";
import { isPlainAbsolutePath, type LookAtPath, type OtherName, type PathLook } from "@kedge/protocol";
import { createHardLinkNames, type HardLinkNames, type LinkNames } from "./hard-link-names.ts";
import { findTruePath, walk, withSeparator } from "./true-path.ts";

export type LookAtPathOptions = {
  readonly root: string;
  /** Further directories that count as inside. */
  readonly added: readonly string[];
  /** Of the user, and kedge's own: hard links to what lies there are known. */
  readonly home?: string;
  readonly kedgeHome?: string;
  /** Milliseconds since the epoch; with it, directories that did not change are listed once. */
  readonly now?: () => number;
};

/** Directories that some systems only link to. Who permits one by its usual name means what lies behind it. */
const usualDirectories = ["/tmp", "/var/run", "/var", "/etc", "/home", "/bin", "/sbin", "/lib"];

/** No system opens a longer path, and looking for its parts would take long. */
const charactersMax = 4_096;

const inside: PathLook = { place: "inside", otherNames: [] };
const outside: PathLook = { place: "outside", otherNames: [] };

/** Open descriptors: where they lead differs from process to process. */
const descriptorFile = /^\/(?:dev\/(?:fd\/.+|stdin|stdout|stderr)|proc\/[^/]+\/(?:task\/[^/]+\/)?fd\/[^/]+)$/;

/**
 * A relative path counts from the root. Nothing is remembered about links between two calls, because one may be made in
 * between; a plain file costs a realpath and an lstat.
 */
export function createLookAtPath(options: LookAtPathOptions): LookAtPath {
  const root = resolve(options.root);
  const given = [root, ...options.added.map((directory) => resolve(root, directory))];
  const anchors = given.map(anchorAt);
  let farAnchors: readonly Anchor[] | undefined;
  let hardLinkNames: HardLinkNames | undefined;
  const contains = (path: string | undefined): boolean =>
    path !== undefined && anchors.some(({ real }) => path === real || path.startsWith(withSeparator(real)));

  function spellingsOf(real: string): OtherName {
    farAnchors ??= [...homesOf(options), ...usualDirectories].map(anchorAt);
    const moved = [...anchors, ...farAnchors].filter((anchor) => anchor.real !== anchor.given);
    const mapped = moved.flatMap((anchor) => (isBelow(real, anchor.real) ? [moveTo(anchor, real)] : []));
    return [...new Set([...mapped, real])];
  }

  function hardLinksTo(real: string): LinkNames {
    hardLinkNames ??= createHardLinkNames({
      directories: listedDirectories(root, options),
      trees: anchors.map((anchor) => anchor.real),
      now: options.now,
    });
    return hardLinkNames(real);
  }

  return (path) => {
    if (path === "" || path.includes("\0")) return outside;
    if (path.length > charactersMax) return outside;
    // The kernel is given well-formed text, whatever was written.
    const wellFormed = path.toWellFormed();
    const written = sep === "/" && isPlainAbsolutePath(wellFormed) ? wellFormed : resolve(root, wellFormed);
    if (written.length > charactersMax) return outside;
    if (descriptorFile.test(written)) return outside;
    const real = findTruePath(written);
    if (real === undefined) return outside;
    // `link/..` is another place for the kernel than for a reader of the text, so both count.
    const walked = hasParentStep(wellFormed)
      ? walk(isAbsolute(path) ? wellFormed : withSeparator(root) + wellFormed)
      : real;
    const place = contains(real) && contains(walked) ? "inside" : "outside";
    const isPlain = real === written && walked === real && wellFormed === path;
    if (isPlain && !isHardLinked(real)) return place === "inside" ? inside : outside;
    const places = [...new Set(walked === undefined ? [real] : [real, walked])];
    const links = places.filter(isHardLinked).map(hardLinksTo);
    const linked = links.flatMap((one) => one.names);
    const names = [...places.filter((one) => one !== written), ...linked].map(spellingsOf);
    if (wellFormed !== path) names.push([written]);
    // A name that nobody found may be that of a closed file.
    return { place: links.some((one) => one.mayHaveMore) ? "outside" : place, otherNames: names };
  };
}

type Anchor = { readonly given: string; readonly real: string };

function anchorAt(directory: string): Anchor {
  return { given: directory, real: findTruePath(directory) ?? directory };
}

function homesOf({ home, kedgeHome }: LookAtPathOptions): readonly string[] {
  return [kedgeHome, home].filter((directory) => directory !== undefined);
}

/** Where files lie that a hard link could hide. */
function listedDirectories(root: string, { home, kedgeHome }: LookAtPathOptions): readonly string[] {
  const below = (directory: string | undefined, names: readonly string[]) =>
    directory === undefined ? [] : names.map((name) => join(directory, name));
  return [
    ...below(root, [".", ".git", ".git/hooks", ".kedge"]),
    ...below(home, [".", ".ssh", ".gnupg", ".aws", ".docker", ".kube", ".cargo", ".config/gh", ".config/gcloud"]),
    ...below(kedgeHome, [".", "data", "run"]),
  ];
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(withSeparator(directory));
}

function moveTo({ given, real }: Anchor, path: string): string {
  return given + path.slice(real.length);
}

function isHardLinked(path: string): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats !== undefined && stats.nlink > 1 && stats.isFile();
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

function hasParentStep(path: string): boolean {
  return path.includes("..") && path.split(sep).includes("..");
}
