/** Finds tests that prove less after a change: assertions and cases that are gone, skipped or loosened. */
import { countLines, type HunkCode } from "./diff-code.ts";
import type { Evidence } from "./signals.ts";

type Balance = { cases: number; assertions: number; skips: number; loosened: number };

/** Judged over the whole call, so that tests which only move from one place to another lose nothing. */
export function findWeakenedTests(hunks: readonly HunkCode[]): readonly Evidence[] {
  const balance: Balance = { cases: 0, assertions: 0, skips: 0, loosened: 0 };
  for (const { tests, language } of hunks) {
    const gained = (pattern: RegExp) => countLines(tests, "added", pattern) - countLines(tests, "removed", pattern);
    balance.cases += gained(language.testCase);
    balance.assertions += gained(language.assertion);
    balance.skips += gained(language.skip);
    const exact = gainedExactly({ tests, language });
    if (exact.equality < 0 && exact.loose > 0) balance.loosened += 1;
  }
  const found: Evidence[] = [];
  // The assertions of a case that is gone went with it.
  if (balance.cases < 0) found.push({ signal: "testRemoved", why: `${count(-balance.cases, "test case")} removed` });
  else if (balance.assertions < 0)
    found.push({ signal: "checkWeakened", why: `${count(-balance.assertions, "assertion")} removed` });
  if (balance.skips > 0) found.push({ signal: "checkWeakened", why: `${count(balance.skips, "skip marker")} added` });
  if (balance.loosened > 0) {
    found.push({ signal: "assertionLoosened", why: "an equality became a range, a truthiness or a part of the value" });
  }
  return found;
}

/** A line that compares for equality with something that many values meet is loose. */
function gainedExactly({ tests, language }: Pick<HunkCode, "tests" | "language">) {
  let equality = 0;
  let loose = 0;
  for (const { kind, text } of tests) {
    if (kind === "context") continue;
    const step = kind === "added" ? 1 : -1;
    if (language.loose.test(text)) loose += step;
    else if (language.equality.test(text)) equality += step;
  }
  return { equality, loose };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
