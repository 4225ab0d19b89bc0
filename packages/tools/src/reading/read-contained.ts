/** Opens the file that contains what is wanted and hands it to the reader of its kind. */
import { closeSync, readSync } from "node:fs";
import { resolve } from "node:path";
import type { ToolContext, ToolOutput } from "@kedge/protocol";
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
  { cwd, signal }: ToolContext,
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
        return await readContainer({ kind, inner, file: opened, path, title, selection: selectLines(lines), signal });
    } finally {
      closeSync(opened.descriptor);
    }
  }
  // Lines of a text, and entries of a directory, can be chosen whatever it is called.
  if (splitSelector(container + inner).some((split) => split.path === container)) return undefined;
  const promised = kind === "database" ? "SQLite database" : `${kind} archive`;
  return { output: `${path} is no ${promised}, whatever its name says; read it alone.`, isError: true, title };
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
};

/** The caller closes the file. The readers are loaded when they are needed, for few sessions need one. */
export async function readContainer({ kind, inner, file, ...place }: Container): Promise<ToolOutput> {
  if (kind === "database") {
    const { readFromDatabase } = await import("./database-reading.ts");
    return readFromDatabase({ ...place, inner });
  }
  const { readFromArchive } = await import("./archive-reading.ts");
  const { descriptor, sizeBytes } = file;
  return readFromArchive({ ...place, kind, descriptor, sizeBytes, inner: inner.slice(1) });
}
