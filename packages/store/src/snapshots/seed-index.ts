/** Makes the first index of a shadow directory out of the user's own, so that unchanged files need not be read. */
import { isUtf8 } from "node:buffer";
import { open, rename, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileBytesMax, joinNul } from "./changed-files.ts";
import { type GitPlace, runGit } from "./git-process.ts";
import { type IndexEntry, readIndex, writeIndex } from "./index-entries.ts";
import { privately } from "./shadow-directory.ts";
import { hasForeignHashes, type UserRepository, userObjects } from "./user-repository.ts";

/** With fewer files it is quicker to read them than to ask git about them. */
const seededFilesMin = 200;

/** With each of these the bytes in the repository may be others of the same number. */
const convertingAttributes = ["filter", "ident", "working-tree-encoding"];

export type Seeding = {
  readonly place: GitPlace;
  readonly repository: UserRepository;
  readonly index: string;
  /** Gets the names of the objects that still lie only in the user's repository. */
  readonly borrowed: string;
  /** For the unfinished index. */
  readonly folder: string;
  readonly signal: AbortSignal;
};

/**
 * Says false, with nothing done, when the user's index is of no use. An entry is taken over only if the object has
 * exactly as many bytes as the file had when git last looked: line ends that were converted, then or now, change the
 * number. What other conversions could leave at the same number is found by attributes. Files without an entry are
 * new to the shadow and are stored byte for byte.
 */
export async function seedIndex(seeding: Seeding): Promise<boolean> {
  const { place, repository, folder, signal } = seeding;
  const user = await readUserIndex(repository);
  if (user === undefined || user.entries.length < seededFilesMin) return false;
  const [sizes, converted] = await Promise.all([
    objectSizes(seeding, user.entries),
    areConverted(seeding, user.entries),
  ]);
  if (sizes === undefined || converted === undefined) return false;
  const entries = user.entries.filter((entry, number) => sizes[number] === entry.sizeBytes && !converted[number]);
  if (entries.length < seededFilesMin) return false;
  const draft = join(folder, "seed");
  await writeFile(draft, writeIndex(entries), privately);
  // Git looks again at files as young as their index, so the time must not move on.
  const seconds = Math.floor(user.mtimeMs) / 1000;
  await utimes(draft, seconds, seconds);
  // Otherwise each later look would read again what the user's index has outdated times for.
  const refresh = { arguments: ["update-index", "-q", "--refresh"], indexFile: draft, signal };
  if ((await runGit(place, refresh)).kind !== "done") return false;
  // Before the index, so that no index ever stands without the list of what it borrows.
  await writeFile(seeding.borrowed, entries.map(({ object }) => `${object}\n`).join(""), privately);
  await rename(draft, seeding.index);
  return true;
}

async function readUserIndex(repository: UserRepository) {
  if (await hasForeignHashes(repository)) return undefined;
  // Git replaces its index whole, so that one open file gives one state.
  const handle = await open(join(repository.own, "index")).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { mtimeMs } = await handle.stat();
    const entries = readIndex(await handle.readFile());
    return entries && { mtimeMs, entries: entries.filter(isCoverable) };
  } finally {
    await handle.close();
  }
}

function isCoverable({ path, sizeBytes }: IndexEntry): boolean {
  return sizeBytes <= fileBytesMax && isUtf8(path);
}

/** In the order of the entries; `undefined` for an object that is not there. */
async function objectSizes(
  { place, repository, signal }: Seeding,
  entries: readonly IndexEntry[],
): Promise<readonly (number | undefined)[] | undefined> {
  const asked = await runGit(place, {
    arguments: ["cat-file", "--buffer", "--batch-check=%(objectsize)"],
    input: Buffer.from(entries.map(({ object }) => `${object}\n`).join("")),
    objectsFrom: userObjects(repository),
    signal,
  });
  if (asked.kind !== "done") return undefined;
  const lines = asked.output.toString("latin1").split("\n");
  return entries.map((_, number) => {
    const line = lines[number] ?? "";
    return /^\d+$/.test(line) ? Number(line) : undefined;
  });
}

/** In the order of the entries: whether what git stores may be something else than the bytes of the file. */
async function areConverted(
  { place, repository, signal }: Seeding,
  entries: readonly IndexEntry[],
): Promise<readonly boolean[] | undefined> {
  const asked = await runGit(
    { ...place, gitDirectory: repository.own },
    {
      arguments: ["-c", "core.fsmonitor=false", "check-attr", "-z", "--stdin", ...convertingAttributes],
      input: joinNul(entries.map(({ path }) => path)),
      honoursUserSettings: true,
      signal,
    },
  );
  if (asked.kind !== "done") return undefined;
  // Path, attribute and value for each attribute of each path, in the order of the question.
  const fields = asked.output.toString("latin1").split("\0");
  const fieldsPerEntry = convertingAttributes.length * 3;
  if (fields.length !== entries.length * fieldsPerEntry + 1) return undefined;
  return entries.map((_, number) =>
    convertingAttributes.some((_attribute, offset) => {
      const value = fields[number * fieldsPerEntry + offset * 3 + 2];
      return value !== "unspecified" && value !== "unset";
    }),
  );
}
