/** What `npm run bench` measures, what it was before, and what it must not exceed; and the verdict on each. */

export type BudgetRow = {
  readonly name: string;
  /** Where the figure stands in the results: the file, then the names inside. */
  readonly path: readonly [BudgetSource, ...string[]];
  /** `x`: a ratio to the bare agent, of medians over alternating rounds. */
  readonly unit: "x" | "ms" | "MB" | "bytes" | "requests";
  readonly before: number;
  readonly max: number;
};

/** `pairs`: the bare agent and kedge in turn. `run`: kedge alone. */
export type BudgetSource = "pairs" | "run";

export const budget: readonly BudgetRow[] = [
  { name: "--version", path: ["pairs", "version", "ratio"], unit: "x", before: 0.91, max: 1 },
  { name: "one-shot answer, whole process", path: ["pairs", "one", "ratio"], unit: "x", before: 1.04, max: 0.95 },
  { name: "peak memory of a one-shot", path: ["pairs", "one", "kedgeRssMB"], unit: "MB", before: 68.5, max: 64 },
  { name: "first request", path: ["pairs", "one", "firstRequestBytes"], unit: "bytes", before: 8_120, max: 8_192 },
  { name: "turn of 100, median", path: ["pairs", "t100", "ratio"], unit: "x", before: 0.74, max: 0.65 },
  { name: "turn of 100, 95th percentile", path: ["pairs", "t100", "p95"], unit: "x", before: 0.68, max: 0.7 },
  { name: "first ten turns of a process", path: ["pairs", "t100", "first10"], unit: "x", before: 1.12, max: 0.8 },
  { name: "five files read 150 times", path: ["pairs", "reread", "ratio"], unit: "x", before: 1.04, max: 0.7 },
  {
    name: "the same, prefixes broken",
    path: ["pairs", "reread", "prefixBroken"],
    unit: "requests",
    before: 139,
    max: 0,
  },
  { name: "2 MB answer, CPU", path: ["pairs", "stream", "ratio"], unit: "x", before: 0.5, max: 0.55 },
  { name: "2 MB answer, peak memory", path: ["pairs", "stream", "kedgeRssMB"], unit: "MB", before: 107, max: 105 },
  { name: "100 turns, last answer until exit", path: ["run", "t100", "exitMs"], unit: "ms", before: 75, max: 30 },
  { name: "terminal UI ready", path: ["run", "tui", "readyMs"], unit: "ms", before: 119, max: 150 },
];

export type Verdict = "ok" | "OVER" | "not measured";

export type JudgedRow = BudgetRow & { readonly measured: number | undefined; readonly verdict: Verdict };

/** `results` by source, as they were read from the files. A row whose scenario was not run is not measured. */
export function judgeBudget(results: { readonly [source in BudgetSource]: unknown }): readonly JudgedRow[] {
  return budget.map((row) => {
    const [source, ...names] = row.path;
    const measured = numberAt(results[source], names);
    const verdict = measured === undefined ? "not measured" : measured <= row.max ? "ok" : "OVER";
    return { ...row, measured, verdict };
  });
}

export function budgetTable(rows: readonly JudgedRow[]): string {
  const cells = rows.map(({ name, unit, before, max, measured, verdict }) => {
    const show = (value: number | undefined) =>
      value === undefined ? "-" : `${value.toLocaleString("en-US")} ${unit}`;
    return [name, show(before), show(measured), `<= ${show(max)}`, verdict];
  });
  const all = [["measure", "before", "now", "limit", ""], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

function numberAt(value: unknown, names: readonly string[]): number | undefined {
  let found = value;
  for (const name of names) {
    if (typeof found !== "object" || found === null) return undefined;
    found = Object.entries(found).find(([key]) => key === name)?.[1];
  }
  return typeof found === "number" ? found : undefined;
}
