/** What graders see of the checkout around their copy: its dependencies, and not its history, later files or other copies. */
import { lstatSync, readdirSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { mainCheckout } from "../worktrees/main-checkout.ts";

export type GraderView = { readonly hidden: readonly string[]; readonly readable: readonly string[] };

/** `directory` is the copy. Dependencies of the checkouts above it are what its own links lead to, so they stay. */
export function graderView(directory: string, dependencyFolders: readonly string[]): GraderView {
  const checkouts = new Set(checkoutsAbove(directory).flatMap((root) => [root, mainCheckout(root) ?? root]));
  const readable = [...checkouts].flatMap((root) => dependencyFolders.map((each) => join(root, each)));
  const hidden = [...checkouts].flatMap((root) => hiddenIn(root, [directory, ...readable]));
  return { hidden: [...new Set(hidden)], readable };
}

function checkoutsAbove(directory: string): readonly string[] {
  const found: string[] = [];
  for (let at = dirname(directory); at !== dirname(at); at = dirname(at))
    if (lstatSync(join(at, ".git"), { throwIfNoEntry: false }) !== undefined) found.push(at);
  return found;
}

/** All of a folder, and of those that something shown lies in, all the rest. */
function hiddenIn(folder: string, shown: readonly string[]): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // Hiding a link would hide what it leads to, wherever that is.
    if (entry.isSymbolicLink() || shown.includes(path)) return [];
    return shown.some((each) => each.startsWith(path + sep)) ? hiddenIn(path, shown) : [path];
  });
}
