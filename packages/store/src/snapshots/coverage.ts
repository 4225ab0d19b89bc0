/** What a tree says about the ignored files it was asked to hold, so that naming one is never taken for adding it. */

export type Coverage = {
  /** Files, and folders with all below them, whose state or absence the tree tells; `.` for the whole workspace. */
  readonly covered: readonly string[];
  /** What was left out, also below a covered folder. */
  readonly uncovered: readonly string[];
  /** The files, and with a slash at the end the empty folders, that are in the tree only because they were named. */
  readonly extra: readonly string[];
};

/** No tool writes a name that begins with a control character, so that it cannot meet a file of the workspace. */
const notePrefix = "\u0001kedge-";
export const coverageName = `${notePrefix}coverage`;
export const refsName = `${notePrefix}refs`;
export const indexName = `${notePrefix}index`;
export const foldersName = `${notePrefix}folders`;

/** All of them. */
export const noteNames = [coverageName, refsName, indexName, foldersName] as const;

/** Stands among the covered names for whatever git ignores. */
export const everything = ".";

export const noCoverage: Coverage = { covered: [], uncovered: [], extra: [] };

/** Notes of ours that lie in a tree like files. */
export function isNote(path: string): boolean {
  return path.startsWith(notePrefix);
}

export function writeCoverage({ covered, uncovered, extra }: Coverage): Buffer {
  return Buffer.from(JSON.stringify({ covered, uncovered, extra }));
}

/** Written by us alone; anything else would be damage. */
export function readCoverage(content: Buffer): Coverage {
  const parsed: unknown = JSON.parse(content.toString());
  if (
    typeof parsed === "object" &&
    parsed !== null &&
    "covered" in parsed &&
    "uncovered" in parsed &&
    "extra" in parsed
  ) {
    const { covered, uncovered, extra } = parsed;
    if (isNames(covered) && isNames(uncovered) && isNames(extra)) return { covered, uncovered, extra };
  }
  throw new Error("A tree's note on its coverage is damaged.");
}

/** The nearest name decides: a file left out of a covered folder is not covered. */
export function coverageTest({ covered, uncovered }: Coverage): (path: string) => boolean {
  const answers = new Map<string, boolean>(covered.map((name) => [name, true]));
  for (const name of uncovered) answers.set(name, false);
  return (path) => {
    for (let name = path; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf("/")))) {
      const answer = answers.get(name);
      if (answer !== undefined) return answer;
    }
    return answers.get(everything) ?? false;
  };
}

/**
 * Whether a file that one tree has and the other lacks tells of a change. It does not if it came into the one tree by
 * being named, and the other was never asked about it: undoing it would then delete a file of the user.
 */
export function presenceTest(having: Coverage, lacking: Coverage): (path: string) => boolean {
  const extra = new Set(having.extra);
  const isCovered = coverageTest(lacking);
  return (path) => !extra.has(path) || isCovered(path);
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}
