/** Finds the repositories inside of a workspace, and says what of them a confined command must not change. */
import { existsSync, lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { protectedInNested, protectedOfLinked } from "./repository-paths.ts";
import { isWithin, type ProtectedPath, type StandIn } from "./sandbox-profile.ts";

interface NestedRepositories {
  /** Looks through the workspace the first time, and later only where something came or went near its root. */
  protectedPaths(cwd: string): readonly ProtectedPath[];
}

type Repository = {
  readonly path: string;
  /** Its `.git` is a directory, or a file that names one, or there is none and it is a repository itself. */
  readonly kind: "directory" | "file" | "bare";
};

/** Directories that are read at once: the first time, and when one has changed. */
const firstSearchMax = 5_000;
const laterSearchMax = 500;
/** Of these the time of the last change is looked at before each command. */
const watchedMax = 200;
const watchedDepth = 2;
/** Git works in these. Each takes about a millisecond of every command, of which all together may take 15. */
const openRepositoriesMax = 3;
/** The directory `.git` of these is read-only as a whole. More are not protected. */
const closedRepositoriesMax = 2;

const directory: StandIn = { kind: "directory" };

export function createNestedRepositories(roots: readonly string[]): NestedRepositories {
  const repositories = new Map<string, Repository>();
  const watched = new Map<string, { readonly depth: number; changedMs: number | undefined }>();
  let hasSearched = false;

  const search = (start: readonly Place[], directoriesMax: number) => {
    const queue = [...start];
    for (let count = 0; count < directoriesMax; count += 1) {
      const place = queue[count];
      if (place === undefined) return;
      if (place.depth <= watchedDepth && place.among === "others" && watched.size < watchedMax)
        watched.set(place.path, { depth: place.depth, changedMs: changedMsOf(place.path) });
      const found = lookInto(place);
      if (found.repository !== undefined) repositories.set(place.path, found.repository);
      queue.push(...found.below);
    }
  };

  const lookAgain = () => {
    for (const [path, entry] of [...watched]) {
      const changedMs = changedMsOf(path);
      if (changedMs === entry.changedMs) continue;
      entry.changedMs = changedMs;
      search([{ path, depth: entry.depth, among: "others" }], laterSearchMax);
    }
    for (const [path, { kind }] of repositories) {
      if (!existsSync(join(path, kind === "bare" ? "HEAD" : ".git"))) repositories.delete(path);
    }
  };

  return {
    protectedPaths(cwd) {
      if (hasSearched) lookAgain();
      else
        search(
          roots.map((path) => ({ path, depth: 0, among: "others" })),
          firstSearchMax,
        );
      hasSearched = true;
      let openLeft = openRepositoriesMax;
      return inOrder([...repositories.values()], cwd)
        .slice(0, openRepositoriesMax + closedRepositoriesMax)
        .flatMap((repository) => {
          const isOpen = repository.kind !== "file" && openLeft > 0;
          if (isOpen) openLeft -= 1;
          return protectedIn(repository, roots, { isOpen });
        });
    },
  };
}

/** The one in which a command runs first, then those that somebody would most likely work in. */
function inOrder(repositories: readonly Repository[], cwd: string): readonly Repository[] {
  const ranks = ({ path, kind }: Repository) => [
    isWithin(cwd, path) ? 0 : 1,
    kind === "bare" ? 1 : 0,
    path.split("/").length,
  ];
  return repositories.toSorted((one, other) => {
    const others = ranks(other);
    const difference = ranks(one)
      .map((rank, index) => rank - (others[index] ?? 0))
      .find((by) => by !== 0);
    return difference ?? (one.path < other.path ? -1 : 1);
  });
}

/** In folders of packages only their roots are looked at, because such folders are vast. */
type Place = { readonly path: string; readonly depth: number; readonly among: "packages" | "others" };

function lookInto(place: Place): { readonly repository: Repository | undefined; readonly below: readonly Place[] } {
  const entries = listEntries(place.path);
  const has = (name: string, kind: "isFile" | "isDirectory") =>
    entries.some((entry) => entry.name === name && entry[kind]());
  const { path, depth } = place;
  const isRoot = depth === 0;
  const isBare = !isRoot && has("HEAD", "isFile") && has("objects", "isDirectory") && has("refs", "isDirectory");
  if (isBare) return { repository: { path, kind: "bare" }, below: [] };
  const isRepository = has(".git", "isDirectory") && existsSync(join(path, ".git", "HEAD"));
  const kind = isRepository ? "directory" : has(".git", "isFile") ? "file" : undefined;
  const isPackage = place.among === "packages" && basename(path) !== "node_modules" && !basename(path).startsWith("@");
  const below = isPackage
    ? []
    : entries
        .filter((entry) => entry.isDirectory() && entry.name !== ".git")
        .map(({ name }): Place => {
          const among = place.among === "packages" || name === "node_modules" ? "packages" : "others";
          return { path: join(path, name), depth: depth + 1, among };
        });
  return { repository: kind === undefined || isRoot ? undefined : { path, kind }, below };
}

function protectedIn(
  { path, kind }: Repository,
  roots: readonly string[],
  { isOpen }: { readonly isOpen: boolean },
): readonly ProtectedPath[] {
  const entry = kind === "bare" ? path : join(path, ".git");
  const closed: ProtectedPath = { path: entry, standIn: directory };
  if (kind === "file") return [closed, ...protectedOfLinked(entry).filter((own) => isInside(own, roots))];
  const own = protectedInNested(entry, path).filter((one) => isInside(one, roots));
  const links = own.filter(({ path: place }) => isLink(place));
  if (isOpen && links.length === 0) return own;
  // Nothing can be mounted on a link, but on what it leads to.
  const targets = links.flatMap((link) => targetOf(link)).filter((one) => isInside(one, roots));
  return [closed, ...targets];
}

function isInside({ path }: ProtectedPath, roots: readonly string[]): boolean {
  return roots.some((root) => isWithin(path, root));
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function targetOf(link: ProtectedPath): readonly ProtectedPath[] {
  try {
    return [{ path: realpathSync(link.path), standIn: link.standIn }];
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

function changedMsOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** What cannot be read, a command of the same user cannot change by its name either. */
function listEntries(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "code" in error;
}
