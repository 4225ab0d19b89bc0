/** The files of a project that its instruction files include, found without telling anybody what they say. */
import { dirname } from "node:path";
import { findIncludes, isIncludable } from "./includes.ts";
import { charactersMax, withoutComments } from "./prepare-text.ts";
import { readInstructionFile } from "./read-file.ts";

const filesMax = 200;
const hopsMax = 5;

/** Absolute paths below the root, each once, however they include each other. */
export function includedFiles(
  paths: readonly string[],
  { root, home }: { readonly root: string; readonly home: string },
) {
  const found = new Set<string>();
  let open = paths;
  for (let hops = 0; hops < hopsMax && open.length > 0; hops += 1) {
    const next: string[] = [];
    for (const path of open) {
      const read = readInstructionFile(path);
      if (!read.ok || !read.realPath.startsWith(`${root}/`)) continue;
      const text = withoutComments(read.text.replaceAll("\r\n", "\n")).slice(0, charactersMax);
      for (const include of findIncludes(text, { directory: dirname(path), home })) {
        const isNew = include.path.startsWith(`${root}/`) && isIncludable(include.path) && !found.has(include.path);
        if (!isNew || found.size >= filesMax || !readInstructionFile(include.path).ok) continue;
        found.add(include.path);
        next.push(include.path);
      }
    }
    open = next;
  }
  return [...found];
}
