/** Reads from the output of a command which tests failed and passed, and which values the failing ones expected. */
import { isJsonObject } from "@kedge/protocol";
import { type RunnerFormat, runnerFormats } from "./runner-formats.ts";

export type TestRun = {
  /** `grader`: kedge itself ran it. */
  readonly runner: RunnerFormat["runner"] | "grader";
  readonly anyPassed: boolean;
  /** True also when the output does not name the tests. */
  readonly anyFailed: boolean;
  readonly failed: readonly TestIdentity[];
  readonly passed: readonly TestIdentity[];
  /** Files or packages without a failure. */
  readonly passedFiles: readonly string[];
  readonly skipped: readonly TestIdentity[];
  /** What failing tests expected, as `plainValue` writes it. */
  readonly expected: readonly string[];
};

/** The same for the same test in every run of the same runner. */
export type TestIdentity = { readonly file?: string; readonly name: string };

/** Of an output only its head and its tail are read. */
const outputCharactersMax = 64 * 1024;
const lineCharactersMax = 1_000;
const expectedMax = 50;
const valueCharactersMax = 300;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of terminals begin with one
const colours = /\u001b\[[\d;]*[A-Za-z]/g;

/** Undefined if no known runner printed this. */
export function parseTestRun(output: string): TestRun | undefined {
  const text = bounded(output).replace(colours, "").replaceAll("\r\n", "\n");
  const format = runnerFormats.find(({ recognise }) => recognise.test(text));
  if (format === undefined) return undefined;
  const failed = new Map<string, TestIdentity>();
  const passed = new Map<string, TestIdentity>();
  const skipped = new Map<string, TestIdentity>();
  const passedFiles = new Set<string>();
  const expected = new Set<string>();
  let file: string | undefined;
  for (const line of text.split("\n")) {
    if (line === "" || line.length > lineCharactersMax) continue;
    file = format.file?.exec(line)?.groups?.["file"] ?? file;
    collect(failed, format.failed, { line, file });
    collect(passed, format.passed, { line, file });
    collect(skipped, format.skipped, { line, file });
    const passedFile = firstGroup(format.passedFile, line, "file");
    if (passedFile !== undefined) passedFiles.add(passedFile);
    const value = firstGroup(format.expected, line, "value");
    if (value !== undefined && value.length <= valueCharactersMax && expected.size < expectedMax)
      expected.add(plainValue(value));
  }
  return {
    runner: format.runner,
    anyPassed: format.anyPassed.test(text),
    anyFailed: failed.size > 0 || format.anyFailed.test(text),
    failed: [...failed.values()],
    // Some runners name a group both as failed and as passed; the failure counts.
    passed: [...passed].filter(([key]) => !failed.has(key)).map(([, test]) => test),
    passedFiles: [...passedFiles],
    skipped: [...skipped.values()],
    expected: failed.size === 0 ? [] : [...expected],
  };
}

/** What a tool says that it tested itself; undefined where it tested nothing. */
export function readGrades(value: unknown): TestRun | undefined {
  if (!Array.isArray(value)) return undefined;
  const grades = value.filter(isGrade);
  if (grades.length === 0) return undefined;
  const [passed, failed] = [true, false].map((wanted) =>
    grades.filter(({ isPassed }) => isPassed === wanted).map(({ file, name }) => ({ file, name })),
  ) as [TestIdentity[], TestIdentity[]];
  return {
    ...{ runner: "grader", passed, failed, anyPassed: passed.length > 0, anyFailed: failed.length > 0 },
    ...{ passedFiles: [], skipped: [], expected: [] },
  };
}

function isGrade(value: unknown): value is Required<TestIdentity> & { readonly isPassed: boolean } {
  if (!isJsonObject(value)) return false;
  const { file, name, isPassed } = value;
  return typeof file === "string" && typeof name === "string" && typeof isPassed === "boolean";
}

/** One text per test. */
export function identityKey({ file, name }: TestIdentity): string {
  return file === undefined ? name : `${file} > ${name}`;
}

/** A literal without what differs between languages: kind of quotes, spaces between elements, a closing semicolon. */
export function plainValue(literal: string): string {
  return literal
    .trim()
    .replace(/[;,]$/, "")
    .replace(/['`]/g, '"')
    .replace(/\s*([[\]{}(),:])\s*/g, "$1");
}

function bounded(output: string): string {
  if (output.length <= outputCharactersMax) return output;
  const half = outputCharactersMax / 2;
  return `${output.slice(0, half)}\n${output.slice(-half)}`;
}

function collect(
  found: Map<string, TestIdentity>,
  patterns: readonly RegExp[],
  { line, file }: { readonly line: string; readonly file: string | undefined },
): void {
  for (const pattern of patterns) {
    const groups = pattern.exec(line)?.groups;
    if (groups === undefined) continue;
    const place = groups["file"] ?? file;
    const name = (groups["name"] ?? "(whole file)").trim();
    const test: TestIdentity = { ...(place !== undefined && { file: place }), name };
    found.set(identityKey(test), test);
    return;
  }
}

function firstGroup(patterns: readonly RegExp[], line: string, group: string): string | undefined {
  for (const pattern of patterns) {
    const value = pattern.exec(line)?.groups?.[group];
    if (value !== undefined) return value;
  }
  return undefined;
}
