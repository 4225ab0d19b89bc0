/** Finds out how each protected path is to be guarded, from what exists of it at the moment. */
import { lstatSync } from "node:fs";
import { join, relative } from "node:path";
import { isWithin, type ProtectedPath, type StandIn } from "./sandbox-profile.ts";

export type ProtectedLayout = {
  readonly pinned: readonly string[];
  readonly readOnly: readonly string[];
  /** In the order in which they are to be made. */
  readonly absent: readonly AbsentPath[];
};

export type AbsentPath = { readonly path: string; readonly standIn: StandIn; readonly role: "pinned" | "leaf" };

export type LayoutProblem = { readonly problem: string };

/** Paths outside of the writable directories need no guard. */
export function layOutProtected(
  protectedPaths: readonly ProtectedPath[],
  writable: readonly string[],
): ProtectedLayout | LayoutProblem {
  const pinned = new Set<string>();
  const readOnly = new Set<string>();
  const absent = new Map<string, AbsentPath>();
  for (const { path, standIn, onlyWith } of withoutNested(protectedPaths)) {
    if (onlyWith !== undefined && lstatSync(onlyWith, { throwIfNoEntry: false }) === undefined) continue;
    const root = writable.find((directory) => isWithin(path, directory));
    if (root === undefined) continue;
    const steps = relative(root, path).split("/");
    let place = root;
    for (const [index, step] of steps.entries()) {
      place = join(place, step);
      const isLeaf = index === steps.length - 1;
      const found = absent.has(place) ? undefined : lstatSync(place, { throwIfNoEntry: false });
      if (found?.isSymbolicLink()) return { problem: linkProblem(place) };
      if (found === undefined) {
        const role = isLeaf ? "leaf" : "pinned";
        if (!absent.has(place)) absent.set(place, { path: place, role, standIn: isLeaf ? standIn : directory });
      } else if (isLeaf || !found.isDirectory()) {
        // A file in the place of a directory could be replaced by one.
        readOnly.add(place);
        break;
      } else pinned.add(place);
    }
  }
  return { pinned: [...pinned], readOnly: [...readOnly], absent: [...absent.values()] };
}

const directory: StandIn = { kind: "directory" };

function withoutNested(protectedPaths: readonly ProtectedPath[]): readonly ProtectedPath[] {
  const sorted = [...protectedPaths].sort((one, other) => one.path.length - other.path.length);
  const kept: ProtectedPath[] = [];
  for (const entry of sorted) if (!kept.some(({ path }) => isWithin(entry.path, path))) kept.push(entry);
  return kept;
}

/** Nothing can be mounted on a link itself, so a command could replace it. */
function linkProblem(path: string): string {
  return `The sandbox cannot protect ${path}, because it is a symbolic link in a writable directory. Replace it by what it points to, or turn the sandbox off.`;
}
