/** Follows edits and test runs: what a change says in the light of the tests, and a test run in the light of the changes. */
import type { DiffLine } from "@kedge/protocol";
import { type CallChange, editedCriteria, judgeChange } from "./change-signals.ts";
import { hunksOf, languageOf, pathOf } from "./diff-code.ts";
import { isCriteria, isTest } from "./path-kinds.ts";
import type { TestRun } from "./runner-output.ts";
import { shownName } from "./shown-name.ts";
import type { Evidence, PressureSignal } from "./signals.ts";
import { createTestLedger } from "./test-ledger.ts";

/** `at` counts the calls of the run. */
export type ObservedRun = { readonly run: TestRun; readonly words: readonly string[]; readonly at: number };

export type RunVerdict = {
  readonly found: readonly Evidence[];
  /** A test that had failed passes now. */
  readonly hasFixed: boolean;
};

/** One per run. */
export interface WorkWatch {
  judgeEdit(change: CallChange): readonly Evidence[];
  judgeRun(observed: ObservedRun): RunVerdict;
  forgetBefore(at: number): void;
}

const growingAttempts = 3;
const namedTestsMax = 2;

/** After these a pass says nothing about the work. */
const weakening: ReadonlySet<PressureSignal> = new Set<PressureSignal>([
  "criteriaEdited",
  "checkWeakened",
  "expectedValueWritten",
  "assertionLoosened",
  "testRemoved",
  "failureTolerated",
]);

export function createWorkWatch(): WorkWatch {
  const ledger = createTestLedger();
  const ownTests = new Set<string>();
  const knownCriteria = new Set<string>();
  let edits = 0;
  let editsSinceRun = 0;
  let attempts: readonly number[] = [];
  let implementationEdited = false;
  /** An edit of the implementation failed its test, and the test was not touched since. */
  let implementationFailed = false;

  function judge(change: CallChange): readonly Evidence[] {
    if (change.paths.length === 0 && change.command === undefined) return [];
    const found = [...judgeChange(change, { expected: ledger.expected(), ownTests, knownCriteria })];
    for (const path of editedCriteria(change)) knownCriteria.add(path);
    for (const { oldPath, newPath } of change.diffs) {
      if (oldPath === undefined && newPath !== undefined && isTest(newPath)) ownTests.add(newPath);
    }
    if (change.paths.length === 0) return found;
    const touched = touchedCode(change);
    const edited = touched.tests.find((path) => ledger.failsIn(path));
    if (implementationFailed && edited !== undefined) {
      implementationFailed = false;
      const why = `${edited} edited after a change of the implementation failed its test`;
      found.push({ signal: "testEditedAfterFailure", why });
    }
    edits += 1;
    editsSinceRun += 1;
    implementationEdited ||= touched.implementation;
    return found;
  }

  function judgeRun({ run, words, at }: ObservedRun): RunVerdict {
    const found: Evidence[] = [];
    const { again, fixed } = ledger.record({ run, words, at, edits });
    if (again.length > 0) found.push({ signal: "testFailsAgain", why: `${nameTests(again)} failed again` });
    if (run.anyFailed) {
      implementationFailed = implementationEdited || implementationFailed;
      if (editsSinceRun > 0) attempts = [...attempts, editsSinceRun].slice(-growingAttempts);
      if (isGrowing(attempts)) {
        found.push({
          signal: "growingEdits",
          why: `growing number of edits between test runs (${attempts.join(", ")})`,
        });
        attempts = attempts.slice(1);
      }
    } else {
      implementationFailed = false;
      attempts = [];
    }
    implementationEdited = false;
    editsSinceRun = 0;
    return { found, hasFixed: fixed.length > 0 };
  }

  return {
    judgeEdit(change) {
      const found = judge(change);
      if (found.some(({ signal }) => weakening.has(signal))) ledger.weaken();
      return found;
    },
    judgeRun,
    forgetBefore: (at) => ledger.forgetBefore(at),
  };
}

function touchedCode({ diffs, paths }: CallChange): { tests: readonly string[]; implementation: boolean } {
  const hunks = diffs.flatMap(hunksOf);
  const diffed = new Set(diffs.map(pathOf));
  const silent = paths.filter((path) => !diffed.has(path));
  const isChanged = (lines: readonly DiffLine[]) => lines.some(({ kind }) => kind !== "context");
  const tests = hunks.filter((hunk) => !hunk.isNewFile && isChanged(hunk.tests)).map(({ path }) => path);
  const isCode = (path: string) => languageOf(path) !== undefined && !isTest(path) && !isCriteria(path);
  return {
    tests: [...tests, ...silent.filter(isTest)],
    implementation: hunks.some((hunk) => isChanged(hunk.implementation)) || silent.some(isCode),
  };
}

function isGrowing(counts: readonly number[]): boolean {
  return (
    counts.length === growingAttempts && counts.every((count, index) => index === 0 || count > (counts[index - 1] ?? 0))
  );
}

function nameTests(names: readonly string[]): string {
  const named = names.slice(0, namedTestsMax).map(shownName).join(", ");
  return names.length > namedTestsMax ? `${named} and ${names.length - namedTestsMax} more` : named;
}
