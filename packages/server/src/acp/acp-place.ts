/** A place of work as an editor uses it: a kedge of one directory, and what sessions in it begin with. */
import { realpathSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Client, Failure, PermissionMode, RunOptions } from "@kedge/protocol";
import { failureError, requestError } from "./request-error.ts";

export type AcpPlace = {
  readonly client: Client;
  readonly cwd: string;
  /** Of new sessions; absent where none is configured. */
  readonly model?: string;
  readonly mode: PermissionMode;
  /** True when the command line said which mode, so that it also counts for stored sessions. */
  readonly isModeNamed: boolean;
  /** Those that a person may choose. */
  readonly modes: readonly PermissionMode[];
  readonly runOptions: RunOptions;
  /** Interrupts what runs and gives the sessions free. */
  close(): Promise<void>;
};

export type OpenAcpPlace = (
  cwd: string,
) => Promise<{ readonly ok: true; readonly place: AcpPlace } | { readonly ok: false; readonly failure: Failure }>;

export interface AcpPlaces {
  /** Opens it when it is first named; throws a RequestError where that cannot be. */
  open(cwd: string): Promise<AcpPlace>;
  /** Opens it again, with settings and keys as they are now; nothing may be in use in it. */
  reopen(place: AcpPlace): Promise<AcpPlace>;
  close(): Promise<void>;
}

export function createAcpPlaces(openPlace: OpenAcpPlace): AcpPlaces {
  /** What is being opened is in here already, so that two requests at once open it once. */
  const places = new Map<string, Promise<AcpPlace>>();

  async function openAnew(directory: string): Promise<AcpPlace> {
    const opened = await openPlace(directory);
    if (opened.ok) return opened.place;
    throw failureError(opened.failure);
  }

  async function open(cwd: string): Promise<AcpPlace> {
    const directory = realDirectory(cwd);
    const known = places.get(directory) ?? openAnew(directory);
    places.set(directory, known);
    try {
      return await known;
    } catch (error) {
      // What could not be opened is tried again by the next request.
      places.delete(directory);
      throw error;
    }
  }

  return {
    open,
    async reopen(place) {
      places.delete(place.cwd);
      await place.close();
      return open(place.cwd);
    },
    async close() {
      const opened = await Promise.allSettled(places.values());
      places.clear();
      await Promise.all(opened.map((each) => (each.status === "fulfilled" ? each.value.close() : undefined)));
    },
  };
}

function realDirectory(cwd: string): string {
  if (!isAbsolute(cwd)) throw requestError("invalidParams", `cwd must be an absolute path, got ${cwd}.`);
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw requestError("invalidParams", `Directory not found: ${cwd}. Open an existing one.`);
  return realpathSync(cwd);
}
