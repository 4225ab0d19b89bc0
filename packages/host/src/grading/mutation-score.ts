/** Grades tests by mutants of the code they test: the share of small changes that make them fail. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Repository } from "@kedge/agents/worktrees";
import type { Mutant } from "@kedge/tools";
import { type GradedCopy, makeGradedCopy } from "./graded-copy.ts";
import { type GradedRun, type RunParts, runGraded } from "./graded-run.ts";
import { fileInside } from "./inside-copy.ts";
import { isBuildFailure } from "./setup-failures.ts";
import { writeNewer } from "./write-newer.ts";

export type MutationGrading = Omit<RunParts, "sandbox"> & {
  readonly repository: Repository;
  readonly dependencyFolders: readonly string[];
  /** Of its own for each copy, whose folder alone may be written. */
  readonly newSandbox: (directory: string) => RunParts["sandbox"];
  /** Relative to the root. */
  readonly target: string;
  readonly mutants: readonly Mutant[];
  /** What runs the tests. */
  readonly command: string;
  /** What must succeed for a mutant to count; a compiler refuses some. None without it. */
  readonly buildCommand?: string;
  readonly onProgress?: (done: number, all: number) => void;
};

export const verdictNames = ["killed", "survived", "timed-out", "invalid"] as const;

export type Verdict = (typeof verdictNames)[number];

export type GradedMutant = Omit<Mutant, "text"> & { readonly verdict: Verdict };

export type MutationCount = {
  /** Killed of valid; 0 where none is valid. */
  readonly score: number;
  readonly killed: number;
  readonly valid: number;
};

export type MutationGrade =
  | { readonly ok: true; readonly mutants: readonly GradedMutant[] }
  /** Nothing was graded. */
  | { readonly ok: false; readonly why: string };

const baselineRuns = 3;
const baselineTimeoutMs = 10 * 60_000;
const timeoutFactor = 3;
/** Starting a sandbox and a test runner varies by more than a quick suite takes. */
const timeoutMinMs = 5_000;
/** What a compiler says stands before what else is printed about it. */
const tailCharacters = 64 * 1024;

export async function gradeByMutants(grading: MutationGrading): Promise<MutationGrade> {
  const copies: (GradedCopy & { readonly sandbox: RunParts["sandbox"] })[] = [];
  try {
    const count = Math.max(1, Math.min(availableParallelism(), grading.mutants.length));
    for (let made = 0; made < count; made += 1) {
      const copy = await makeGradedCopy(grading.repository, grading.dependencyFolders);
      if (!copy.ok) return { ok: false, why: copy.failure.message };
      copies.push({ ...copy.value, sandbox: grading.newSandbox(copy.value.directory) });
    }
    const [first] = copies;
    if (first === undefined) return { ok: false, why: "Could not copy the project." };
    const baseline = await runBaseline(grading, first);
    if (!baseline.ok) return baseline;
    const mutants = await runMutants(grading, copies, baseline.durationMs);
    if (typeof mutants === "string") return { ok: false, why: mutants };
    return { ok: true, mutants };
  } finally {
    for (const copy of copies) {
      await copy.sandbox.close();
      copy.remove();
    }
  }
}

export function countVerdicts(mutants: readonly GradedMutant[]): MutationCount {
  const valid = mutants.filter(({ verdict }) => verdict !== "invalid").length;
  const killed = mutants.filter(({ verdict }) => verdict === "killed" || verdict === "timed-out").length;
  return { score: valid === 0 ? 0 : killed / valid, killed, valid };
}

type Copy = GradedCopy & { readonly sandbox: RunParts["sandbox"] };
type Baseline = { readonly ok: true; readonly durationMs: number } | { readonly ok: false; readonly why: string };

/** Tests that fail, vary or change what they test cannot grade anything. */
async function runBaseline(grading: MutationGrading, copy: Copy): Promise<Baseline> {
  const target = fileInside(copy.directory, grading.target);
  if (target === undefined)
    return { ok: false, why: `${grading.target} is a link that points outside the project. Name the file itself.` };
  const before = digestOf(target);
  let durationMs = 0;
  for (let run = 1; run <= baselineRuns; run += 1) {
    const place = { directory: copy.directory, timeoutMs: baselineTimeoutMs };
    const outcome = await runGraded({ ...grading, sandbox: copy.sandbox }, grading.command, place);
    if (!outcome.ok) return outcome;
    if (outcome.run.isTimedOut) return { ok: false, why: "The tests did not finish within ten minutes." };
    if (outcome.run.exitCode !== 0) return { ok: false, why: failedText(run, outcome.run) };
    if (fileInside(copy.directory, grading.target) !== target || digestOf(target) !== before)
      return { ok: false, why: changedText(grading) };
    durationMs = Math.max(durationMs, outcome.run.durationMs);
  }
  const objection = await objectionToText(grading, copy);
  return objection === undefined ? { ok: true, durationMs } : { ok: false, why: objection };
}

/** Tests that compare the text of a file notice every change of it, and say nothing about what it does. */
async function objectionToText(grading: MutationGrading, copy: Copy): Promise<string | undefined> {
  const target = fileInside(copy.directory, grading.target);
  if (target === undefined) return changedText(grading);
  const original = readFileSync(target);
  writeNewer(target, Buffer.concat([original, Buffer.from(`\n${commentFor(grading.target)}\n`)]));
  try {
    const place = { directory: copy.directory, timeoutMs: baselineTimeoutMs };
    const outcome = await runGraded({ ...grading, sandbox: copy.sandbox }, grading.command, place);
    if (!outcome.ok) return outcome.why;
    if (outcome.run.exitCode === 0) return undefined;
    const last = outcome.run.tail.trim().split("\n").slice(-5).join("\n");
    return `The tests check the text of ${grading.target}: they fail when a comment is added at its end. Name a command that only tests what it does.\n${last}`;
  } finally {
    restore(copy, grading.target, { path: target, original });
  }
}

function commentFor(target: string): string {
  return `${/\.pyi?$/.test(target) ? "#" : "//"} Added by kedge.`;
}

/** What ran meanwhile may have put a link in its place, which must not carry the text out of the copy. */
function restore({ directory }: Copy, target: string, { path, original }: { path: string; original: Buffer }): void {
  if (fileInside(directory, target) === path) writeNewer(path, original);
}

function changedText({ target }: MutationGrading): string {
  return `The tests change ${target}, which they are supposed to test.`;
}

function failedText(run: number, { tail, exitCode }: GradedRun): string {
  const last = tail.trim() === "" ? `exit code ${exitCode}` : tail.trim().split("\n").slice(-5).join("\n");
  const what = run === 1 ? "The tests fail on unchanged code" : `The tests are flaky: they failed in run ${run}`;
  return `${what}:\n${last}`;
}

/** All copies work side by side; each takes the next mutant that nobody has. A text says why none could be run. */
async function runMutants(
  grading: MutationGrading,
  copies: readonly Copy[],
  baselineMs: number,
): Promise<readonly GradedMutant[] | string> {
  const waiting = grading.mutants.entries();
  const graded: GradedMutant[] = [];
  let problem: string | undefined;
  const work = async (copy: Copy) => {
    for (const [index, { text, ...mutant }] of waiting) {
      if (problem !== undefined || grading.signal?.aborted) return;
      const verdict = await judge(grading, copy, text, baselineMs);
      if (typeof verdict === "object") problem = verdict.why;
      else graded[index] = { ...mutant, verdict };
      grading.onProgress?.(graded.filter(Boolean).length, grading.mutants.length);
    }
  };
  await Promise.all(copies.map(work));
  if (grading.signal?.aborted) return "Grading was canceled.";
  return problem ?? graded;
}

async function judge(
  grading: MutationGrading,
  copy: Copy,
  text: string,
  baselineMs: number,
): Promise<Verdict | { readonly why: string }> {
  const { directory, sandbox } = copy;
  const target = fileInside(directory, grading.target);
  if (target === undefined) return { why: changedText(grading) };
  const original = readFileSync(target);
  const timeoutMs = Math.max(timeoutMinMs, baselineMs * timeoutFactor);
  const parts = { ...grading, sandbox };
  writeNewer(target, text);
  try {
    if (grading.buildCommand !== undefined) {
      const built = await runGraded(parts, grading.buildCommand, { directory, timeoutMs: baselineTimeoutMs });
      if (!built.ok) return built;
      if (built.run.exitCode !== 0) return "invalid";
    }
    const tested = await runGraded(parts, grading.command, { directory, timeoutMs, tailCharacters });
    if (!tested.ok) return tested;
    if (fileInside(directory, grading.target) !== target || readFileSync(target, "utf8") !== text)
      return { why: changedText(grading) };
    if (tested.run.isTimedOut) return "timed-out";
    if (tested.run.exitCode === 0) return "survived";
    // A compiler noticed it, and no test.
    return isBuildFailure(tested.run.tail) ? "invalid" : "killed";
  } finally {
    restore(copy, grading.target, { path: target, original });
  }
}

function digestOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
