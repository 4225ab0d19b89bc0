/** Ends a run of the tests with its counts, and with a command for each failed test that runs it alone. */
import { relative } from "node:path";

/** What is used of vitest's own types, so that a run without failures loads nothing of it. */
type TestCase = {
  readonly fullName: string;
  readonly module: { readonly moduleId: string };
  /** `note` is why a test left itself out. */
  result(): { readonly state: string; readonly note?: string | undefined };
};
type TestModule = {
  readonly moduleId: string;
  readonly children: { allTests(): Iterable<TestCase> };
  errors(): readonly unknown[];
};

export type TestSummaryOptions = {
  readonly root: string;
  /** Random tests draw from it: the same seed gives the same cases. */
  readonly seed: string;
  readonly write: (text: string) => void;
};

/** A reporter of vitest. */
export function createTestSummary(options: TestSummaryOptions) {
  return {
    onTestRunEnd(modules: readonly TestModule[]): void {
      options.write(summaryOf(modules, options));
    },
  };
}

export function summaryOf(modules: readonly TestModule[], { root, seed }: TestSummaryOptions): string {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const failed = tests.filter((test) => test.result().state === "failed");
  const passed = tests.filter((test) => test.result().state === "passed").length;
  // A file that could not be loaded, or whose set-up failed, has no failed test.
  const broken = modules.filter((module) => module.errors().length > 0);
  const commands = [
    ...broken.map(({ moduleId }) => commandFor(relative(root, moduleId), seed)),
    ...failed.map(({ module, fullName }) => commandFor(relative(root, module.moduleId), seed, fullName)),
  ];
  const skipped = tests.length - passed - failed.length;
  const counts = `${passed} passed, ${failed.length + broken.length} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  const reasons = tests.flatMap((test) => {
    const { state, note } = test.result();
    return state === "skipped" && note !== undefined ? [`skipped: ${test.fullName} (${note})`] : [];
  });
  return [
    ...(commands.length > 0 ? ["", "To run a failed test alone:", ...commands.map((command) => `  ${command}`)] : []),
    "",
    ...reasons,
    `seed ${seed}`,
    counts,
    "",
  ].join("\n");
}

function commandFor(path: string, seed: string, name?: string): string {
  const filter = name === undefined ? "" : ` -t ${quoted(`^${escaped(name)}$`)}`;
  return `KEDGE_TEST_SEED=${seed} ./test ${path}${filter}`;
}

/** `-t` takes a pattern that is matched against the names of the groups and of the test. */
function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
