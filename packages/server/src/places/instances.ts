/** The places of work of one server process: opened when first asked for, released when nobody needs them. */
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Failure } from "@kedge/protocol";
import type { HostAccess } from "../host-access.ts";
import { type Problem, problemOfFailure } from "../http/failure-status.ts";
import { type Approvers, type Attendance, createApprovers, refuseUnattended } from "./approvers.ts";
import { createInstance, type Instance } from "./instance.ts";
import type { Place } from "./place.ts";

export const instanceIdleMs = 30 * 60_000;
export const sessionIdleMs = 5 * 60_000;
/** Open at once, because each holds memory, watchers and servers of its own. */
export const placesMax = 32;
/** Whoever has just asked for a place has not entered it yet, and must not lose it to the next one. */
const spareIdleMs = 1000;

export type OpenedPlace =
  | { readonly ok: true; readonly place: Place }
  | { readonly ok: false; readonly failure: Failure };

export type InstancesParts = Pick<HostAccess, "findProject" | "now"> & {
  /** The server's own place of work, which requests are about that name none. */
  readonly directory: string;
  /** Where other places of work may lie, beside the root of the server's own project. */
  readonly roots: readonly string[];
  readonly openPlace: (directory: string) => Promise<OpenedPlace>;
};

export type FoundInstance =
  | { readonly ok: true; readonly instance: Instance }
  | { readonly ok: false; readonly problem: Problem };

export interface Instances {
  /** Opens the place of work if need be. Its own one without a directory. */
  find(directory?: string): Promise<FoundInstance>;
  list(): readonly Instance[];
  onOpened(listener: (instance: Instance) => void): void;
  /** Those who listen are told first of what is released, and waited for. */
  onReleased(listener: (instance: Instance) => Promise<void>): void;
  release(instance: Instance): Promise<void>;
  /** Those who listen to all places of work at once. */
  readonly approvers: Approvers;
  /** To be called now and then: closes sessions and releases places that nobody uses. */
  sweep(): Promise<void>;
  /** To be called more often: refuses questions that nobody who is there may answer. */
  refuseUnattended(attendance?: Attendance): Promise<void>;
  close(): Promise<void>;
}

export function createInstances(parts: InstancesParts): Instances {
  const { roots, openPlace, findProject, now } = parts;
  const own = findProject(parts.directory);
  /** What is being opened is in here already, so that two requests at once open it once. */
  const places = new Map<string, Promise<FoundInstance>>();
  const opened = new Map<string, Instance>();
  /** Whoever comes meanwhile waits until the sessions are free again. */
  const ending = new Map<string, Promise<void>>();
  const openedListeners: ((instance: Instance) => void)[] = [];
  const releasedListeners: ((instance: Instance) => Promise<void>)[] = [];
  const approvers = createApprovers(now);
  let isClosed = false;

  async function open(real: string): Promise<FoundInstance> {
    await ending.get(real);
    if (!(await makeRoom())) return { ok: false, problem: fullProblem };
    const answer = await openPlace(real);
    if (!answer.ok) return { ok: false, problem: problemOfFailure(answer.failure) };
    const { projectId } = findProject(real);
    const instance = createInstance({ place: answer.place, directory: real, projectId, now });
    opened.set(real, instance);
    for (const listener of openedListeners) listener(instance);
    return { ok: true, instance };
  }

  /** Whoever asks for room is counted already. False when every place is in use. */
  async function makeRoom(): Promise<boolean> {
    while (places.size > placesMax) {
      const spare = await longestUnused();
      if (spare === undefined) return places.size <= placesMax;
      if (places.size > placesMax) await release(spare);
    }
    return true;
  }

  async function longestUnused(): Promise<Instance | undefined> {
    for (const instance of [...opened.values()].toSorted((left, right) => left.usedAt() - right.usedAt())) {
      if (await instance.isIdleFor(spareIdleMs)) return instance;
    }
    return undefined;
  }

  async function release(instance: Instance): Promise<void> {
    if (opened.get(instance.directory) !== instance) return;
    opened.delete(instance.directory);
    places.delete(instance.directory);
    const over = end(instance).finally(() => ending.delete(instance.directory));
    ending.set(instance.directory, over);
    await over;
  }

  async function end(instance: Instance): Promise<void> {
    await Promise.all(releasedListeners.map((listener) => listener(instance)));
    await instance.close();
  }

  return {
    async find(given) {
      const place =
        given === undefined
          ? ({ ok: true, real: own.cwd } as const)
          : await realPlace(resolve(own.cwd, given), [own.root, ...roots]);
      if (!place.ok) return place;
      if (isClosed) return { ok: false, problem: endingProblem };
      const known = places.get(place.real) ?? open(place.real);
      places.set(place.real, known);
      let found: FoundInstance | undefined;
      try {
        found = await known;
      } finally {
        // What could not be opened is tried again by the next request.
        if (found?.ok !== true && places.get(place.real) === known) places.delete(place.real);
      }
      return found;
    },
    list: () => [...opened.values()],
    onOpened: (listener) => void openedListeners.push(listener),
    onReleased: (listener) => void releasedListeners.push(listener),
    release,
    async sweep() {
      for (const instance of opened.values()) {
        await instance.closeIdleSessions(sessionIdleMs);
        if (await instance.isIdleFor(instanceIdleMs)) await release(instance);
      }
    },
    approvers,
    async refuseUnattended(attendance) {
      for (const instance of opened.values()) {
        await refuseUnattended(instance, [instance.approvers, approvers], attendance);
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...opened.values()].map(release));
    },
  };
}

const endingProblem: Problem = {
  status: 503,
  code: "directory",
  message: "The server is shutting down.",
  recovery: "Start it again.",
};

const fullProblem: Problem = {
  status: 503,
  code: "directory",
  message: `The server has ${placesMax} directories open, all in use.`,
  recovery: "Try again later, or release one with POST /instance/dispose.",
};

type RealPlace = { readonly ok: true; readonly real: string } | { readonly ok: false; readonly problem: Problem };

/** What lies outside of the roots is refused in the same words, whether it exists or not. */
async function realPlace(path: string, roots: readonly string[]): Promise<RealPlace> {
  const real = await realDirectory(path);
  const realRoots = (await Promise.all(roots.map(realDirectory))).filter((root) => root !== undefined);
  if (real !== undefined && realRoots.some((root) => isInside(real, root))) return { ok: true, real };
  const isNamedInside = real === undefined && [...roots, ...realRoots].some((root) => isInside(path, root));
  return { ok: false, problem: isNamedInside ? absent(path) : outside(path) };
}

/** Undefined for anything but a directory that is there and can be reached. */
async function realDirectory(path: string): Promise<string | undefined> {
  if (path.includes("\0")) return undefined;
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return undefined;
    throw error;
  }
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function absent(path: string): Problem {
  return {
    status: 404,
    code: "directory",
    message: `Directory not found: ${path}.`,
    recovery: "Pass an existing directory.",
  };
}

function outside(path: string): Problem {
  return {
    status: 403,
    code: "directory",
    message: `This server does not serve ${path}.`,
    recovery: "Use a directory of its project, or allow others with the setting server.roots.",
  };
}
