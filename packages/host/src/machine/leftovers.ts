/** Notes where files are being changed, and clears what a killed process left half-written there and in kedge's own folders. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import type { Home } from "./home.ts";
import { thisMachine } from "./identity.ts";

/** The names of temporary files tell whose they are. In folders of the user only those that tools make are looked for. */
const ofTools = /^\.kedge-(\d+)-[0-9a-f]{16}\.tmp$/;
/** Of `replaceFile` and blobs, and of the code cache. */
const ofOurselves = /(?:\.(\d+)_[0-9a-f]{12,16}|^code-(\d+))\.tmp$/;

const noteName = /^(\d+)-\d+$/;

/** Told the path before a tool changes it; what is given back is called when that is over. */
export type NoteChange = (path: string) => () => void;

/** A note is a comfort: where it cannot be written, the change goes on without it. */
export function createChangeNotes({ data }: Home): NoteChange {
  const folder = join(data, "changing");
  let count = 0;
  let machine: string | undefined;
  return (path) => {
    count += 1;
    const note = join(folder, `${process.pid}-${count}`);
    machine ??= thisMachine();
    const text = JSON.stringify({ machine, directory: dirname(path) });
    try {
      if (count === 1) mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(note, text, { mode: 0o600 });
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    return () => quietly(() => rmSync(note, { force: true }));
  };
}

/** `root` is the project of this process. Never fails: what cannot be cleared now is cleared later. */
export function clearLeftovers(home: Home, root: string): void {
  const own = [
    home.directory,
    home.data,
    home.blobs,
    join(home.directory, "cache"),
    join(home.directory, "plugins"),
    join(root, ".kedge"),
  ];
  for (const directory of own) clear(directory, ofOurselves);
  const folder = join(home.data, "changing");
  const notes = namesIn(folder).filter((name) => isDead(noteName.exec(name)?.[1]));
  for (const name of notes) {
    const directory = directoryIn(join(folder, name));
    if (directory !== undefined) clear(directory, ofTools);
    quietly(() => rmSync(join(folder, name), { force: true }));
  }
}

function clear(directory: string, shape: RegExp): void {
  for (const name of namesIn(directory)) {
    const found = shape.exec(name);
    if (isDead(found?.[1] ?? found?.[2])) quietly(() => rmSync(join(directory, name)));
  }
}

/** Of another machine that shares this home nobody here can tell which processes live. */
function directoryIn(note: string): string | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(note, "utf8"));
    if (!isJsonObject(value) || value["machine"] !== thisMachine()) return undefined;
    const { directory } = value;
    return typeof directory === "string" && isAbsolute(directory) ? directory : undefined;
  } catch (error) {
    // Written half before the process died, and then nothing was changed yet.
    if (error instanceof SyntaxError || isRefusal(error)) return undefined;
    throw error;
  }
}

function isDead(pid: string | undefined): boolean {
  if (pid === undefined || Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

function namesIn(directory: string): readonly string[] {
  return quietly(() => readdirSync(directory)) ?? [];
}

function quietly<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** Anything that the system says of a file, such as that there is none. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
