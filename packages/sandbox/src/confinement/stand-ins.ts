/** Puts stand-ins in the place of absent protected paths while commands run, and takes them away without a trace. */
import { createHash, randomInt } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withHostLock } from "./host-lock.ts";
import { type AbsentPath, layOutProtected, type ProtectedLayout } from "./protected-layout.ts";
import type { ProtectedPath } from "./sandbox-profile.ts";

export type StandInParts = {
  /** Shared by all processes of one user, so that nobody takes away what another command still needs. */
  readonly leaseDirectory: string;
};

export type GuardedPaths = Omit<ProtectedLayout, "absent"> & {
  /** Stand-ins that are directories. */
  readonly sealed: readonly string[];
  /** Only when no process of the command is left: whoever removes a mount point removes the mount. */
  release(): Promise<void>;
};

interface StandIns {
  guard(
    protectedPaths: readonly ProtectedPath[],
    writable: readonly string[],
  ): Promise<GuardedPaths | { readonly problem: string }>;
}

/** One file per running command, named after the process that wrote it. */
type Lease = { readonly file: string; readonly isAlive: boolean; readonly places: readonly Place[] };
/** A text is what a file contains; a directory has none. */
type Place = { readonly path: string; readonly text?: string };

const attemptsMax = 3;
const randomMax = 2 ** 47;

const busyProblem =
  "Another process of kedge keeps the sandbox of this machine locked. Try again, or end that process.";

export function createStandIns({ leaseDirectory }: StandInParts): StandIns {
  const lockName = `kedge-stand-ins-${createHash("sha256").update(leaseDirectory).digest("hex").slice(0, 32)}`;
  const owner = `${process.pid}-${startOf(process.pid)}`;

  const release = (own: string) =>
    withHostLock(lockName, () => {
      const leases = readLeases(leaseDirectory);
      removeLeases(
        leases.filter(({ file, isAlive }) => file === own || !isAlive),
        leases.filter(({ file, isAlive }) => file !== own && isAlive),
      );
    });

  return {
    async guard(protectedPaths, writable) {
      const guarded = await withHostLock(lockName, () => {
        mkdirSync(leaseDirectory, { recursive: true, mode: 0o700 });
        const leases = readLeases(leaseDirectory);
        const alive = leases.filter(({ isAlive }) => isAlive);
        const dead = leases.filter(({ isAlive }) => !isAlive);
        removeLeases(dead, alive);
        for (let attempt = 1; ; attempt += 1) {
          const layout = layOutProtected(protectedPaths, writable);
          if ("problem" in layout) return layout;
          const shared = sharedPlaces(layout, alive);
          const places = [...shared, ...layout.absent.map(placeOf)];
          // One process has many sandboxes, also in several threads: no two leases may have the same name.
          const own = join(leaseDirectory, `${owner}-${randomInt(randomMax)}.json`);
          // Before the first stand-in is made, so that whatever happens somebody knows of it.
          if (places.length > 0) writeLease(own, places);
          const problem = putAllInPlace(layout.absent);
          if (problem === undefined)
            return { ...guardedPaths(layout, shared), release: async () => void (await release(own)) };
          removeLeases([{ file: own, isAlive: true, places }], alive);
          // What somebody else made or removed since it was looked at is seen by the next look.
          if (attempt === attemptsMax) return { problem };
        }
      });
      return guarded ?? { problem: busyProblem };
    },
  };
}

function guardedPaths(layout: ProtectedLayout, shared: readonly Place[]): Omit<GuardedPaths, "release"> {
  const sharedDirectories = new Set(shared.filter(({ text }) => text === undefined).map(({ path }) => path));
  const made = (role: AbsentPath["role"], kind: AbsentPath["standIn"]["kind"]) =>
    layout.absent.filter((entry) => entry.role === role && entry.standIn.kind === kind).map(({ path }) => path);
  return {
    pinned: [...layout.pinned, ...made("pinned", "directory")],
    readOnly: [...layout.readOnly.filter((path) => !sharedDirectories.has(path)), ...made("leaf", "file")],
    sealed: [...layout.readOnly.filter((path) => sharedDirectories.has(path)), ...made("leaf", "directory")],
  };
}

/** Those that stand there for another command already; whoever ends last takes them away. */
function sharedPlaces(layout: ProtectedLayout, alive: readonly Lease[]): readonly Place[] {
  const existing = new Set([...layout.pinned, ...layout.readOnly]);
  const leased = new Map(alive.flatMap(({ places }) => places.map((place) => [place.path, place])));
  return [...leased.values()].filter(({ path }) => existing.has(path));
}

function placeOf({ path, standIn }: AbsentPath): Place {
  return standIn.kind === "file" ? { path, text: standIn.text } : { path };
}

/** A sentence when one cannot be made: its owner could make it writable from inside, so it must not stay unguarded. */
function putAllInPlace(absent: readonly AbsentPath[]): string | undefined {
  for (const { path, standIn } of absent) {
    try {
      if (standIn.kind === "directory") mkdirSync(path);
      else writeFileSync(path, standIn.text, { flag: "wx" });
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      return `The sandbox cannot protect ${path} (${error.message}). Make its directory writable, or turn the sandbox off.`;
    }
  }
  return undefined;
}

function removeLeases(over: readonly Lease[], kept: readonly Lease[]): void {
  const needed = new Set(kept.flatMap(({ places }) => places.map(({ path }) => path)));
  const places = over.flatMap((lease) => lease.places).filter(({ path }) => !needed.has(path));
  // The deep ones first.
  for (const place of places.sort((one, other) => other.path.length - one.path.length)) takeAway(place);
  for (const { file } of over) unlinkSync(file);
}

/** Whatever somebody has put there in the meantime stays. */
function takeAway({ path, text }: Place): void {
  try {
    if (text === undefined) rmdirSync(path);
    else if (readFileSync(path, "utf8") === text) unlinkSync(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTEMPTY", "ENOTDIR", "EEXIST", "EISDIR")) throw error;
  }
}

function writeLease(file: string, places: readonly Place[]): void {
  const draft = `${file}.draft`;
  writeFileSync(draft, JSON.stringify(places), { mode: 0o600 });
  renameSync(draft, file);
}

function readLeases(directory: string): readonly Lease[] {
  const names = readdirSync(directory).filter((name) => /^\d+-\d+-\d+\.json$/.test(name));
  return names.map((name) => {
    const file = join(directory, name);
    const [pid = "", start] = name.split("-");
    return { file, isAlive: startOf(Number(pid)) === start, places: parsePlaces(readFileSync(file, "utf8")) };
  });
}

/** Written whole by `writeLease`, so anything else in there is nothing to act upon. */
function parsePlaces(text: string): readonly Place[] {
  const parsed: unknown = JSON.parse(text);
  return Array.isArray(parsed) ? parsed.filter(isPlace) : [];
}

function isPlace(value: unknown): value is Place {
  if (typeof value !== "object" || value === null || !("path" in value) || typeof value.path !== "string") return false;
  return !("text" in value) || typeof value.text === "string";
}

/** When a process began, in ticks; a number of a process alone may be given to another one. */
function startOf(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "latin1");
    return status.slice(status.lastIndexOf(")") + 2).split(" ")[19];
  } catch (error) {
    if (hasCode(error, "ENOENT", "ESRCH")) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.some((code) => code === error.code);
}
