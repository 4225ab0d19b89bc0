/** Which directories of a repository are submodules, read from its index and its list: git is not started. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isDirectory } from "../machine/path-kind.ts";
import { settingsIn } from "./git-config-text.ts";

export type SubmodulesOf = {
  readonly worktree: string;
  readonly gitDirectory: string;
};

/** The mode of such an entry, as the index has it. */
const linkMode = 0o160000;
const modes: ReadonlySet<number> = new Set([linkMode, 0o100644, 0o100755, 0o120000, 0o040000]);
const linkBytes = Buffer.from([0, 0, 0xe0, 0]);
const indexBytesMax = 256 * 1024 * 1024;
const headerBytes = 12;
const shortHashBytes = 20;
const longHashBytes = 32;

type Known = { readonly stamp: string; readonly paths: readonly string[] };

/** The index is read with every git command otherwise, and can be large. */
const known = new Map<string, Known>();

/** Relative to the worktree, those that are there. Throws where it cannot be known. */
export function submodulesOf({ worktree, gitDirectory }: SubmodulesOf): readonly string[] {
  const named = new Set([...linksOf(join(gitDirectory, "index")), ...listedIn(join(worktree, ".gitmodules"))]);
  return [...named].filter((path) => isDirectory(join(worktree, path)));
}

function listedIn(path: string): readonly string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return [];
  const settings = settingsIn(readFileSync(path, "utf8")) ?? [];
  return settings.flatMap(({ name, value }) => (name === "submodule.path" && value ? [value] : []));
}

function linksOf(path: string): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  // Git itself needs more time for such an index than anybody waits.
  if (stats?.isFile() !== true || stats.size > indexBytesMax) return [];
  const stamp = `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
  const before = known.get(path);
  if (before?.stamp === stamp) return before.paths;
  const index = readFileSync(path);
  const paths = index.includes(linkBytes) ? (readLinks(index, shortHashBytes) ?? readLinks(index, longHashBytes)) : [];
  if (paths === undefined) throw new Error(`${path} is not a readable git index.`);
  known.set(path, { stamp, paths });
  return paths;
}

/** Undefined when the repository has hashes of another length, with which the entries lead nowhere. */
function readLinks(index: Buffer, hashLength: number): readonly string[] | undefined {
  const links: string[] = [];
  try {
    const version = index.readUInt32BE(4);
    let name = "";
    let at = headerBytes;
    for (let left = index.readUInt32BE(8); left > 0; left--) {
      const flagsAt = at + 40 + hashLength;
      const hasMoreFlags = version > 2 && (index.readUInt16BE(flagsAt) & 0x4000) !== 0;
      let nameAt = flagsAt + (hasMoreFlags ? 4 : 2);
      let kept = "";
      if (version > 3) {
        const { value, next } = readNumber(index, nameAt);
        kept = name.slice(0, Math.max(0, name.length - value));
        nameAt = next;
      }
      const end = index.indexOf(0, nameAt);
      const mode = index.readUInt32BE(at + 24);
      if (end === -1 || !modes.has(mode)) return undefined;
      name = kept + index.toString("latin1", nameAt, end);
      if (mode === linkMode) links.push(Buffer.from(name, "latin1").toString("utf8"));
      // Entries are filled up to eight bytes, up to the version that shortens names.
      at = version > 3 ? end + 1 : at + ((end - at + 8) & ~7);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
  return links;
}

/** Seven bits in each byte, the highest first, and one more for each further byte. */
function readNumber(index: Buffer, from: number): { readonly value: number; readonly next: number } {
  let next = from;
  let byte = index.readUInt8(next++);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = index.readUInt8(next++);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next };
}
