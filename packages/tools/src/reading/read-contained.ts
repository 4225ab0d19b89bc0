/** Opens the file that contains what is wanted and hands it to the reader of its kind. */
import { createHash } from "node:crypto";
import { closeSync, read, readSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import type { FileState, ReadRights, ToolContext, ToolOutput } from "@kedge/protocol";
import { openRegularFile } from "../file-content.ts";
import { shortPath } from "../tool-path.ts";
import { type Contained, type ContainerKind, isContainer } from "./contained.ts";
import { sniffedBytes } from "./file-kind.ts";
import { type Selection, selectLines } from "./selection.ts";
import { splitSelector } from "./selector.ts";

type Lines = { readonly offset?: number; readonly limit?: number };

/** Undefined when there is no such container, and the target may be something else. */
export async function readContained(
  { kind, container, inner }: Contained,
  lines: Lines,
  { cwd, signal, files, reading }: ToolContext,
): Promise<ToolOutput | undefined> {
  const path = resolve(cwd, container);
  const title = shortPath(path, cwd);
  const opened = openRegularFile(path);
  if (opened.kind === "refused") return { output: opened.problem, isError: true, title };
  if (opened.kind === "missing") return undefined;
  if (opened.kind === "file") {
    try {
      const beginning = Buffer.alloc(sniffedBytes);
      readSync(opened.descriptor, beginning, 0, sniffedBytes, 0);
      if (isContainer(kind, beginning))
        return await readContainer({
          kind,
          inner,
          file: opened,
          path,
          title,
          selection: selectLines(lines),
          signal,
          files,
          reading,
        });
    } finally {
      closeSync(opened.descriptor);
    }
  }
  // Lines of a text, and entries of a directory, can be chosen whatever it is called.
  if (splitSelector(container + inner).some((split) => split.path === container)) return undefined;
  const promised = kind === "database" ? "SQLite database" : `${kind} archive`;
  return { output: `${path} is not a valid ${promised}, despite its name; read it alone.`, isError: true, title };
}

export type Container = {
  readonly kind: ContainerKind;
  /** As it follows the name of the container, with the sign between them, or empty. */
  readonly inner: string;
  readonly file: { readonly descriptor: number; readonly sizeBytes: number };
  readonly path: string;
  readonly title: string;
  readonly selection: Selection;
  readonly signal: AbortSignal;
  readonly files: FileState;
  readonly reading: ReadRights;
};

/** Whoever has looked into a database may change rows of it, but not put another file in its place. */
const knownDatabase = "looked into";

/** The caller closes the file. The readers are loaded when they are needed, for few sessions need one. */
export async function readContainer({ kind, inner, file, files, reading, ...place }: Container): Promise<ToolOutput> {
  const { path, signal } = place;
  if (kind === "database") {
    const { readFromDatabase } = await import("./database/database-reading.ts");
    const result = await readFromDatabase({ ...place, inner });
    if (!result.isError) files.remember(path, knownDatabase);
    return result;
  }
  const { readFromArchive } = await import("./archive/archive-reading.ts");
  const { descriptor, sizeBytes } = file;
  const result = await readFromArchive({ ...place, kind, descriptor, sizeBytes, inner: inner.slice(1), reading });
  const contentHash = result.isError ? undefined : await hashFile(descriptor, signal);
  if (contentHash !== undefined) files.remember(path, contentHash);
  return result;
}

const readBytes = promisify(read);
const chunkBytes = 1_024 * 1_024;

/** In pieces, for an archive can be larger than anyone wants to hold. Undefined if interrupted. */
async function hashFile(descriptor: number, signal: AbortSignal): Promise<string | undefined> {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let position = 0; ; ) {
    if (signal.aborted) return undefined;
    const { bytesRead } = await readBytes(descriptor, chunk, 0, chunkBytes, position);
    if (bytesRead === 0) return hash.digest("hex");
    hash.update(chunk.subarray(0, bytesRead));
    position += bytesRead;
  }
}
