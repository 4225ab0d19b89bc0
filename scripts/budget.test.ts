import { expect, test } from "vitest";
import { budgetTable, judgeBudget } from "./budget.ts";

const results = {
  pairs: {
    one: { ratio: 0.95, kedgeRssMB: 64.1, firstRequestBytes: 8_112 },
    reread: { ratio: 0.6, prefixBroken: 0 },
  },
  run: { t100: { exitMs: 12 }, tui: { readyMs: null } },
};

test("a figure at its limit is in it, one above is over, and what was not run is said", () => {
  const verdicts = new Map(judgeBudget(results).map(({ name, verdict }) => [name, verdict]));
  expect(verdicts.get("one-shot answer, whole process")).toBe("ok");
  expect(verdicts.get("peak memory of a one-shot")).toBe("OVER");
  expect(verdicts.get("the same, prefixes broken")).toBe("ok");
  expect(verdicts.get("100 turns, last answer until exit")).toBe("ok");
  expect(verdicts.get("terminal UI ready")).toBe("not measured");
  expect(verdicts.get("--version")).toBe("not measured");
});

test("the table shows what was before, what is now, the limit and the verdict", () => {
  const lines = budgetTable(judgeBudget(results)).split("\n");
  expect(lines[0]).toMatch(/^measure +before +now +limit$/);
  expect(lines.find((line) => line.startsWith("first request"))).toMatch(
    /8,120 bytes +8,112 bytes +<= 8,192 bytes +ok$/,
  );
});
