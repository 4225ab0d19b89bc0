/** How test runners print: one row per runner, patterns of single lines with the groups `file`, `name` and `value`. */

export type RunnerFormat = {
  readonly runner: "vitest" | "jest" | "pytest" | "unittest" | "go" | "cargo" | "node";
  /** Lines that only this runner prints, at its end or beginning. */
  readonly recognise: RegExp;
  /** At least one test passed, wherever it is said. */
  readonly anyPassed: RegExp;
  /** At least one test failed, named or not: what is piped through `tail` often has only the count. */
  readonly anyFailed: RegExp;
  readonly failed: readonly RegExp[];
  readonly passed: readonly RegExp[];
  /** A file or package without a failure. */
  readonly passedFile: readonly RegExp[];
  readonly skipped: readonly RegExp[];
  /** Sets the file of the failures and passes on the lines below. */
  readonly file?: RegExp;
  readonly expected: readonly RegExp[];
};

/** What follows a line of dashes and pluses: the first removed line of a comparison is the expected value. */
const comparison = /^\s*- (?!Expected\b)(?<value>\S.*?),?$/;

export const runnerFormats: readonly RunnerFormat[] = [
  {
    runner: "vitest",
    recognise: /^ *Test Files +\d+ (?:failed|passed|skipped)|^No test files found/m,
    anyPassed: /^ *Tests +.*\b[1-9]\d* passed\b/m,
    anyFailed: /^ *(?:Test Files|Tests) +.*\b[1-9]\d* failed\b/m,
    failed: [/^ *FAIL +(?:\|?[\w@/-]+\|? +)?(?<file>\S+\.\w+)(?: \[ .* \]| > (?<name>.+))$/],
    passed: [/^ *✓ +(?:\|?[\w@/-]+\|? +)?(?<file>\S+\.\w+) > (?<name>.+?)(?: +\d+ ?ms)?$/],
    passedFile: [/^ *✓ +(?:\|?[\w@/-]+\|? +)?(?<file>\S+\.\w+) \(\d+ tests?\)/],
    skipped: [/^ *↓ +(?:\|?[\w@/-]+\|? +)?(?<file>\S+\.\w+)(?: > (?<name>.+))?/],
    expected: [
      /^ *Expected: +(?<value>.+)$/,
      /^AssertionError: expected .+ to (?:be|equal|deeply equal|strictly equal) (?<value>.+?)(?: \/\/ .*)?$/,
      comparison,
    ],
  },
  {
    runner: "jest",
    recognise: /^Test Suites: +\d|^Tests: +\d+ (?:failed|passed|skipped|todo)/m,
    anyPassed: /^Tests: +.*\b[1-9]\d* passed\b/m,
    anyFailed: /^(?:Test Suites|Tests): +.*\b[1-9]\d* failed\b/m,
    file: /^(?:FAIL|PASS) +(?:\S+ +)?(?<file>\S+\.\w+)/,
    failed: [/^ *● (?!Console\b)(?<name>.+)$/],
    passed: [/^ +[✓√] (?<name>.+?)(?: \(\d+(?:\.\d+)? m?s\))?$/],
    passedFile: [/^PASS +(?:\S+ +)?(?<file>\S+\.\w+)/],
    skipped: [/^ +○ (?:skipped )?(?<name>.+)$/],
    expected: [/^ *Expected(?: \w+)?: +(?<value>.+)$/, comparison],
  },
  {
    runner: "pytest",
    recognise:
      /^=+ test session starts =+$|^=* ?(?:\d+ \w+, )*\d+ (?:failed|passed|skipped|errors?|xfailed|deselected)(?:, \d+ \w+)* in [\d.]+s/m,
    anyPassed: /\b[1-9]\d* passed\b/,
    anyFailed: /\b[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s/,
    failed: [
      /^(?:FAILED|ERROR) (?<file>[^\s:]+\.py)(?:::(?<name>.+?))?(?: - .*)?$/,
      /^(?<file>[^\s:]+\.py)::(?<name>.+?) (?:FAILED|ERROR)\b/,
    ],
    passed: [/^(?<file>[^\s:]+\.py)::(?<name>.+?) PASSED\b/, /^PASSED (?<file>[^\s:]+\.py)::(?<name>.+)$/],
    passedFile: [/^(?<file>\S+\.py) \.+ +\[ *\d+%\]$/],
    skipped: [/^(?<file>[^\s:]+\.py)::(?<name>.+?) (?:SKIPPED|XFAIL)\b/],
    expected: [/^E +(?:AssertionError: )?assert .+? == (?<value>.+)$/, /^E +AssertionError: .+? != (?<value>.+)$/],
  },
  {
    runner: "unittest",
    recognise: /^Ran \d+ tests? in [\d.]+s$/m,
    anyPassed: /^Ran [1-9]\d* tests? in/m,
    anyFailed: /^FAILED \(/m,
    failed: [/^(?:FAIL|ERROR): (?<name>\S+ \([\w.]+\))/],
    passed: [/^(?<name>\w+ \([\w.]+\)) \.\.\. ok$/],
    passedFile: [],
    skipped: [/^(?<name>\w+ \([\w.]+\)) \.\.\. skipped/],
    expected: [/^AssertionError: .+? != (?<value>.+?)(?: : .*)?$/],
  },
  {
    runner: "go",
    recognise: /^(?:ok|FAIL) *\t\S+(?:\t| \[)|^ *--- (?:PASS|FAIL|SKIP): \S/m,
    anyPassed: /^ok +\t\S+\t(?!.*\[no tests to run\])|^ *--- PASS:/m,
    anyFailed: /^(?:FAIL|--- FAIL:)/m,
    failed: [/^ *--- FAIL: (?<name>\S+)/, /^FAIL\t(?<file>\S+) \[(?:build|setup) failed\]/],
    passed: [/^ *--- PASS: (?<name>\S+)/],
    passedFile: [/^ok +\t(?<file>\S+)\t/],
    skipped: [/^ *--- SKIP: (?<name>\S+)/],
    expected: [
      /\b(?:want(?:ed)?|expected)\b[ :=]+(?<value>"(?:[^"\\]|\\.)*"|\[[^\]]*\]|-?[\w.]+)/i,
      /^\s*expected: (?<value>.+)$/,
    ],
  },
  {
    runner: "cargo",
    recognise: /^test result: (?:ok|FAILED)\.|^running \d+ tests?$/m,
    anyPassed: /^test result: .*\b[1-9]\d* passed\b/m,
    anyFailed: /^test result: FAILED/m,
    failed: [/^test (?<name>\S+)(?: - .*)? \.\.\. FAILED$/, /^---- (?<name>\S+) stdout ----$/],
    passed: [/^test (?<name>\S+)(?: - .*)? \.\.\. ok$/],
    passedFile: [],
    skipped: [/^test (?<name>\S+)(?: - .*)? \.\.\. ignored/],
    // Both orders of the two arguments are in use.
    expected: [/^ *(?:left|right): (?<value>.+)$/],
  },
  {
    runner: "node",
    recognise: /^(?:ℹ|#) tests \d+$/m,
    anyPassed: /^(?:ℹ|#) pass [1-9]/m,
    anyFailed: /^(?:ℹ|#) fail [1-9]/m,
    failed: [/^ *✖ (?!failing tests:)(?<name>.+?)(?: \([\d.]+ms\))?$/, /^ *not ok \d+ - (?!.* # todo\b)(?<name>.+?)$/i],
    passed: [/^ *✔ (?<name>.+?)(?: \([\d.]+ms\))?$/, /^ *ok \d+ - (?<name>[^#]+?)$/],
    passedFile: [],
    skipped: [/^ *﹣ (?<name>.+?)(?: \([\d.]+ms\))?(?: #.*)?$/, /^ *(?:not )?ok \d+ - (?<name>.+?) # (?:skip|todo)\b/i],
    expected: [/^ *expected: (?<value>.+?),?$/],
  },
];
