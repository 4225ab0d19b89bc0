/** Writes the argument list of bubblewrap for a command that only looks; pure, so that what it may do can be read. */
import { isWithin } from "../sandbox-profile.ts";

/** Every path exists, and none of the hidden ones lies in another hidden one unless something between them is shown. */
export type LookMounts = {
  readonly hiddenFiles: readonly string[];
  readonly hiddenDirectories: readonly string[];
  /** Shown although they lie in a hidden directory. */
  readonly shown: readonly string[];
  /** A file that nobody can read, in the place of hidden ones: an empty one would be a wrong answer. */
  readonly closedFile: string;
  /** What is shown in the place of directories for temporary files, where commands have their own; `none` is empty. */
  readonly temporary?: { readonly path: string | "none"; readonly places: readonly string[] };
};

export type LookedCommand = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly filterDescriptor: number;
  readonly hasTerminal: boolean;
};

/**
 * Root needs no user namespace and then sees owners as they are; without capabilities it can still neither mount nor
 * read what is closed. For everybody else the owners of other people's files have no name inside.
 */
export function lookNamespaces({ hasUserNamespace }: { readonly hasUserNamespace: boolean }): readonly string[] {
  return [...(hasUserNamespace ? ["--unshare-user"] : []), "--unshare-pid", "--unshare-net", "--unshare-ipc"];
}

/** For root the settings of the kernel stand writable in a new /proc, whatever rights it gave up. */
export const lookRoot: readonly string[] = [
  ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--remount-ro", "/proc"],
  ...["--cap-drop", "ALL", "--die-with-parent"],
];

export function lookArguments(
  mounts: LookMounts,
  command: LookedCommand,
  namespaces: readonly string[],
): readonly string[] {
  return [
    ...namespaces,
    ...lookRoot,
    ...temporaryMounts(mounts),
    ...layers(mounts),
    ...(mounts.temporary?.places ?? []).flatMap((place) => ["--remount-ro", place]),
    ...(command.hasTerminal ? [] : ["--new-session"]),
    ...["--chdir", command.cwd, "--seccomp", `${command.filterDescriptor}`],
    ...["--", command.file, ...command.args],
  ];
}

/** Writable until everything that is shown in them has its place. */
function temporaryMounts({ temporary }: LookMounts): readonly string[] {
  if (temporary === undefined) return [];
  const { path, places } = temporary;
  return places.flatMap((place) => (path === "none" ? ["--tmpfs", place] : ["--bind", path, place]));
}

/** The shallow ones first, since a mount covers what was mounted below it before. */
function layers({ hiddenFiles, hiddenDirectories, shown, closedFile }: LookMounts): readonly string[] {
  const all = [
    ...hiddenDirectories.map((path) => {
      // It can be walked through where something in it is shown, and never be listed.
      const isPassed = shown.some((one) => isWithin(one, path));
      return { path, list: ["--perms", isPassed ? "0111" : "0000", "--tmpfs", path] };
    }),
    ...shown.map((path) => ({ path, list: ["--ro-bind", path, path] })),
    ...hiddenFiles.map((path) => ({ path, list: ["--ro-bind", closedFile, path] })),
  ];
  return all.sort((one, other) => one.path.length - other.path.length).flatMap(({ list }) => list);
}
