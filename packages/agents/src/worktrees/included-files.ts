/** What `.worktreeinclude` asks to copy into a new worktree: files that match it and that git ignores. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Repository, runGit, zeroSeparated } from "./worktree-git.ts";

const includeFileName = ".worktreeinclude";
const includeBytesMax = 64 * 1024;
const entriesMax = 10_000;

export type IncludedFiles = {
  /** Paths relative to the root; a folder ends with a slash. */
  readonly paths: readonly string[];
  /** One sentence where the file could not be followed. */
  readonly problem?: string;
};

export async function findIncludedFiles(repository: Repository, temporaryDirectory: string): Promise<IncludedFiles> {
  const patterns = readPatterns(join(repository.root, includeFileName));
  if (patterns === undefined) return { paths: [] };
  if (patterns.length > includeBytesMax) return problem(`${includeFileName} is larger than ${includeBytesMax} bytes`);
  // A folder of which everything is ignored is one entry: nobody walks through node_modules to find two files.
  const listed = await runGit(repository, [
    ...["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"],
  ]);
  if (!listed.ok) return problem(listed.problem);
  const entries = zeroSeparated(listed.output).flatMap((entry) => expand(repository.root, entry, patterns));
  if (entries.length > entriesMax) return problem(`more than ${entriesMax} ignored files would have to be compared`);
  return matching(repository, { entries, patterns, temporaryDirectory });
}

function problem(why: string): IncludedFiles {
  return { paths: [], problem: `${includeFileName} was not followed: ${why}.` };
}

function readPatterns(path: string): string | undefined {
  // A device or a pipe of that name would block.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  return readFileSync(path, "utf8");
}

/** An ignored folder itself, and the files in it where a pattern names a path below it. */
function expand(root: string, entry: string, patterns: string): readonly string[] {
  if (!entry.endsWith("/") || !reachesInto(patterns, entry)) return [entry];
  const files = readdirSync(join(root, entry), { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => join(found.parentPath, found.name).slice(root.length + 1));
  return [entry, ...files];
}

function reachesInto(patterns: string, folder: string): boolean {
  return patterns.split("\n").some((line) =>
    line
      .trim()
      .replace(/^!?\/?/, "")
      .startsWith(folder),
  );
}

type Matching = {
  readonly entries: readonly string[];
  readonly patterns: string;
  readonly temporaryDirectory: string;
};

/**
 * Git itself says what matches: in an empty repository with folders and empty files of the same names, where the
 * patterns are the only ones.
 */
async function matching(repository: Repository, { entries, patterns, temporaryDirectory }: Matching) {
  const scratch = mkdtempSync(join(temporaryDirectory, "kedge-include-"));
  try {
    const made = await runGit(repository, ["init", "-q", "--template=", scratch]);
    if (!made.ok) return problem(made.problem);
    const excludes = join(scratch, ".git", "worktree-include");
    writeFileSync(excludes, patterns);
    for (const entry of entries) {
      const path = join(scratch, entry);
      mkdirSync(entry.endsWith("/") ? path : dirname(path), { recursive: true });
      if (!entry.endsWith("/")) writeFileSync(path, "");
    }
    const words = ["-c", `core.excludesFile=${excludes}`, "check-ignore", "--no-index", "--stdin", "-z"];
    const found = await runGit(repository, words, { directory: scratch, input: entries.join("\0") });
    // Git fails with nothing to say where nothing matches.
    return { paths: found.ok ? withoutCovered(zeroSeparated(found.output)) : [] };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A folder that is copied whole covers what is in it. */
function withoutCovered(paths: readonly string[]): readonly string[] {
  const folders = paths.filter((path) => path.endsWith("/"));
  return paths.filter((path) => !folders.some((folder) => path !== folder && path.startsWith(folder)));
}
