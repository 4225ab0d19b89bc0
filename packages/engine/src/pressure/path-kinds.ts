/** Says of a path whether it is a test, decides how work is judged, or lies where tests are never run. */
import {
  criteriaPaths,
  ignoredPlaces,
  partialCriteria,
  snapshotPaths,
  testFolders,
  testNames,
} from "./path-patterns.ts";

/** For the gate before an edit. The path is relative to the workspace: a folder above it says nothing about the file. */
export function isTestOrCriteria(path: string): boolean {
  return isTest(path) || isCriteria(path) || isSnapshot(path);
}

export function isTest(path: string): boolean {
  return (hasTestName(path) || matchesAny(testFolders, path)) && !isSnapshot(path);
}

/** No runner finds it any more where it is now, or under its new name. */
export function isOutOfReach(after: string, before: string): boolean {
  if (!isTest(after) || (hasTestName(before) && !hasTestName(after))) return true;
  return isIgnoredPlace(after) && !isIgnoredPlace(before);
}

function hasTestName(path: string): boolean {
  return matchesAny(testNames, path);
}

export function isCriteria(path: string): boolean {
  return matchesAny(criteriaPaths, path);
}

export function isSnapshot(path: string): boolean {
  return matchesAny(snapshotPaths, path);
}

function isIgnoredPlace(path: string): boolean {
  return matchesAny(ignoredPlaces, path);
}

/** The lines of a mixed file that decide how work is judged; undefined if no line of it does. */
export function criteriaLine(path: string): RegExp | undefined {
  const slashed = withSlashes(path);
  return partialCriteria.find((partial) => partial.path.test(slashed))?.line;
}

/** Runners print paths relative to their own folder, so one may be the end of the other. */
export function isSameFile(left: string, right: string): boolean {
  const [first, second] = [withSlashes(left), withSlashes(right)];
  return first === second || first.endsWith(`/${second}`) || second.endsWith(`/${first}`);
}

export function baseName(path: string): string {
  const slashed = withSlashes(path);
  return slashed.slice(slashed.lastIndexOf("/") + 1);
}

function matchesAny(patterns: readonly RegExp[], path: string): boolean {
  const slashed = withSlashes(path);
  return patterns.some((pattern) => pattern.test(slashed));
}

function withSlashes(path: string): string {
  return path.replaceAll("\\", "/").replace(/^\.\//, "");
}
