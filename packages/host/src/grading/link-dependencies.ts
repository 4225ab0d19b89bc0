/** Gives a copy of a project its dependencies: links to those of the checkout, and to its own packages in the copy. */
import { lstatSync, mkdirSync, readdirSync, realpathSync, statSync, symlinkSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/**
 * A package of the same repository is a link into its checkout. In the copy it leads to the copy: what is graded is
 * what is there.
 */
export function linkDependencies(root: string, directory: string, folder: string): void {
  const source = join(root, folder);
  const target = join(directory, folder);
  const isThere = lstatSync(target, { throwIfNoEntry: false }) !== undefined;
  if (isThere || statSync(source, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const places = { root: realpathSync.native(root), directory, folder: realpathSync.native(source) };
  mkdirSync(dirname(target), { recursive: true });
  if (hasOwnPackages(source, places)) linkEach(source, target, places);
  else symlinkSync(source, target);
}

type Places = { readonly root: string; readonly directory: string; readonly folder: string };

function hasOwnPackages(source: string, places: Places): boolean {
  return entriesOf(source).some(
    ({ path, isScope }) => ownPackage(path, places) !== undefined || (isScope && hasOwnPackages(path, places)),
  );
}

function linkEach(source: string, target: string, places: Places): void {
  mkdirSync(target, { recursive: true });
  for (const { name, path, isScope } of entriesOf(source)) {
    if (isScope) linkEach(path, join(target, name), places);
    else symlinkSync(ownPackage(path, places) ?? path, join(target, name));
  }
}

function entriesOf(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
    name: entry.name,
    path: join(folder, entry.name),
    isScope: entry.name.startsWith("@") && entry.isDirectory(),
  }));
}

/** Where the package lies in the copy; undefined for what is not of this repository. */
function ownPackage(path: string, { root, directory, folder }: Places): string | undefined {
  if (lstatSync(path).isSymbolicLink() === false) return undefined;
  const real = statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : realpathSync.native(path);
  if (real === undefined || !real.startsWith(root + sep) || real.startsWith(folder + sep)) return undefined;
  const inside = relative(root, real);
  return inside.split(sep).includes("node_modules") ? undefined : join(directory, inside);
}
