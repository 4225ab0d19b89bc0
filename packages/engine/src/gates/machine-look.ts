/** What the gates may see of the machine. Looking changes nothing, and every look is bounded. */

export type FileLook = {
  readonly path: string;
  readonly sizeBytes: number;
  /** When the content was last written, which an unpacked archive may set to any time. */
  readonly modifiedMs: number;
  /** When the file itself last changed on this machine, which no program can choose. */
  readonly changedMs: number;
};

/** `hash` stands for the content; of a file too large to be read it stands for size and times. */
export type HashedFile = FileLook & { readonly hash: string };

export type Listed<Item> = {
  readonly items: readonly Item[];
  /** False when a limit of time, depth or number was met: what is not listed may still exist. */
  readonly isComplete: boolean;
};

export type PathMeasure =
  | { readonly kind: "missing" }
  | { readonly kind: "file"; readonly sizeBytes: number }
  | { readonly kind: "folder"; readonly files: number; readonly sizeBytes: number; readonly isComplete: boolean };

/**
 * What shall be noticed of a path: `place` is where it leads; `directory` that and which directory it is; `content` that
 * and what the file there holds; `script` the same, but only where there is a file; `code` which files that could be
 * run lie in the directory and in those within it, as far as a limit.
 */
export type WantedMark = {
  readonly path: string;
  readonly of: "place" | "directory" | "content" | "script" | "code";
};

export interface MachineLook {
  /**
   * Files below the directory, ignored ones included, that are wanted by folder and name (`folder` is relative to the
   * directory, with forward slashes, empty for the directory itself), and those of `others` that exist.
   */
  list(request: {
    readonly directory: string;
    readonly isWanted: (folder: string, name: string) => boolean;
    readonly others: readonly string[];
  }): Promise<Listed<HashedFile>>;
  /** Those of the files that exist, without reading them. */
  lookAt(paths: readonly string[]): Promise<readonly FileLook[]>;
  /** Files below the directory that changed at that time or later, the latest first. */
  changedSince(directory: string, sinceMs: number): Promise<Listed<FileLook>>;
  measure(path: string): Promise<PathMeasure>;
  /** The files that an archive holds, as it names them; undefined for anything but a tar or zip that can be read. */
  archiveNames?(path: string): Promise<Listed<string> | undefined>;
  /** Where a path leads, all links followed as far as it exists; without this links are not followed. */
  realPath?(path: string): Promise<string>;
  /**
   * One text for each, in their order, equal to that of another time as long as nothing wanted of it has changed. The
   * content of files too large to be read stands for size, times and identity.
   */
  mark(wanted: readonly WantedMark[]): Promise<readonly string[]>;
  /** The text of a small file; undefined if it is none, cannot be read or is larger than the limit. */
  readText(path: string): Promise<string | undefined>;
}
