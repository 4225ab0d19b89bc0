/** Reads one instruction file as text, whatever lies in its place: never waits, never throws, never reads without end. */
import { closeSync, constants, fstatSync, openSync, realpathSync, statSync } from "node:fs";
import { reasonOf } from "@kedge/protocol";
import { readWhole } from "@kedge/protocol/text-file";

export type FileText =
  | { readonly ok: true; readonly text: string; readonly bytes: number; readonly realPath: string }
  | { readonly ok: false; readonly why: string; readonly isMissing?: true };

/** A longer one is no text that a person wrote for a model. */
const bytesMax = 4 * 1024 * 1024;
const binarySampleBytes = 8 * 1024;

export function readInstructionFile(path: string): FileText {
  let file: number | undefined;
  try {
    const realPath = realpathSync.native(path);
    const refused = refusal(statSync(realPath));
    if (refused !== undefined) return { ok: false, why: refused };
    // Should a pipe have taken its place, opening it must not wait for a writer.
    file = openSync(realPath, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stats = fstatSync(file);
    const changed = refusal(stats);
    if (changed !== undefined) return { ok: false, why: changed };
    const bytes = readWhole(file, stats.size);
    if (bytes.subarray(0, binarySampleBytes).includes(0)) return { ok: false, why: unreadableText(bytes) };
    return { ok: true, text: bytes.toString("utf8"), bytes: bytes.length, realPath };
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isMissing ? { ok: false, why: "missing", isMissing } : { ok: false, why: `unreadable: ${reasonOf(error)}` };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Some editors and shells still write UTF-16. */
function unreadableText(bytes: Buffer): string {
  const isWide = ["fffe", "feff"].includes(bytes.toString("hex", 0, 2));
  return isWide ? "UTF-16 text; save it as UTF-8" : "not a text file";
}

function refusal(stats: ReturnType<typeof statSync> & object): string | undefined {
  if (stats.isDirectory()) return "a directory, not a file";
  if (!stats.isFile()) return "not a regular file";
  if (Number(stats.size) <= bytesMax) return undefined;
  return `too large: ${(Number(stats.size) / 1_048_576).toFixed(1)} MB, the limit is ${bytesMax / 1_048_576} MB`;
}

/** A file that cannot be looked at exists: whoever reads it says what is wrong. */
export function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
