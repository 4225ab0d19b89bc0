/** Ends a run of the tests with its counts, its slowest files, and a command for each failed test that runs it alone. */
import { appendFileSync } from "node:fs";
import { relative } from "node:path";

/** What is used of vitest's own types, so that a run without failures loads nothing of it. */
type TestCase = {
  readonly fullName: string;
  readonly module: { readonly moduleId: string; readonly relativeModuleId: string };
  /** `note` is why a test left itself out. */
  result(): { readonly state: string; readonly note?: string | undefined };
  /** `flaky` when it failed and then passed. */
  diagnostic(): { readonly flaky: boolean } | undefined;
};
type TestModule = {
  readonly moduleId: string;
  readonly relativeModuleId: string;
  diagnostic(): { readonly collectDuration: number; readonly duration: number };
  readonly children: { allTests(): Iterable<TestCase> };
  errors(): readonly unknown[];
};

export type TestSummaryOptions = {
  readonly root: string;
  /** Random tests draw from it: the same seed gives the same cases. */
  readonly seed: string;
  /** Which tests run, and how often random ones repeat. */
  readonly tier: string;
  readonly write: (text: string) => void;
  /** A file that collects the commands of several runs. */
  readonly failuresFile?: string | undefined;
};

/** A reporter of vitest. */
export function createTestSummary(options: TestSummaryOptions) {
  return {
    onTestRunEnd(modules: readonly TestModule[]): void {
      const commands = commandsFor(modules, options);
      options.write(summaryOf(modules, commands, options.seed));
      if (options.failuresFile !== undefined)
        appendFileSync(options.failuresFile, commands.map((command) => `${command}\n`).join(""));
    },
  };
}

/** One for each failed test, and for each file that could not be loaded or set up, which has no failed test. */
function commandsFor(modules: readonly TestModule[], { root, ...draw }: TestSummaryOptions): readonly string[] {
  const broken = modules.filter((module) => module.errors().length > 0);
  const failed = testsOf(modules).filter((test) => test.result().state === "failed");
  return [
    ...broken.map(({ moduleId }) => commandFor(relative(root, moduleId), draw)),
    ...failed.map(({ module, fullName }) => commandFor(relative(root, module.moduleId), draw, fullName)),
  ];
}

function testsOf(modules: readonly TestModule[]): readonly TestCase[] {
  return modules.flatMap((module) => [...module.children.allTests()]);
}

function summaryOf(modules: readonly TestModule[], commands: readonly string[], seed: string): string {
  const tests = testsOf(modules);
  const passed = tests.filter((test) => test.result().state === "passed").length;
  const failed = tests.filter((test) => test.result().state === "failed").length;
  const skipped = tests.length - passed - failed;
  const counts = `${passed} passed, ${commands.length} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  const reasons = tests.flatMap((test) => {
    const { state, note } = test.result();
    return state === "skipped" && note !== undefined ? [`skipped: ${test.fullName} (${note})`] : [];
  });
  const unsteady = tests.filter((test) => test.diagnostic()?.flaky === true);
  return [
    ...(commands.length > 0 ? ["", "To run a failed test alone:", ...commands.map((command) => `  ${command}`)] : []),
    ...slowestOf(modules),
    "",
    ...reasons,
    ...unsteady.map(
      ({ module, fullName }) => `unsteady: ${module.relativeModuleId} > ${fullName} (passed when repeated)`,
    ),
    `seed ${seed}`,
    counts,
    "",
  ].join("\n");
}

const slowestMax = 10;

/** Nothing where so few files ran that vitest's own lines say it. */
function slowestOf(modules: readonly TestModule[]): readonly string[] {
  if (modules.length <= slowestMax) return [];
  const timed = modules.map((module) => {
    const { collectDuration, duration } = module.diagnostic();
    return { path: module.relativeModuleId, seconds: (collectDuration + duration) / 1_000 };
  });
  const slowest = timed.toSorted((left, right) => right.seconds - left.seconds).slice(0, slowestMax);
  const lines = slowest.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}`);
  return ["", `The ${slowestMax} slowest of ${modules.length} files:`, ...lines];
}

function commandFor(path: string, { seed, tier }: Pick<TestSummaryOptions, "seed" | "tier">, name?: string): string {
  const filter = name === undefined ? "" : ` -t ${quoted(`^${escaped(name)}$`)}`;
  // Without it the file may not run at all, or with fewer random cases.
  const option = tier === "long" ? " --long" : "";
  return `KEDGE_TEST_SEED=${seed} ./test${option} ${path}${filter}`;
}

/** `-t` takes a pattern that is matched against the names of the groups and of the test. */
function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
