/** Shell commands judged by given rules alone: nothing runs silently that must not, and little is asked needlessly. */
import { expect, test } from "vitest";
import { type CaseAnswer, measure, readCases } from "./shell-cases-measure.ts";

const needlessShareMax = 0.02;
const categories = [
  "abbreviated-option",
  "baseline",
  "chaining",
  "cwd",
  "environment",
  "escalating-args",
  "parse",
  "quoting",
  "redirection",
  "substitution",
  "unicode",
  "wrapper",
];

const brief = ({ id, command, rules, expected, answer, reason }: CaseAnswer) => ({
  id,
  command,
  rules,
  expected,
  answer,
  reason,
});

test.each([
  ["../../sandbox/test/shell-cases.jsonl", 500],
  ["./shell-cases-held-out.jsonl", 1_400],
])("the verdicts of %s", (path, leastCount) => {
  const cases = readCases(path);
  const { silent, needless, other, allowCount, count } = measure(cases);
  console.log(
    `${path}: ${count} cases; ${silent.length} of ${count - allowCount} that must ask or deny were allowed; ` +
      `${needless.length} of ${allowCount} that must be allowed were not`,
  );
  expect(count).toBeGreaterThanOrEqual(leastCount);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(count);
  expect([...new Set(cases.map(({ category }) => category))].sort()).toEqual(categories);
  expect(silent.map(brief)).toEqual([]);
  expect(other.map(brief)).toEqual([]);
  if (needless.length / allowCount > needlessShareMax) expect(needless.map(brief)).toEqual([]);
});

test("most of the held-out cases are in no other set", () => {
  const key = ({ command, expected }: { readonly command: string; readonly expected: string }) =>
    `${expected} ${command}`;
  const known = new Set(readCases("../../sandbox/test/shell-cases.jsonl").map(key));
  const repeated = readCases("./shell-cases-held-out.jsonl").filter((one) => known.has(key(one)));
  console.log(`${repeated.length} commands are in both sets`);
  expect(repeated.length).toBeLessThan(200);
});
