/** Reads and puts back the user's index, which a reset or a popped stash entry changes together with refs. */
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type GitPlace, runGit } from "./git-process.ts";
import { type IndexEntry, readIndex } from "./index-entries.ts";
import type { UserRepository } from "./user-repository.ts";

/** How the index is named beside refs. */
export const userIndexName = ".git/index";

/** A larger one is not worth its place. */
const indexBytesMax = 32 * 1024 * 1024;

export async function readUserIndex({ own }: UserRepository): Promise<Buffer | undefined> {
  const content = await readFile(join(own, "index")).catch(() => undefined);
  return content !== undefined && content.length <= indexBytesMax ? content : undefined;
}

/** Whatever git only remembers of the disk does not count. */
export function isSameIndex(one: Buffer, other: Buffer): boolean {
  if (one.equals(other)) return true;
  const [entries, others] = [readIndex(one), readIndex(other)];
  if (entries === undefined || others === undefined || entries.length !== others.length) return false;
  // Entries that are in conflict or otherwise special are counted only here.
  if (one.readUInt32BE(8) !== other.readUInt32BE(8)) return false;
  return entries.every((entry, index) => identityOf(entry) === identityOf(others[index]));
}

const modeStart = 24;
const modeEnd = 28;

function identityOf(entry: IndexEntry | undefined): string | undefined {
  return entry && `${entry.head.toString("hex", modeStart, modeEnd)} ${entry.object} ${entry.path.toString("latin1")}`;
}

/** Says false, with nothing done, when somebody else changed it or is about to, or when it names what is lost. */
export async function putBackIndex(
  place: GitPlace,
  repository: UserRepository,
  { from, to }: { readonly from: Buffer; readonly to: Buffer },
): Promise<boolean> {
  const present = await readUserIndex(repository);
  if (present === undefined) return false;
  if (isSameIndex(present, to)) return true;
  if (!isSameIndex(present, from) || !(await hasObjects(place, to))) return false;
  const lock = join(repository.own, "index.lock");
  // The way of git itself: whoever makes this file may replace the index.
  const handle = await open(lock, "wx").catch(() => undefined);
  if (handle === undefined) return false;
  try {
    await handle.writeFile(to);
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  await rename(lock, join(repository.own, "index"));
  return true;
}

async function hasObjects(place: GitPlace, index: Buffer): Promise<boolean> {
  const entries = readIndex(index);
  if (entries === undefined) return false;
  const input = Buffer.from(entries.map(({ object }) => `${object}\n`).join(""));
  const looked = await runGit(place, { arguments: ["cat-file", "--buffer", "--batch-check=%(objectname)"], input });
  return looked.kind === "done" && !looked.output.includes(" missing");
}
