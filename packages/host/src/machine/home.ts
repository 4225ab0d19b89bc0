/** kedge's own directory: where it is, and that it can be written. */
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Failure, FailureError, reasonOf } from "@kedge/protocol";

export type Home = {
  readonly directory: string;
  readonly data: string;
  readonly database: string;
  readonly blobs: string;
  readonly snapshots: string;
};

export type OpenedHome = { readonly ok: true; readonly home: Home } | { readonly ok: false; readonly failure: Failure };

type Environment = { readonly [name: string]: string | undefined };

const profilesFolder = "profiles";
const ownerOnly = 0o700;

function isProfileName(name: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,31}$/.test(name);
}

/** The profile that is chosen; undefined for the usual one. */
export function profileOf(environment: Environment): string | undefined {
  return environment["KEDGE_PROFILE"] || undefined;
}

/**
 * `KEDGE_HOME` when it is set, otherwise `.kedge` in the user's directory; with a profile, that one's folder in it.
 * Throws a FailureError for a profile of no proper name.
 */
export function homeDirectory(environment: Environment, userDirectory: string): string {
  const base = environment["KEDGE_HOME"] || join(userDirectory, ".kedge");
  const profile = profileOf(environment);
  if (profile === undefined) return base;
  if (!isProfileName(profile)) {
    const message = `KEDGE_PROFILE must be a name made of a-z, 0-9, _ and -, got ${JSON.stringify(profile)}.`;
    throw new FailureError({ code: "configuration", message, retryable: false });
  }
  return join(base, profilesFolder, profile);
}

/** Every directory of kedge's beside this one and itself: what is secret in one is secret in all. */
export function siblingHomes(directory: string): readonly string[] {
  const parent = dirname(directory);
  const base = basename(parent) === profilesFolder ? dirname(parent) : directory;
  const profiles = join(base, profilesFolder);
  const names = existsSync(profiles) ? readdirSync(profiles).filter(isProfileName) : [];
  return [...new Set([base, directory, ...names.map((name) => join(profiles, name))])];
}

/** Makes what is missing, readable by its owner only. */
export function openHome(directory: string): OpenedHome {
  const data = join(directory, "data");
  const home: Home = {
    directory,
    data,
    database: join(data, "kedge.db"),
    blobs: join(data, "blobs"),
    snapshots: join(data, "snapshots"),
  };
  try {
    makeDirectories(data);
    accessSync(data, constants.W_OK);
    tighten(home);
  } catch (error) {
    return {
      ok: false,
      failure: {
        code: "storage",
        message: `Cannot write to the kedge directory ${directory} (${reasonOf(error)}).`,
        recovery: "Make it writable, or set KEDGE_HOME to a directory that is.",
        retryable: false,
      },
    };
  }
  return { ok: true, home };
}

const openToOthers = 0o077;

/** What stands in a home, by the beginning of its name. */
const ownNames =
  /^(?:config\.|trust\.|set-aside\.|credentials\.|tokens\.|tui\.|(?:themes|prompts|projects|packages|plugins|debug|log|data|run|cache|profiles)$)/;

/**
 * What was made by an older kedge, or by hand, is closed to others as well. A directory in which other things lie may be
 * anybody's, such as /srv; it is left as it is, and `kedge doctor` names it.
 */
function tighten({ directory, data }: Home): void {
  if (isOpenToOthers(directory) && (basename(directory) === ".kedge" || isOwn(directory))) {
    chmodSync(directory, ownerOnly);
  }
  if (isOpenToOthers(data) && existsSync(join(data, "kedge.db"))) chmodSync(data, ownerOnly);
}

function isOwn(directory: string): boolean {
  return readdirSync(directory).every((name) => ownNames.test(name));
}

/** Only of what belongs to this user: nobody else's can be closed. */
export function isOpenToOthers(path: string): boolean {
  const { mode, uid } = statSync(path);
  return (mode & openToOthers) !== 0 && uid === process.getuid?.();
}

/** One level at a time: the recursive form never returns where the system refuses with ENOENT, as /proc does. */
function makeDirectories(directory: string): void {
  if (existsSync(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) makeDirectories(parent);
  try {
    mkdirSync(directory, { mode: ownerOnly });
    // A umask that takes rights from the owner too would leave a directory that nobody can enter.
    chmodSync(directory, ownerOnly);
  } catch (error) {
    // Another kedge that starts for the first time was quicker.
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
