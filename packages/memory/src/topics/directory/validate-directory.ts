/** Whether a directory that somebody chose may hold memory: never a place that is wider, or that keeps secrets or settings. */
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, normalize, parse, sep } from "node:path";

export type DirectoryPlaces = {
  /** The user's home. */
  readonly home: string;
  /** The folder of kedge's own files. */
  readonly kedgeHome: string;
};

export type ValidatedDirectory =
  /** Normalised, by its real path as far as it exists, with a final separator. */
  { readonly ok: true; readonly directory: string } | { readonly ok: false; readonly why: string };

const charactersMin = 3;

/** Below the home: keys and credentials. */
const secretFolders: readonly string[] = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".config/gcloud",
  ".config/gh",
  ".config/op",
  ".password-store",
  ".local/share/keyrings",
  "Library/Keychains",
  ".cargo/credentials.toml",
  ".netrc",
  ".npmrc",
];

export function validateDirectory(given: string, places: DirectoryPlaces): ValidatedDirectory {
  const refused = (why: string): ValidatedDirectory => ({ ok: false, why });
  if (given.includes("\0")) return refused("it contains a NUL byte");
  if (/^(?:\\\\|\/\/)/.test(given)) return refused("network paths are not allowed");
  if (/^[A-Za-z]:[\\/]*$/.test(given)) return refused("it is the root of a drive");
  const expanded = withHome(given, places.home);
  if (!isAbsolute(expanded)) return refused("it is not an absolute path");
  const directory = realPath(normalize(expanded).replace(/(?<=.)[\\/]+$/, ""));
  if (directory === parse(directory).root) return refused("it is the root of the file system");
  if (given.length < charactersMin || directory.length < charactersMin) return refused("it is too short");
  const home = realPath(places.home);
  if (directory === home || isInside(home, directory)) return refused("it is your home directory, or contains it");
  for (const folder of secretFolders.map((name) => realPath(join(home, name)))) {
    if (overlaps(directory, folder)) return refused(`${folder} contains keys or credentials`);
  }
  const settings = realPath(places.kedgeHome);
  const isOwn = isMemoryOfProject(directory, settings);
  if (overlaps(directory, settings) && !isOwn) return refused(`${settings} contains kedge's settings`);
  if (overlaps(directory, join(home, ".kedge")) && !isOwn) return refused("~/.kedge contains kedge's settings");
  return { ok: true, directory: directory + sep };
}

/** Compares real paths: `memory-evil/` is not inside `memory/`, and neither is what a link leads to elsewhere. */
export function isInDirectory(path: string, directory: string): boolean {
  return isInside(realPath(normalize(path)), realPath(directory.replace(/(?<=.)[\\/]+$/, "")));
}

function withHome(given: string, home: string): string {
  return given.replace(/^(?:~|\$HOME|\$\{HOME\})(?=[\\/]|$)/, () => home);
}

/** The place that kedge itself chooses. */
function isMemoryOfProject(directory: string, kedgeHome: string): boolean {
  return basename(directory) === "memory" && dirname(dirname(directory)) === join(kedgeHome, "projects");
}

function overlaps(one: string, other: string): boolean {
  return one === other || isInside(one, other) || isInside(other, one);
}

function isInside(path: string, directory: string): boolean {
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** Of the part that exists, followed by the rest. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const isThere = !(
      error instanceof Error &&
      "code" in error &&
      (error.code === "ENOENT" || error.code === "ENOTDIR")
    );
    if (isThere || dirname(path) === path) return path;
    return join(realPath(dirname(path)), basename(path));
  }
}
