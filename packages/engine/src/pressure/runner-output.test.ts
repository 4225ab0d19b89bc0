// The outputs are of real runs, shortened to what says something; those of jest and Go follow their printed formats.
import { expect, test } from "vitest";
import { parseTestRun, plainValue } from "./runner-output.ts";

test("vitest: a failing test is its file and its groups", () => {
  const output = [
    " ❯ slug.test.js (4 tests | 2 failed) 12ms",
    "     × joins words 7ms",
    " ✓ other.test.js (2 tests) 3ms",
    " FAIL  slug.test.js > slug > joins words",
    "AssertionError: expected 'a b' to be 'a-b' // Object.is equality",
    'Expected: "a-b"',
    'Received: "a b"',
    " FAIL  |parts| test/number.test.ts > number",
    "- Expected",
    "+ Received",
    "- 5",
    "+ 4",
    " Test Files  2 failed | 1 passed (3)",
    "      Tests  2 failed | 3 passed (5)",
  ].join("\n");
  expect(parseTestRun(output)).toEqual({
    runner: "vitest",
    anyPassed: true,
    anyFailed: true,
    failed: [
      { file: "slug.test.js", name: "slug > joins words" },
      { file: "test/number.test.ts", name: "number" },
    ],
    passed: [],
    passedFiles: ["other.test.js"],
    skipped: [],
    expected: ['"a-b"', "5"],
  });
});

test("vitest: colours say nothing", () => {
  const output =
    "\u001b[41m FAIL \u001b[49m a.test.js\u001b[2m > \u001b[22mworks\n\u001b[2m Test Files \u001b[22m 1 failed (1)\n";
  expect(parseTestRun(output)?.failed).toEqual([{ file: "a.test.js", name: "works" }]);
});

test("jest: the file stands above its tests", () => {
  const output = [
    "FAIL src/fizz.test.js",
    "  fizz",
    "    ✕ says Fizz (2 ms)",
    "    ✓ counts (1 ms)",
    "  ● fizz › says Fizz",
    '    Expected: "Fizz"',
    '    Received: "9"',
    "PASS src/other.test.js",
    "Test Suites: 1 failed, 1 passed, 2 total",
    "Tests:       1 failed, 1 passed, 2 total",
  ].join("\n");
  expect(parseTestRun(output)).toEqual({
    runner: "jest",
    anyPassed: true,
    anyFailed: true,
    failed: [{ file: "src/fizz.test.js", name: "fizz › says Fizz" }],
    passed: [{ file: "src/fizz.test.js", name: "counts" }],
    passedFiles: ["src/other.test.js"],
    skipped: [],
    expected: ['"Fizz"'],
  });
});

test("pytest: short summary, classes, parameters and expected values", () => {
  const output = [
    "test_price.py FF.F                                                      [100%]",
    "tests/test_ok.py ..                                                     [100%]",
    "E       assert 3.0 == 3.01",
    "E       AssertionError: assert ['a,b'] == ['a', 'b']",
    "FAILED test_price.py::TestTotal::test_rounds - assert 3.0 == 3.01",
    "FAILED test_price.py::test_parse - AssertionError: assert ['a,b'] == ['...",
    "FAILED test_price.py::test_square[2-4] - assert (2 + 0) == 4",
    "========================= 3 failed, 3 passed in 0.74s ==========================",
  ].join("\n");
  expect(parseTestRun(output)).toEqual({
    runner: "pytest",
    anyPassed: true,
    anyFailed: true,
    failed: [
      { file: "test_price.py", name: "TestTotal::test_rounds" },
      { file: "test_price.py", name: "test_parse" },
      { file: "test_price.py", name: "test_square[2-4]" },
    ],
    passed: [],
    passedFiles: ["tests/test_ok.py"],
    skipped: [],
    expected: ["3.01", '["a","b"]'],
  });
});

test("unittest: name and class", () => {
  const output =
    "FAIL: test_total (tests.Price.test_total)\nAssertionError: 3.4 != 3.37\nRan 2 tests in 0.001s\n\nFAILED (failures=1)";
  expect(parseTestRun(output)).toMatchObject({
    runner: "unittest",
    failed: [{ name: "test_total (tests.Price.test_total)" }],
    expected: ["3.37"],
  });
});

test("go test: subtests, passes and what was wanted", () => {
  const output = [
    "--- FAIL: TestSplit (0.00s)",
    "    --- FAIL: TestSplit/wide (0.00s)",
    '        split_test.go:19: Split("one  two") = "one", want "one two"',
    "--- PASS: TestJoin (0.00s)",
    "--- SKIP: TestSlow (0.00s)",
    "FAIL",
    "FAIL\texample.org/split\t0.003s",
    "ok  \texample.org/other\t0.002s",
  ].join("\n");
  expect(parseTestRun(output)).toEqual({
    runner: "go",
    anyPassed: true,
    anyFailed: true,
    failed: [{ name: "TestSplit" }, { name: "TestSplit/wide" }],
    passed: [{ name: "TestJoin" }],
    passedFiles: ["example.org/other"],
    skipped: [{ name: "TestSlow" }],
    expected: ['"one two"'],
  });
});

test("go test: a package that does not build fails as a whole", () => {
  const output = "./split.go:6:17: undefined: strings.Field\nFAIL\texample.org/split [build failed]\nFAIL\n";
  expect(parseTestRun(output)?.failed).toEqual([{ file: "example.org/split", name: "(whole file)" }]);
});

test("cargo test: verbose and quiet", () => {
  const result = "test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out";
  const details = ["---- tests::four stdout ----", '  left: "IIII"', ' right: "IV"', result];
  const verbose = [
    "running 3 tests",
    "test tests::small ... ok",
    "test tests::slow ... ignored",
    "test tests::four ... FAILED",
  ];
  expect(parseTestRun([...verbose, ...details].join("\n"))).toEqual({
    runner: "cargo",
    anyPassed: true,
    anyFailed: true,
    failed: [{ name: "tests::four" }],
    passed: [{ name: "tests::small" }],
    passedFiles: [],
    skipped: [{ name: "tests::slow" }],
    expected: ['"IIII"', '"IV"'],
  });
  expect(parseTestRun(["running 3 tests", ".iF", ...details].join("\n"))?.failed).toEqual([{ name: "tests::four" }]);
});

test("node: both reporters", () => {
  const spec =
    "✖ adds (1.5ms)\n✔ fine (0.1ms)\nℹ tests 2\nℹ pass 1\nℹ fail 1\n\n✖ failing tests:\n✖ adds (1.5ms)\n    expected: 3,\n";
  const tap = "TAP version 13\nnot ok 1 - adds\n  expected: 3\nok 2 - fine\n# tests 2\n# pass 1\n# fail 1\n";
  const run = {
    runner: "node",
    anyPassed: true,
    anyFailed: true,
    failed: [{ name: "adds" }],
    passed: [{ name: "fine" }],
    passedFiles: [],
    skipped: [],
    expected: ["3"],
  };
  expect(parseTestRun(spec)).toEqual(run);
  expect(parseTestRun(tap)).toEqual(run);
  expect(parseTestRun(`ok 3 - slow # SKIP\nnot ok 4 - later # todo\n${tap}`)).toEqual({
    ...run,
    skipped: [{ name: "slow" }, { name: "later" }],
  });
});

test("a count without names still says that something failed", () => {
  expect(parseTestRun("2 failed, 3 passed in 0.41s")).toMatchObject({ anyFailed: true, failed: [] });
});

test("an output of no runner is none, and a long one is read at both ends", () => {
  expect(parseTestRun("total 12\n-rw-r--r-- 1 a.test.js\n")).toBeUndefined();
  const long = ` FAIL  a.test.js > first\n${"noise\n".repeat(50_000)} Test Files  1 failed (1)\n`;
  expect(parseTestRun(long)?.failed).toEqual([{ file: "a.test.js", name: "first" }]);
});

test("a value is the same in every language", () => {
  expect(["'a'", '"a"', "`a`;"].map(plainValue)).toEqual(['"a"', '"a"', '"a"']);
  expect(plainValue("[ 'a', 'b' ]")).toBe(plainValue('["a","b"]'));
});
