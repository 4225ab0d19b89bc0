/** Reads the text of one small file that a person wrote, whatever lies in its place: never waits, never reads without end. */
import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { reasonOf } from "@kedge/protocol";

/** Far above every settings file that a person would write. */
const bytesMax = 1024 * 1024;

export type SettingsText =
  | { readonly ok: true; readonly text: string }
  /** `why` continues a sentence that begins with the name of the file. */
  | { readonly ok: false; readonly why: string };

export function readSettingsText(path: string): SettingsText {
  try {
    // Opening a pipe would otherwise wait until somebody writes into it.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return readOpened(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return { ok: false, why: `cannot be read (${reasonOf(error)})` };
  }
}

function readOpened(file: number): SettingsText {
  const stats = fstatSync(file);
  if (stats.isDirectory()) return { ok: false, why: "cannot be read (it is a directory)" };
  if (!stats.isFile()) return { ok: false, why: "cannot be read (it is not a plain file)" };
  if (stats.size > bytesMax) return tooLarge;
  // One byte more than it had a moment ago: a file that grows meanwhile is read on, up to the limit.
  let buffer = Buffer.allocUnsafe(stats.size + 1);
  let length = 0;
  for (;;) {
    const count = readSync(file, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
    if (length > bytesMax) return tooLarge;
    if (length === buffer.length) buffer = Buffer.concat([buffer], length * 2);
  }
  const bytes = buffer.subarray(0, length);
  return isUtf8(bytes) ? { ok: true, text: bytes.toString("utf8") } : { ok: false, why: "is not UTF-8 text" };
}

const tooLarge: SettingsText = { ok: false, why: "is larger than 1 MiB" };
