/**
 * Judges what one call changed. The engine has no grammars, so the diff is judged by patterns of its lines, per language.
 */
import type { DiffFile } from "@kedge/protocol";
import { hunksOf, languageOf, pathOf } from "./diff-code.ts";
import { commandRemovals } from "./file-commands.ts";
import { baseName, criteriaLine, isCriteria, isOutOfReach, isSnapshot, isTest } from "./path-kinds.ts";
import { snapshotUpdates } from "./path-patterns.ts";
import type { Evidence } from "./signals.ts";
import { findSwallowed, findTolerated } from "./tolerated-failures.ts";
import { findWeakenedTests } from "./weakened-tests.ts";
import { findWrittenValues } from "./written-values.ts";

export type CallChange = {
  readonly diffs: readonly DiffFile[];
  /** Every file the call changed, those of the diffs included. */
  readonly paths: readonly string[];
  readonly command: string | undefined;
};

export type ChangeKnowledge = {
  /** What failing tests expect now. */
  readonly expected: ReadonlySet<string>;
  /** Tests that this run itself made: it may take them away again, or have moved others there. */
  readonly ownTests: ReadonlySet<string>;
  /** Criteria that counted already. */
  readonly knownCriteria: ReadonlySet<string>;
};

export function judgeChange(change: CallChange, knowledge: ChangeKnowledge): readonly Evidence[] {
  const moved = goneTests(change, knowledge.ownTests);
  const kept = change.diffs.filter((file) => file.oldPath === undefined || !isGone(file));
  const hunks = kept.flatMap(hunksOf);
  return [
    ...moved.map((why): Evidence => ({ signal: "testRemoved", why })),
    ...findWeakenedTests(hunks),
    ...skipsByCommand(change),
    ...findWrittenValues(hunks, knowledge.expected),
    ...findSwallowed(hunks),
    ...editedCriteria(change)
      .filter((path) => !knowledge.knownCriteria.has(path))
      .map((path): Evidence => ({ signal: "criteriaEdited", why: `${path} affects how the work is tested` })),
    ...findTolerated(change.diffs),
  ];
}

export function editedCriteria({ diffs, paths, command }: CallChange): readonly string[] {
  const edited = diffs.filter((file) => file.oldPath !== undefined && touchesCriteria(file)).map(pathOf);
  const diffed = new Set(diffs.map(pathOf));
  const acceptsOutput = command !== undefined && snapshotUpdates.some((update) => update.test(command));
  // Without a diff a snapshot may be a new one, which runners write for every new test.
  const silent = paths.filter((path) => !diffed.has(path) && (isCriteria(path) || (acceptsOutput && isSnapshot(path))));
  const all = [...edited, ...silent];
  return all.length === 0 && acceptsOutput ? ["the snapshots"] : all;
}

function touchesCriteria(file: DiffFile): boolean {
  const path = file.oldPath ?? pathOf(file);
  if (isCriteria(path) || isSnapshot(path)) {
    const isOnlyMoved = file.hunks.length === 0 && file.newPath !== undefined;
    return !isOnlyMoved || !(isCriteria(file.newPath) || isSnapshot(file.newPath));
  }
  const line = criteriaLine(path);
  if (line === undefined) return false;
  return file.hunks.some((hunk) => hunk.lines.some(({ kind, text }) => kind === "removed" && line.test(text)));
}

/** Deleted, or no longer where and what a runner looks for. */
function isGone({ oldPath, newPath }: DiffFile): boolean {
  if (oldPath === undefined || !isTest(oldPath)) return false;
  return newPath === undefined || (newPath !== oldPath && isOutOfReach(newPath, oldPath));
}

function goneTests({ diffs, command }: CallChange, ownTests: ReadonlySet<string>): readonly string[] {
  const created = diffs.flatMap(({ oldPath, newPath }) =>
    oldPath === undefined && newPath !== undefined ? [newPath] : [],
  );
  const known = new Set([...ownTests, ...created.filter(isTest)]);
  const names = new Set([...known].map(baseName));
  const isOwn = (path: string) => known.has(path) || names.has(baseName(path));
  const byDiff = diffs.filter(isGone).map(({ oldPath = "", newPath }) => ({ from: oldPath, to: newPath }));
  const byCommand = command === undefined ? [] : commandRemovals(command);
  return [...byDiff, ...byCommand]
    .filter(({ from, to }) => isTestPlace(from) && !isOwn(from) && (to === undefined || isOutOfReach(to, from)))
    .map(({ from, to }) =>
      to === undefined ? `${from} deleted` : `${from} moved to ${to}, where no test runner looks`,
    );
}

function isTestPlace(path: string): boolean {
  return isTest(path) || isTest(`${path.replace(/\/$/, "")}/any`);
}

/** A command that writes a skip marker into a test has no diff to show it. */
function skipsByCommand({ diffs, paths, command }: CallChange): readonly Evidence[] {
  if (command === undefined || diffs.length > 0) return [];
  const path = paths.find((each) => isTest(each) && languageOf(each)?.skip.test(command));
  return path === undefined ? [] : [{ signal: "checkWeakened", why: `a skip marker added to ${path}` }];
}
