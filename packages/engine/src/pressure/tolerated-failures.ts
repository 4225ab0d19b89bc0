/** Finds changes after which a failure goes unseen: swallowed errors, ignored exit codes, raised limits. */
import type { DiffFile, DiffLine } from "@kedge/protocol";
import { type ChangedSide, countLines, type HunkCode, sideText } from "./diff-code.ts";
import { testLimits, toleratedFailures } from "./language-patterns.ts";
import { criteriaLine, isCriteria, isTest } from "./path-kinds.ts";
import type { Evidence } from "./signals.ts";

export function findSwallowed(hunks: readonly HunkCode[]): readonly Evidence[] {
  for (const { path, language, tests, implementation } of hunks) {
    const lines = [...implementation, ...tests];
    if (language.swallow.test(sideText(lines, "added")) && !language.swallow.test(sideText(lines, "removed"))) {
      return [{ signal: "checkWeakened", why: `${path} swallows exceptions` }];
    }
  }
  for (const { path, language, tests, isNewFile } of hunks) {
    if (isNewFile) continue;
    if (countLines(tests, "added", language.broadCatch) > countLines(tests, "removed", language.broadCatch)) {
      return [{ signal: "failureTolerated", why: `${path} catches every exception` }];
    }
  }
  return [];
}

/** A new file raises nothing: it has to begin with some limit. */
export function findTolerated(files: readonly DiffFile[]): readonly Evidence[] {
  for (const { oldPath, hunks } of files) {
    if (oldPath === undefined) continue;
    const only = criteriaLine(oldPath);
    if (only === undefined && !isTest(oldPath) && !isCriteria(oldPath)) continue;
    for (const hunk of hunks) {
      const lines = only === undefined ? hunk.lines : hunk.lines.filter(({ text }) => only.test(text));
      const what = toleratedBy(lines) ?? raisedLimit(lines);
      if (what !== undefined) return [{ signal: "failureTolerated", why: `${oldPath}: ${what}` }];
    }
  }
  return [];
}

function toleratedBy(lines: readonly DiffLine[]): string | undefined {
  return toleratedFailures.find(({ line }) => countLines(lines, "added", line) > countLines(lines, "removed", line))
    ?.what;
}

function raisedLimit(lines: readonly DiffLine[]): string | undefined {
  for (const { line, what, countsWhenNew } of testLimits) {
    const highest = (side: ChangedSide) => {
      const numbers = lines.filter((each) => each.kind === side).map(({ text }) => line.exec(text)?.groups?.["number"]);
      return Math.max(-1, ...numbers.map((number) => (number === undefined ? -1 : Number(number.replaceAll("_", "")))));
    };
    const [before, after] = [highest("removed"), highest("added")];
    if (after > before && after > 0 && (before >= 0 || countsWhenNew)) return `${what} raised to ${after}`;
  }
  return undefined;
}
