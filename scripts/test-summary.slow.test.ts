/** What the end of a run says, and that its commands find the test they name. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

type RunOptions = {
  readonly words?: readonly string[];
  readonly times?: number;
  /** So many that hold the same. */
  readonly files?: number;
  readonly tier?: string;
};

/** With `times` several runs, and what they left in the file of failures behind what they wrote. */
function runTests(source: string, { words = [], times = 1, files = 1, tier = "slow" }: RunOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "kedge-summary-"));
  try {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    for (let file = 0; file < files; file += 1)
      writeFileSync(join(folder, file === 0 ? "sample.test.mjs" : `sample-${file}.test.mjs`), source);
    const config = `import { createTestSummary } from ${JSON.stringify(join(root, "scripts/test-summary.ts"))};
export default { test: { include: ["*.test.mjs"], reporters: [createTestSummary({ root: import.meta.dirname, seed: "7", tier: ${JSON.stringify(tier)}, write: (text) => process.stdout.write(text), failuresFile: "failures" })] } };`;
    writeFileSync(join(folder, "vitest.config.mjs"), config);
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const run = () => spawnSync(process.execPath, [vitest, "run", ...words], { cwd: folder, encoding: "utf8" }).stdout;
    const [written = ""] = Array.from({ length: times }, run);
    return { written, failures: readFileSync(join(folder, "failures"), "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const source = `import { describe, expect, test } from "vitest";
test("good", () => undefined);
describe("a group", () => {
  test("it's 1 + 1 (a?)", () => expect(1 + 1).toBe(3));
  test("it's 1 + 1 (a?) again", () => expect(1 + 1).toBe(3));
});`;

test("counts, the seed, and a command for each failed test", () => {
  expect(runTests(source).written).toBe(
    [
      "",
      "To run a failed test alone:",
      "  KEDGE_TEST_SEED=7 ./test sample.test.mjs -t '^a group > it'\\''s 1 \\+ 1 \\(a\\?\\)$'",
      "  KEDGE_TEST_SEED=7 ./test sample.test.mjs -t '^a group > it'\\''s 1 \\+ 1 \\(a\\?\\) again$'",
      "",
      "seed 7",
      "1 passed, 2 failed",
      "",
    ].join("\n"),
  );
});

test("the command runs that test and no other", () => {
  const pattern = execFileSync("sh", ["-c", "printf %s '^a group > it'\\''s 1 \\+ 1 \\(a\\?\\)$'"], {
    encoding: "utf8",
  });
  expect(runTests(source, { words: ["-t", pattern] }).written).toContain("0 passed, 1 failed, 2 skipped");
});

test("a file that cannot be loaded counts", () => {
  expect(runTests('throw new Error("broken");').written).toBe(
    "\nTo run a failed test alone:\n  KEDGE_TEST_SEED=7 ./test sample.test.mjs\n\nseed 7\n0 passed, 1 failed\n",
  );
});

test("the commands of several runs are collected in one file", () => {
  const command = "KEDGE_TEST_SEED=7 ./test sample.test.mjs\n";
  expect(runTests('throw new Error("broken");', { times: 2 }).failures).toBe(command + command);
});

test("where many files ran, the ten slowest are listed", () => {
  const { written } = runTests('import { test } from "vitest";\ntest("good", () => undefined);', { files: 12 });
  expect(written).toMatch(
    /^\nThe 10 slowest of 12 files:\n(?: +\d+\.\d s {2}sample(?:-\d+)?\.test\.mjs\n){10}\nseed 7\n12 passed/,
  );
});

test("a failure among the long tests is repeated among the long tests", () => {
  expect(runTests(source, { tier: "long" }).written).toContain("  KEDGE_TEST_SEED=7 ./test --long sample.test.mjs -t");
});

test("a test that passes only when it is repeated is named", () => {
  const unsteady = `import { expect, test } from "vitest";
let times = 0;
test("sometimes", { retry: 1 }, () => expect(times++).toBe(1));`;
  expect(runTests(unsteady).written).toBe(
    "\nunsteady: sample.test.mjs > sometimes (passed when repeated)\nseed 7\n1 passed, 0 failed\n",
  );
});
