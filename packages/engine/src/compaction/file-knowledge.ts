/** What the model knows of files, which it forgets with the part of the conversation that showed them. */
import type { FileState, KnownFile } from "@kedge/protocol";

export type { KnownFile };

export interface FileKnowledge extends FileState {
  /** Everything but these must be read again before it is edited. */
  forgetAllBut(files: readonly KnownFile[]): void;
  /** For a session that works for this one, as it is now. */
  all(): readonly KnownFile[];
}

export function createFileKnowledge(newFileState: () => FileState, known: readonly KnownFile[] = []): FileKnowledge {
  let current = newFileState();
  const hashes = new Map<string, string>();

  function remember(path: string, contentHash: string): void {
    hashes.set(path, contentHash);
    current.remember(path, contentHash);
  }

  for (const { path, contentHash } of known) remember(path, contentHash);
  return {
    remember,
    known: (path) => current.known(path),
    exclusively: (path, work) => current.exclusively(path, work),
    forgetAllBut(files) {
      current = newFileState();
      hashes.clear();
      for (const { path, contentHash } of files) remember(path, contentHash);
    },
    all: () => [...hashes].map(([path, contentHash]) => ({ path, contentHash })),
  };
}
