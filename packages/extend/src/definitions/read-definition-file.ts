/** Reads one definition file as text, whatever lies in its place: never waits, never throws, never reads without end. */
import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, realpathSync, type Stats } from "node:fs";
import { sep } from "node:path";
import { reasonOf } from "@kedge/protocol";
import { readWhole } from "@kedge/protocol/text-file";

export type DefinitionText =
  | { readonly ok: true; readonly text: string; readonly id: string; readonly note?: string }
  | { readonly ok: false; readonly isMissing: true }
  | { readonly ok: false; readonly isMissing?: never; readonly why: string; readonly remedy: string };

/** A longer one is not a text that a person wrote for a model. */
const bytesMax = 1024 * 1024;

/** `root` is the directory that links must not lead out of; they may lead anywhere without it. */
export function readDefinitionFile(path: string, root?: string): DefinitionText {
  let file: number | undefined;
  try {
    // A pipe must not be waited for. What is opened is what is looked at, so nothing can change in between.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    const problem = refusal(stats);
    if (problem !== undefined) return { ok: false, ...problem };
    if (root !== undefined) {
      const target = realpathSync.native(path);
      if (!target.startsWith(root + sep))
        return refused(`a link to ${target}, outside the project`, "Copy the file into the project.");
    }
    return textOf(readWhole(file, stats.size), `${stats.dev}:${stats.ino}`);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return { ok: false, isMissing: true };
    return refused(`unreadable: ${reasonOf(error)}`, "Check its permissions, or remove it.");
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function refusal(stats: Stats): { readonly why: string; readonly remedy: string } | undefined {
  if (stats.isDirectory()) return { why: "a directory, not a file", remedy: "Rename the directory." };
  if (!stats.isFile()) return { why: "not a regular file", remedy: "Replace it with a text file." };
  if (stats.size <= bytesMax) return undefined;
  const megabytes = (stats.size / 1_048_576).toFixed(1);
  return { why: `too large: ${megabytes} MB, the limit is 1 MB`, remedy: "Move reference material to other files." };
}

/** `id` is the same for a file that has two names. */
function textOf(bytes: Buffer, id: string): DefinitionText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { ok: true, text: bytes.toString("utf16le"), id, note: "is UTF-16; save it as UTF-8" };
  const text = bytes.toString("utf8");
  if (text.includes("\0")) return refused("not a text file", "Save it as UTF-8 text.");
  // What is not UTF-8 becomes this character, which nearly no text has.
  return !text.includes("\ufffd") || isUtf8(bytes)
    ? { ok: true, text, id }
    : { ok: true, text, id, note: "has bytes that are not UTF-8" };
}

function refused(why: string, remedy: string): DefinitionText {
  return { ok: false, why, remedy };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
