/** What a confined command may touch, as whoever configures the sandbox says it. */

export type SandboxProfile = {
  /** Directories in which everything may be changed: the workspace, added directories. Temporary files have their own. */
  readonly writable: readonly string[];
  /** Shown although they lie in a directory for temporary files, of which a command sees its own instead. */
  readonly readable: readonly string[];
  /** Stay as they are inside writable directories, and stay absent when they are. */
  readonly protectedPaths: readonly ProtectedPath[];
  /** Where repositories are looked for, whose hooks and settings stay as they are too. */
  readonly searched: readonly string[];
  /** Files and directories that look empty. */
  readonly hidden: readonly string[];
  readonly network: "off" | { readonly allowedHosts: readonly string[] };
};

export type ProtectedPath = {
  readonly path: string;
  /** What takes the place of an absent one while a command runs, because only what exists can be made read-only. */
  readonly standIn: StandIn;
  /** Guarded only while this directory is there: nothing is put in the place of what went with it. */
  readonly onlyWith?: string;
};

/**
 * Git and most tools overlook an empty directory whatever its name is, so that a command which adds all files does not
 * add it. A file is for what git reads itself, and its text must mean the same as no file.
 */
export type StandIn = { readonly kind: "directory" } | { readonly kind: "file"; readonly text: string };

/** A command's directories for temporary files; all of them show the same private one. */
export const temporaryDirectories: readonly string[] = ["/tmp", "/var/tmp"];

export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}

/** Without those that lie in another one, the shallow ones first. */
export function outermost(paths: readonly string[]): readonly string[] {
  const sorted = [...new Set(paths)].sort((one, other) => one.length - other.length);
  return sorted.filter((path, index) => !sorted.slice(0, index).some((outer) => isWithin(path, outer)));
}
