/** The files that the record of a session names as changed, by whichever tool. */
import { join } from "node:path";
import type { SessionState } from "@kedge/protocol";

/** Absolute paths, each once. What was undone is not among them. */
export function changedPaths({ undoPoints }: Pick<SessionState, "undoPoints">, root: string): readonly string[] {
  const paths = new Set<string>();
  for (const { changes } of undoPoints) {
    for (const { files } of changes) for (const { path } of files) paths.add(join(root, path));
  }
  return [...paths];
}
