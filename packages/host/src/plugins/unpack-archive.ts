/** Unpacks a tarball into a directory: looked through first, and refused as a whole for one entry that leads elsewhere. */
import { mkdirSync } from "node:fs";
import type { TreeLimits } from "./take-tree.ts";

export type Unpacked = { readonly ok: true } | { readonly ok: false; readonly why: string };

const plainTypes: ReadonlySet<string> = new Set(["File", "OldFile", "ContiguousFile", "Directory", "SymbolicLink"]);
/** Say something about others, and hold no file. */
const aboutTypes: ReadonlySet<string> = new Set([
  "GlobalExtendedHeader",
  "ExtendedHeader",
  "NextFileHasLongPath",
  "NextFileHasLongLinkpath",
]);

/** `strip` is how many directories at the front of each path are left out. */
export async function unpackArchive(
  file: string,
  directory: string,
  { strip, limits }: { readonly strip: number; readonly limits: TreeLimits },
): Promise<Unpacked> {
  const { list, extract } = await import("tar");
  let why: string | undefined;
  let files = 0;
  let bytes = 0;
  const refuse = (sentence: string) => {
    why ??= sentence;
  };
  try {
    await list({
      file,
      strict: true,
      onReadEntry: ({ path, type, size }) => {
        files += 1;
        bytes += size;
        const shown = JSON.stringify(path.slice(0, 200));
        if (path.startsWith("/") || path.includes("\\") || path.split("/").includes(".."))
          refuse(`its entry ${shown} points outside`);
        else if (!plainTypes.has(type) && !aboutTypes.has(type))
          refuse(`its entry ${shown} has the unsupported type ${type}`);
        else if (files > limits.filesMax) refuse(`it has more than ${limits.filesMax} files`);
        else if (bytes > limits.bytesMax) refuse(`it is larger than ${limits.bytesMax / 1_048_576} MB`);
      },
      filter: () => why === undefined,
    });
    if (why !== undefined) return { ok: false, why };
    mkdirSync(directory);
    // Links are not followed by the library, and judged again when the tree is taken.
    await extract({ file, cwd: directory, strip, strict: true, preservePaths: false, noMtime: true, umask: 0o077 });
    return { ok: true };
  } catch (error) {
    if (error instanceof Error)
      return { ok: false, why: why ?? `it cannot be unpacked (${error.message.slice(0, 200)})` };
    throw error;
  }
}
