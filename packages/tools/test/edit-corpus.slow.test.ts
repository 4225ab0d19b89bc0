// Proves on hundreds of slips that models make that an edit lands where it was meant, or nowhere.
import { expect, test } from "vitest";
import { planReplacement } from "../src/editing/edit-matching/plan-replacement.ts";
import type { EditCase } from "./edit-corpus/edit-case.ts";
import { generateCases } from "./edit-corpus/generate-cases.ts";

const seed = 20_260_101;
const casesMin = 1_200;
const appliedShareMin = 0.9;

type Verdict = "applied correctly" | "refused with a hint" | "applied wrongly";

type Tally = { cases: number; unambiguous: number; right: number; refused: number; wrong: number; baseline: number };

test("an edit lands where it was meant or nowhere, over the whole corpus", () => {
  const cases = generateCases(seed);
  const tallies = new Map<string, Tally>();
  const wrong: Pick<EditCase, "mutation" | "source" | "oldString" | "newString">[] = [];
  for (const editCase of cases) {
    const tally = tallies.get(editCase.mutation) ?? emptyTally();
    tallies.set(editCase.mutation, tally);
    const verdict = judge(editCase, { fuzzy: true });
    const baseline = judge(editCase, { fuzzy: false });
    tally.cases += 1;
    if (editCase.unambiguous) tally.unambiguous += 1;
    if (verdict === "applied correctly") tally.right += editCase.unambiguous ? 1 : 0;
    if (verdict === "refused with a hint") tally.refused += 1;
    if (verdict === "applied wrongly") {
      tally.wrong += 1;
      const { mutation, source, oldString, newString } = editCase;
      wrong.push({ mutation, source, oldString, newString });
    }
    if (editCase.unambiguous && baseline === "applied correctly") tally.baseline += 1;
  }
  const total = [...tallies.values()].reduce(addTallies, emptyTally());
  console.log(formatTable([...tallies, ["all", total]]));
  expect(cases.length).toBeGreaterThanOrEqual(casesMin);
  expect(wrong).toEqual([]);
  expect(total.right / total.unambiguous).toBeGreaterThanOrEqual(appliedShareMin);
});

function judge(editCase: EditCase, { fuzzy }: { readonly fuzzy: boolean }): Verdict {
  const planned = planReplacement(editCase.text, editCase, { filePath: editCase.source, fuzzy });
  if (planned.ok) return planned.after === editCase.intent ? "applied correctly" : "applied wrongly";
  expect(planned.problem).toMatch(/exactly|lines \d|Write out all lines/);
  return "refused with a hint";
}

function emptyTally(): Tally {
  return { cases: 0, unambiguous: 0, right: 0, refused: 0, wrong: 0, baseline: 0 };
}

function addTallies(left: Tally, right: Tally): Tally {
  return {
    cases: left.cases + right.cases,
    unambiguous: left.unambiguous + right.unambiguous,
    right: left.right + right.right,
    refused: left.refused + right.refused,
    wrong: left.wrong + right.wrong,
    baseline: left.baseline + right.baseline,
  };
}

function formatTable(rows: readonly (readonly [string, Tally])[]): string {
  const header = `seed ${seed}\n${"mutation".padEnd(58)} cases unambiguous right refused wrong exact-only`;
  const lines = rows.map(
    ([name, { cases, unambiguous, right, refused, wrong, baseline }]) =>
      `${name.padEnd(58)} ${String(cases).padStart(5)} ${String(unambiguous).padStart(11)} ${String(right).padStart(5)} ` +
      `${String(refused).padStart(7)} ${String(wrong).padStart(5)} ${String(baseline).padStart(10)}`,
  );
  return [header, ...lines].join("\n");
}
