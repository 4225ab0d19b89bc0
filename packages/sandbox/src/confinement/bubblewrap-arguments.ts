/** Writes the argument list of bubblewrap for one command; pure, so that what a sandbox grants can be read and compared. */
import { temporaryDirectories } from "./sandbox-profile.ts";

/** Every path exists. Paths of one list do not lie in each other, except the pinned ones. */
export type SandboxMounts = {
  /** On the host; shown in place of every directory for temporary files. */
  readonly temporary: string;
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Directories above protected paths. Being mount points they cannot be renamed, which would open a way around. */
  readonly pinned: readonly string[];
  readonly readOnly: readonly string[];
  /** Empty directories that stand in for what is absent. */
  readonly sealed: readonly string[];
  readonly hiddenFiles: readonly string[];
  readonly hiddenDirectories: readonly string[];
  /** An empty file on the host, to be shown instead of hidden ones. */
  readonly emptyFile: string;
};

export type SandboxedCommand = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Where the system call filter is read from and where bubblewrap tells the number of its first process. */
  readonly descriptors: { readonly filter: number; readonly report: number };
  /** A terminal belongs to the session that holds it; without one a command gets a session of its own. */
  readonly hasTerminal: boolean;
};

const namespaces = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"];

/** The network is that of whoever calls bubblewrap. */
export function bubblewrapArguments(mounts: SandboxMounts, command: SandboxedCommand): readonly string[] {
  return [
    ...namespaces,
    // For root the settings of the whole kernel stand writable in there, whatever rights it gave up.
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--remount-ro", "/proc"],
    ...temporaryDirectories.flatMap((directory) => ["--bind", mounts.temporary, directory]),
    ...mounts.readable.flatMap((path) => ["--ro-bind", path, path]),
    ...mounts.writable.flatMap((path) => ["--bind", path, path]),
    ...guards(mounts),
    ...mounts.hiddenFiles.flatMap((path) => ["--ro-bind", mounts.emptyFile, path]),
    ...mounts.hiddenDirectories.flatMap(sealDirectory),
    ...["--cap-drop", "ALL", "--die-with-parent"],
    ...(command.hasTerminal ? [] : ["--new-session"]),
    ...["--chdir", command.cwd],
    ...["--seccomp", `${command.descriptors.filter}`, "--info-fd", `${command.descriptors.report}`],
    ...["--", command.file, ...command.args],
  ];
}

/** The shallow ones first, since a mount covers what was mounted below it before. */
function guards({ pinned, readOnly, sealed }: SandboxMounts): readonly string[] {
  const all = [
    ...pinned.map((path) => ({ path, list: ["--bind", path, path] })),
    ...readOnly.map((path) => ({ path, list: ["--ro-bind", path, path] })),
    ...sealed.map((path) => ({ path, list: sealDirectory(path) })),
  ];
  return all.sort((one, other) => one.path.length - other.path.length).flatMap(({ list }) => list);
}

/** Cheaper than a read-only binding by a factor of four; what a stubborn owner puts into it is gone with the command. */
function sealDirectory(path: string): readonly string[] {
  return ["--perms", "0555", "--tmpfs", path];
}
