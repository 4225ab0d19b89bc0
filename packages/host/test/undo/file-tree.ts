/** Records every file, link and empty folder below a folder, byte for byte, and works out what a tree becomes when changes go back. */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** What lies at each path: `file`, `executable` or `link` and a digest of the bytes. Folders count by what is in them; empty ones end in a slash. */
export type FileTree = ReadonlyMap<string, string>;

/** The repository of the workspace itself is left out; those inside it are not. */
export function readTree(root: string): FileTree {
  const tree = new Map<string, string>();
  const walk = (folder: Buffer, prefix: string) => {
    const entries = readdirSync(folder, { encoding: "buffer" });
    if (entries.length === 0 && prefix !== "") tree.set(prefix, "folder");
    for (const entry of entries) {
      const name = entry.toString();
      if (prefix === "" && name === ".git") continue;
      const path = Buffer.concat([folder, Buffer.from("/"), entry]);
      const found = lstatSync(path);
      if (found.isDirectory()) walk(path, `${prefix}${name}/`);
      else if (found.isSymbolicLink()) tree.set(prefix + name, `link ${readlinkSync(path, "buffer").toString("hex")}`);
      else tree.set(prefix + name, `${found.mode & 0o111 ? "executable" : "file"} ${digest(readFileSync(path))}`);
    }
  };
  walk(Buffer.from(root), "");
  return new Map([...tree].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function digest(content: Buffer): string {
  return content.length <= 80
    ? JSON.stringify(content.toString("latin1"))
    : createHash("sha256").update(content).digest("hex");
}

type Change = { readonly from: FileTree; readonly to: FileTree };

/** The present, with everything that differs between the two trees as in `to`, but for what is not covered. */
export function applied(present: FileTree, { from, to }: Change, uncovered: readonly string[]): FileTree {
  const result = new Map(present);
  for (const path of new Set([...from.keys(), ...to.keys()])) {
    const wanted = to.get(path);
    if (from.get(path) === wanted || isUncovered(path, uncovered)) continue;
    if (wanted === undefined) result.delete(path);
    else result.set(path, wanted);
  }
  // A folder that somebody has put something into meanwhile is not empty, whatever the trees say.
  const isFilled = (path: string) =>
    path.endsWith("/") && [...result.keys()].some((one) => one !== path && one.startsWith(path));
  const entries = [...result].filter(([path]) => !isFilled(path));
  return new Map(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function isUncovered(path: string, uncovered: readonly string[]): boolean {
  return uncovered.some((name) => path === name || path.startsWith(`${name}/`));
}

export function linesOf(tree: FileTree): readonly string[] {
  return [...tree].map(([path, state]) => `${JSON.stringify(path)} ${state}`);
}
