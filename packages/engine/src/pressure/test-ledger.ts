/** Keeps the tests that fail now: since when, how they were run, and what they expect. */
import { isSameFile } from "./path-kinds.ts";
import { identityKey, type TestIdentity, type TestRun } from "./runner-output.ts";

export type RecordedRun = {
  readonly run: TestRun;
  /** The words of its command. */
  readonly words: readonly string[];
  /** The number of the call. */
  readonly at: number;
  /** How many edits the run of the agent has made so far. */
  readonly edits: number;
};

export type RunVerdict = {
  /** Failed before, and again after an edit. */
  readonly again: readonly string[];
  /** Failed before and pass now, without anything having made it easier for them. */
  readonly fixed: readonly string[];
};

export interface TestLedger {
  record(run: RecordedRun): RunVerdict;
  /** What is judged was changed: if failing tests pass now, that is no success. */
  weaken(): void;
  /** Leaves out failures of calls before this one. */
  forgetBefore(at: number): void;
  /** Whether a failing test may be in this file. */
  failsIn(path: string): boolean;
  expected(): ReadonlySet<string>;
}

type Failing = {
  readonly test: TestIdentity;
  readonly runner: TestRun["runner"];
  readonly words: readonly string[];
  readonly at: number;
  readonly edits: number;
  readonly isWeakened: boolean;
};

export function createTestLedger(): TestLedger {
  const failing = new Map<string, Failing>();
  let expected: ReadonlySet<string> = new Set();

  return {
    record({ run, words, at, edits }) {
      const again: string[] = [];
      const failedNow = new Set(run.failed.map(identityKey));
      const fixed: string[] = [];
      for (const [key, before] of failing) {
        if (failedNow.has(key) || before.runner !== run.runner || !passes(before, run, words)) continue;
        failing.delete(key);
        if (!before.isWeakened) fixed.push(key);
      }
      for (const test of run.failed) {
        const key = identityKey(test);
        const before = failing.get(key);
        if (before !== undefined && before.edits < edits) again.push(key);
        failing.set(key, { test, runner: run.runner, words, at, edits, isWeakened: before?.isWeakened ?? false });
      }
      if (run.failed.length > 0) expected = new Set(run.expected);
      return { again, fixed };
    },
    weaken() {
      for (const [key, test] of failing) failing.set(key, { ...test, isWeakened: true });
    },
    forgetBefore(at) {
      for (const [key, test] of failing) if (test.at < at) failing.delete(key);
    },
    failsIn: (path) => [...failing.values()].some(({ test }) => mayBeIn(test, path)),
    expected: () => (failing.size === 0 ? none : expected),
  };
}

const none: ReadonlySet<string> = new Set();

/** Packages of Go and modules of Rust are no files; their tests may be in any. */
function mayBeIn({ file }: TestIdentity, path: string): boolean {
  return file === undefined || !/\.\w+$/.test(file) || isSameFile(file, path);
}

/** Many runners name only what failed, so a test also passes when a run that includes it does not list it. */
function passes({ test, words: wordsThen }: Failing, run: TestRun, words: readonly string[]): boolean {
  const key = identityKey(test);
  if (run.skipped.some((each) => identityKey(each) === key)) return false;
  if (run.passed.some((each) => identityKey(each) === key)) return true;
  const { file } = test;
  if (file !== undefined && run.passedFiles.some((each) => isSameFile(each, file))) return true;
  const hasUnnamedFailures = run.anyFailed && run.failed.length === 0;
  if (!run.anyPassed || hasUnnamedFailures) return false;
  return words.every((word) => wordsThen.includes(word)) || words.some((word) => selects(word, test));
}

function selects(word: string, { file, name }: TestIdentity): boolean {
  if (file === undefined) return false;
  const [place = "", ...names] = word.split("::");
  return isSameFile(place, file) && (names.length === 0 || name.startsWith(names.join("::")));
}
