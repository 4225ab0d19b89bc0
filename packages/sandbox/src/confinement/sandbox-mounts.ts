/** Turns a profile into mounts, after looking at what of it exists on the host. */
import { lstatSync, realpathSync, statSync } from "node:fs";
import { isWithin, outermost, type SandboxProfile, temporaryDirectories } from "./sandbox-profile.ts";

export type HostView = {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly hiddenFiles: readonly string[];
  readonly hiddenDirectories: readonly string[];
};

/** `own` are directories of the sandbox itself, which no command may see. */
export function lookAtHost(profile: SandboxProfile, own: readonly string[]): HostView | { readonly problem: string } {
  const writable: string[] = [];
  for (const path of profile.writable) {
    const real = resolvePath(path);
    if (real === undefined || !statSync(real).isDirectory())
      return { problem: `The sandbox cannot make ${path} writable: it is not a directory.` };
    writable.push(real);
  }
  const writableRoots = outermost(writable);
  const readable = outermost(resolveAll(profile.readable)).filter(
    (path) => isTemporary(path) && !writableRoots.some((root) => isWithin(path, root)),
  );
  const shown = [...writableRoots, ...readable];
  const hidden = outermost(resolveAll([...profile.hidden, ...own])).filter((path) => isVisible(path, shown));
  const isDirectory = (path: string) => lstatSync(path).isDirectory();
  return {
    readable,
    writable: writableRoots,
    hiddenFiles: hidden.filter((path) => !isDirectory(path)),
    hiddenDirectories: hidden.filter(isDirectory),
  };
}

/** Whether a command finds there what the host has there. */
export function isVisible(path: string, shown: readonly string[]): boolean {
  return !isTemporary(path) || shown.some((root) => isWithin(path, root));
}

function isTemporary(path: string): boolean {
  return temporaryDirectories.some((directory) => isWithin(path, directory));
}

/** What is absent needs no hiding and cannot be shown. */
function resolveAll(paths: readonly string[]): readonly string[] {
  return paths.map(resolvePath).filter((path) => path !== undefined);
}

function resolvePath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
