/** What a terminal is started with: the directory, the shell, the size and the library, or why there can be none. */
import { accessSync, constants, statSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import {
  type CommandOf,
  type Failure,
  type LookAtPath,
  type PtyLibrary,
  type Refused,
  reasonOf,
  refused,
} from "@kedge/protocol";
import type { TerminalStart } from "./terminal.ts";

export type StartParts = {
  /** The setting `server.pty`. */
  readonly isAllowed: boolean;
  readonly root: string;
  readonly lookAtPath: LookAtPath;
  /** Without secrets. */
  readonly environment: () => { readonly [name: string]: string };
  /** For users whose environment names no shell. */
  readonly shellPath: string;
  readonly newId: (prefix: string) => string;
  readonly load: () => Promise<PtyLibrary>;
};

export type PreparedStart =
  | { readonly ok: true; readonly start: TerminalStart; readonly library: PtyLibrary }
  | Refused;

const cellsMax = 1000;
const columnsDefault = 80;
const rowsDefault = 24;

/** What speaks against a terminal before anything is looked at. */
export function refusalOf({ isAllowed }: StartParts, command: CommandOf<"pty.open">): Refused | undefined {
  if (!isAllowed) return refused("Terminals are disabled.", "Set server.pty to true to enable them.");
  const { columns = columnsDefault, rows = rowsDefault } = command;
  if (areCells(columns) && areCells(rows)) return undefined;
  return refused(`A terminal has 1 to ${cellsMax} columns and rows; got ${columns} and ${rows}.`);
}

export function areCells(count: unknown): count is number {
  return Number.isInteger(count) && Number(count) >= 1 && Number(count) <= cellsMax;
}

export async function prepareStart(parts: StartParts, command: CommandOf<"pty.open">): Promise<PreparedStart> {
  const located = await locate(parts, command.directory ?? ".");
  if (!located.ok) return located;
  const loaded = await load(parts.load);
  if (!loaded.ok) return loaded;
  const { columns = columnsDefault, rows = rowsDefault } = command;
  const environment = parts.environment();
  const program = shellOf(environment, parts.shellPath);
  const start = {
    ...{ ptyId: parts.newId("pty_"), program, directory: located.path, columns, rows, environment },
    command: command.command ?? program,
    arguments: command.command === undefined ? [] : ["-c", command.command],
  };
  return { ok: true, start, library: loaded.library };
}

type Located = { readonly ok: true; readonly path: string } | Refused;

async function locate({ root, lookAtPath }: StartParts, path: string): Promise<Located> {
  const absolute = resolve(root, path);
  const outside = refused(`${path} is outside the project.`, "Use a directory inside it.");
  if (lookAtPath(absolute).place !== "inside") return outside;
  try {
    const real = await realpath(absolute);
    // Looked at again, because a link may have led elsewhere.
    if (lookAtPath(real).place !== "inside") return outside;
    if ((await stat(real)).isDirectory()) return { ok: true, path: real };
    return refused(`${path} is not a directory.`, "Use a directory of the project.");
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return refused(`${path} cannot be entered (${reasonOf(error)}).`, "Use a directory of the project.");
  }
}

type Loaded = { readonly ok: true; readonly library: PtyLibrary } | Refused;

async function load(loadLibrary: () => Promise<PtyLibrary>): Promise<Loaded> {
  try {
    return { ok: true, library: await loadLibrary() };
  } catch (error) {
    // It may be missing or made for another machine, in many ways.
    const message = `Terminals need the package @lydell/node-pty, which cannot be loaded (${reasonOf(error)}).`;
    const recovery = "Install kedge with its optional packages.";
    const failure: Failure = { code: "configuration", message, recovery, retryable: false };
    return { ok: false, failure };
  }
}

/** The one the user works with, where it can be started. */
function shellOf({ SHELL: named = "" }: { readonly [name: string]: string }, otherwise: string): string {
  if (!isAbsolute(named)) return otherwise;
  try {
    accessSync(named, constants.X_OK);
    return statSync(named).isFile() ? named : otherwise;
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return otherwise;
    throw error;
  }
}
