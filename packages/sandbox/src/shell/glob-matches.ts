/** The existing files that a shell pattern stands for, found as the shell would find them. Never throws. */
import { type Dirent, readdirSync } from "node:fs";

export type GlobMatch = { readonly directory: string; readonly name: string; readonly isLink: boolean };

/** Entries that are looked at for one pattern. */
const entriesMax = 20_000;

/** Undefined when there are too many to look at. The pattern is absolute; `**` is one step, as without globstar. */
export function findMatches(pattern: string): readonly GlobMatch[] | undefined {
  const steps = pattern.split("/").filter((step) => step !== "" && step !== ".");
  // Steps upwards stay in the text, because the kernel goes up from where a link leads.
  let directories: readonly string[] = [""];
  let seen = 0;
  for (const [index, step] of steps.entries()) {
    if (!isPattern(step)) {
      directories = directories.map((directory) => `${directory}/${step}`);
      continue;
    }
    const matcher = matcherOf(step);
    const found: GlobMatch[] = [];
    for (const directory of directories) {
      const entries = entriesOf(`${directory}/`);
      seen += entries.length;
      if (seen > entriesMax) return undefined;
      for (const entry of entries) {
        if (matcher.test(entry.name))
          found.push({ directory: directory || "/", name: entry.name, isLink: entry.isSymbolicLink() });
      }
    }
    const rest = steps.slice(index + 1);
    if (rest.length === 0) return found;
    directories = found.map(({ directory, name }) => `${directory}/${name}`);
    // A name behind the last pattern may be missing, a link, or below one: each is looked at by itself.
    if (!rest.some(isPattern))
      return directories.map((name) => ({ directory: name, name: rest.join("/"), isLink: true }));
  }
  return [];
}

export function isPattern(step: string): boolean {
  return /[*?[]/.test(step);
}

/** Takes in rather more than the shell does: what a bracket holds is any character. Hidden names need a dot. */
function matcherOf(step: string): RegExp {
  const source = step
    .replace(/\[[^\]]*\]?/g, "?")
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replaceAll("?", ".");
  return new RegExp(`${step.startsWith(".") ? "^" : "^(?!\\.)"}${source}$`, "su");
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    // What is missing or cannot be listed here gives the shell no names either.
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}
