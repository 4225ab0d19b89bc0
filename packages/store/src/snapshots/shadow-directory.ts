/** The shadow git directory of one workspace: made by hand, because that costs no process. */
import { hash } from "node:crypto";
import { access, mkdir, mkdtemp, readdir, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { devNull } from "node:os";
import { join } from "node:path";
import type { GitPlace } from "./git-process.ts";

export type Shadow = {
  readonly place: GitPlace;
  /** Shared by every process that works on this workspace; replaced whole, never changed in place. */
  readonly index: string;
  /** The file with the private ignore rules of the user's repository. */
  readonly excludeFile: string;
};

/** The mode is that of every file git makes there, whatever the umask of the user is: they hold what files said. */
const config = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tautocrlf = false
\tlongpaths = true
\tsymlinks = true
\tfsmonitor = false
\tquotePath = false
\thooksPath = ${devNull}
\tattributesFile = ${devNull}
\tsharedRepository = 0600
[gc]
\tauto = 0
`;

/** Stronger than every .gitattributes of the workspace: bytes go in and come out unchanged. */
const attributes = "* -text -ident -filter -working-tree-encoding\n";

/** For files that are made here and not by git. */
export const privately = { mode: 0o600 } as const;

const trackPrefix = "track-";

/** Folders of a track that are older than this belong to a process that was killed. */
const leftoverMsMin = 3_600_000;

export function shadowPath(directory: string, root: string): string {
  return join(directory, hash("sha256", root).slice(0, 16));
}

export async function makeShadow(gitDirectory: string): Promise<void> {
  const marker = join(gitDirectory, "HEAD");
  if (await exists(marker)) return;
  await mkdir(gitDirectory, { recursive: true, mode: 0o700 });
  for (const folder of ["objects", "refs", "info"]) {
    await mkdir(join(gitDirectory, folder), { recursive: true, mode: 0o700 });
  }
  await writeFile(join(gitDirectory, "config"), config, privately);
  await writeFile(join(gitDirectory, "info", "attributes"), attributes, privately);
  // Last, because its presence says that the rest is there.
  await writeFile(marker, "ref: refs/heads/main\n", privately);
}

export function trackFolderPattern(gitDirectory: string): string {
  return join(gitDirectory, trackPrefix);
}

/** Time is the file system's own, taken from a folder just made. */
export async function removeLeftovers(gitDirectory: string): Promise<void> {
  const probe = await mkdtemp(trackFolderPattern(gitDirectory));
  const { mtimeMs } = await stat(probe);
  await rmdir(probe);
  for (const name of await readdir(gitDirectory)) {
    if (!name.startsWith(trackPrefix)) continue;
    const path = join(gitDirectory, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && mtimeMs - found.mtimeMs > leftoverMsMin)
      await rm(path, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
