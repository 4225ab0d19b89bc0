/** What the model knows of files, which it forgets with the part of the conversation that showed them. */
import type { FileState } from "@kedge/protocol";

export type KnownFile = { readonly path: string; readonly contentHash: string };

export interface FileKnowledge extends FileState {
  /** Everything but these must be read again before it is edited. */
  forgetAllBut(files: readonly KnownFile[]): void;
}

export function createFileKnowledge(newFileState: () => FileState): FileKnowledge {
  let current = newFileState();
  return {
    remember: (path, contentHash) => current.remember(path, contentHash),
    known: (path) => current.known(path),
    exclusively: (path, work) => current.exclusively(path, work),
    forgetAllBut(files) {
      current = newFileState();
      for (const { path, contentHash } of files) current.remember(path, contentHash);
    },
  };
}
