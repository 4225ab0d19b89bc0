/** Keeps commits that a command takes from the user's repository, so that undo can bring them back. */
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type GitPlace, runGit } from "./git-process.ts";
import { privately } from "./shadow-directory.ts";
import { type UserRepository, userObjects } from "./user-repository.ts";

const folderName = "kept";
/** A pack over this is not worth its place. */
const packBytesMax = 200 * 1024 * 1024;
const keptMsMax = 30 * 24 * 3_600_000;

export type Keeping = {
  /** The shadow directory. */
  readonly place: GitPlace;
  readonly repository: UserRepository;
  readonly signal: AbortSignal;
};

/**
 * With what they need that is not below `held`. In packs of their own beside the shadow's objects, whose clean-up
 * would stumble over commits without their parents. Says false when it cannot.
 */
export async function keepObjects(
  { place, repository, signal }: Keeping,
  wish: { readonly tips: Iterable<string>; readonly held: Iterable<string> },
): Promise<boolean> {
  const objectsFrom = userObjects(repository);
  const tips = await presentOf({ ...place, gitDirectory: repository.common }, wish.tips);
  if (tips.length === 0) return true;
  const held = await presentOf({ ...place, gitDirectory: repository.common }, wish.held);
  const folder = join(place.gitDirectory, folderName);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const packed = await runGit(place, {
    arguments: ["pack-objects", "--revs", "-q", "--window=0", "--threads=1", join(folder, "pack")],
    input: Buffer.from([...tips, ...held.map((name) => `^${name}`)].map((line) => `${line}\n`).join("")),
    objectsFrom,
    signal,
  });
  if (packed.kind !== "done") return false;
  const pack = `pack-${packed.output.toString().trim()}`;
  const written = await stat(join(folder, `${pack}.pack`));
  if (written.size > packBytesMax) {
    await Promise.all(packFiles(pack).map((name) => rm(join(folder, name), { force: true })));
    return false;
  }
  for (const tip of tips) await writeFile(join(folder, tip), pack, privately);
  await dropOld(folder, written.mtimeMs);
  return true;
}

/** Copies into the user's repository what is no longer there. */
export async function bringBackObjects(
  { place, repository }: Omit<Keeping, "signal">,
  wanted: readonly string[],
): Promise<void> {
  const present = new Set(await presentOf({ ...place, gitDirectory: repository.common }, wanted));
  const folder = join(place.gitDirectory, folderName);
  for (const tip of wanted.filter((name) => !present.has(name))) {
    const pack = await readFile(join(folder, tip), "utf8").catch(() => undefined);
    if (pack === undefined) continue;
    const target = join(userObjects(repository), "pack");
    await mkdir(target, { recursive: true });
    // The index last, because git looks for it.
    for (const name of packFiles(pack)) {
      // With a mode of its own: that of the shadow is for one user, and the repository may be for several.
      await pipeline(createReadStream(join(folder, name)), createWriteStream(join(target, name), { mode: 0o444 }));
    }
  }
}

function packFiles(pack: string): readonly string[] {
  return [`${pack}.pack`, `${pack}.idx`];
}

async function presentOf(place: GitPlace, names: Iterable<string>): Promise<readonly string[]> {
  const input = Buffer.from([...new Set(names)].map((name) => `${name}\n`).join(""));
  if (input.length === 0) return [];
  const listed = await runGit(place, { arguments: ["cat-file", "--batch-check=%(objectname)"], input });
  if (listed.kind !== "done") return [];
  const lines = listed.output.toString().split("\n");
  return lines.filter((line) => line !== "" && !line.includes(" "));
}

async function dropOld(folder: string, nowMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found !== undefined && nowMs - found.mtimeMs > keptMsMax) await rm(join(folder, name), { force: true });
  }
}
