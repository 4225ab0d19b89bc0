/**
 * Takes secrets out of what the system shows of this process. Whoever may read `/proc/<pid>/environ` sees the variables
 * a process was started with, whatever it deleted since; a child of the same user may, and every tool is one.
 */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { isSecretName } from "@kedge/host";

/** `process.env` is a copy from then on. False where the system keeps showing what it was given. */
export function hideSecretVariables(): boolean {
  const names = Object.keys(process.env).filter(isSecretName);
  if (names.length === 0) return true;
  const real = process.env;
  const copy = { ...real };
  process.env = copy;
  for (const name of names) delete real[name];
  return process.platform === "linux" && overwriteStart(new Set(names));
}

/** Names of secrets that others of this user can still read from this process. */
export function shownSecrets(): readonly string[] {
  const names = Object.keys(process.env).filter(isSecretName);
  if (process.platform !== "linux" || names.length === 0) return names;
  try {
    const block = readFileSync("/proc/self/environ");
    const isFilled = ({ at, length }: Value) => block.subarray(at, at + length).every((byte) => byte === filler);
    const shown = [...valuesIn(block, new Set(names))].filter((value) => !isFilled(value));
    return shown.map(({ name }) => name);
  } catch (error) {
    // What this process cannot read of itself, no other one can.
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

const filler = "*".charCodeAt(0);

/** The block of memory in which the system handed the variables over. */
function overwriteStart(names: ReadonlySet<string>): boolean {
  try {
    const block = readFileSync("/proc/self/environ");
    const start = startOfBlock(readFileSync("/proc/self/stat", "latin1"));
    const memory = openSync("/proc/self/mem", "r+");
    try {
      for (const { at, length } of valuesIn(block, names)) {
        writeSync(memory, Buffer.alloc(length, filler), 0, length, start + at);
      }
    } finally {
      closeSync(memory);
    }
    return true;
  } catch (error) {
    // A system without these files, or one that forbids them, also to others.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

/** The name of the program stands in parentheses and may hold anything; the fields are counted behind it. */
function startOfBlock(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[envStartField]);
}

/** The fiftieth field of all, of which the first two stand before the parenthesis. */
const envStartField = 47;

type Value = { readonly name: string; readonly at: number; readonly length: number };

function* valuesIn(block: Buffer, names: ReadonlySet<string>): Generator<Value, void> {
  for (let at = 0; at < block.length; ) {
    const end = block.indexOf(0, at);
    const entry = block.toString("latin1", at, end === -1 ? block.length : end);
    const equals = entry.indexOf("=");
    const name = entry.slice(0, equals);
    if (names.has(name)) yield { name, at: at + equals + 1, length: entry.length - equals - 1 };
    at += entry.length + 1;
  }
}
