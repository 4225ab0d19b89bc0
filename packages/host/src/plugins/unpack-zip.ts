/** Unpacks a zip archive into a directory: looked through first, and refused as a whole for one entry that leads elsewhere. */
import { closeSync, fstatSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ArchiveProblem, openZip } from "@kedge/tools";
import type { TreeLimits } from "./take-tree.ts";
import type { Unpacked } from "./unpack-archive.ts";

export async function unpackZip(
  file: string,
  directory: string,
  { limits, signal }: { readonly limits: TreeLimits; readonly signal: AbortSignal },
): Promise<Unpacked> {
  const descriptor = openSync(file, "r");
  try {
    const { entries, unsafeCount, load } = openZip({ descriptor, sizeBytes: fstatSync(descriptor).size, signal });
    const files = entries.filter(({ kind }) => kind === "file");
    const other = entries.find(({ kind }) => kind === "other");
    const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    if (unsafeCount > 0) return { ok: false, why: "one of its entries points outside" };
    if (other !== undefined) return { ok: false, why: `its entry ${JSON.stringify(other.name)} is a link` };
    if (entries.length > limits.filesMax) return { ok: false, why: `it has more than ${limits.filesMax} files` };
    if (bytes > limits.bytesMax) return { ok: false, why: `it is larger than ${limits.bytesMax / 1_048_576} MB` };
    mkdirSync(directory);
    for (const entry of files) {
      const path = join(directory, entry.name);
      mkdirSync(dirname(path), { recursive: true });
      // Two entries of one name are one too many.
      writeFileSync(path, await load(entry), { flag: "wx", mode: entry.isExecutable ? 0o700 : 0o600 });
    }
    return { ok: true };
  } catch (error) {
    if (error instanceof ArchiveProblem || (error instanceof Error && "code" in error))
      return { ok: false, why: `it cannot be unpacked (${error.message.slice(0, 200)})` };
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
