/** Runs the reproduction of a bug: three times on the clean base, where it must fail, and three times with the fix. */
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type CreateParts, runGit } from "@kedge/agents/worktrees";
import { type Answer, type Reproduction, type ReproductionRun, refused } from "@kedge/protocol";
import { makeBaseCopy } from "../grading/base-copy.ts";
import { type GradedCopy, makeGradedCopy } from "../grading/graded-copy.ts";
import { type GradedRun, runGraded } from "../grading/graded-run.ts";
import { graderView } from "../grading/grader-view.ts";
import { type GradingSite, gradingSandbox } from "../grading/grading-sandbox.ts";
import { isPlainPlace } from "../grading/inside-copy.ts";
import { type FailureSignature, readSignature, whyNotAsNamed } from "./failure-signature.ts";

export type ProofSite = GradingSite & {
  readonly cwd: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly worktrees: CreateParts;
  readonly monotonicMs: () => number;
};

export type ReproductionWish = {
  /** The script or test that shows the bug. */
  readonly file: string;
  readonly command: string;
  /** Named in advance: a part of the output, or `exit N`. */
  readonly failsWith: string;
  /** A commit without the fix; the one that is checked out without this. */
  readonly base?: string;
};

const runsWanted = 3;
const timeoutMs = 10 * 60_000;
const tailCharacters = 64 * 1024;

/** On the clean base: the state is `fails-before` or stays `unproven`. A refusal ran nothing. */
export async function checkBefore(
  known: Reproduction,
  wish: ReproductionWish,
  site: ProofSite,
  signal?: AbortSignal,
): Promise<Answer<Reproduction>> {
  const { repository, dependencyFolders } = site.worktrees;
  const signature = readSignature(wish.failsWith);
  if (!signature.ok) return signature;
  const file = fileIn(repository.root, wish.file, site.cwd);
  if (!file.ok) return file;
  const base = await runGit(repository, ["rev-parse", "--verify", "--quiet", `${wish.base ?? "HEAD"}^{commit}`]);
  if (!base.ok) return refused(`Commit ${wish.base ?? "HEAD"} not found.`, "Commit the code that has the bug first.");
  const commit = base.output.trim();
  const copy = await makeBaseCopy(repository, commit, dependencyFolders);
  if (!copy.ok) return copy;
  const { directory } = copy.value;
  const fileDigest = digestOf(join(repository.root, file.value));
  if (!isPlainPlace(directory, file.value)) {
    copy.value.remove();
    return refused(
      `${wish.file} is a link on the base commit, or in a directory that is one.`,
      "Write it somewhere else.",
    );
  }
  mkdirSync(dirname(join(directory, file.value)), { recursive: true });
  copyFileSync(join(repository.root, file.value), join(directory, file.value));
  const ran = await runThrice({ copy: copy.value, command: wish.command, file: file.value, fileDigest, site, signal });
  if (!ran.ok) return ran;
  const why = ran.value.problem ?? whyBefore(ran.value.runs, signature.value);
  return {
    ok: true,
    value: {
      ...plain(known),
      ...{ file: file.value, fileDigest, command: wish.command, signature: wish.failsWith.trim(), base: commit },
      state: why === undefined ? "fails-before" : "unproven",
      before: ran.value.runs.map(recorded),
      after: [],
      ...(why !== undefined && { why: `On the base commit ${why}.` }),
    },
  };
}

/** With the fix, which is the working tree as it is now. The file must be the one that failed. */
export async function checkAfter(
  known: Reproduction,
  site: ProofSite,
  signal?: AbortSignal,
): Promise<Answer<Reproduction>> {
  const { file, fileDigest, command } = known;
  if (known.state === "unproven" || file === undefined || fileDigest === undefined || command === undefined)
    return refused("The reproduction has not failed on the base commit yet.", "Show that it fails first.");
  const { repository, dependencyFolders } = site.worktrees;
  const path = join(repository.root, file);
  const isSame = statSync(path, { throwIfNoEntry: false })?.isFile() === true && digestOf(path) === fileDigest;
  if (!isSame) {
    const why = `${file} changed after it had failed. Show that the changed file fails on the base commit.`;
    return { ok: true, value: { ...plain(known), state: "broken", after: [], why } };
  }
  const copy = await makeGradedCopy(repository, dependencyFolders);
  if (!copy.ok) return copy;
  const ran = await runThrice({ copy: copy.value, command, file, fileDigest, site, signal });
  if (!ran.ok) return ran;
  const why = ran.value.problem ?? whyAfter(ran.value.runs);
  const failed = known.state === "fails-before" ? "fails-before" : "broken";
  return {
    ok: true,
    value: {
      ...plain(known),
      state: why === undefined ? "proven" : failed,
      after: ran.value.runs.map(recorded),
      ...(why !== undefined && { why: `With the changes of the working tree ${why}.` }),
    },
  };
}

type Runs = { readonly runs: readonly GradedRun[]; readonly problem?: string };

type ThreeRuns = {
  readonly copy: GradedCopy;
  readonly command: string;
  readonly file: string;
  readonly fileDigest: string;
  readonly site: ProofSite;
  readonly signal: AbortSignal | undefined;
};

async function runThrice({ copy, command, file, fileDigest, site, signal }: ThreeRuns): Promise<Answer<Runs>> {
  const { directory } = copy;
  const view = graderView(directory, site.worktrees.dependencyFolders);
  const sandbox = gradingSandbox(directory, site, view);
  const parts = { ...site, sandbox, ...(signal !== undefined && { signal }) };
  const runs: GradedRun[] = [];
  try {
    while (runs.length < runsWanted) {
      const outcome = await runGraded(parts, command, { directory, timeoutMs, tailCharacters });
      if (!outcome.ok) return refused(`Nothing ran: ${outcome.why}`);
      if (signal?.aborted) return refused("The reproduction was canceled.");
      runs.push(outcome.run);
      if (digestOf(join(directory, file)) !== fileDigest)
        return { ok: true, value: { runs, problem: "it changes its own file" } };
    }
    return { ok: true, value: { runs } };
  } finally {
    await sandbox.close();
    copy.remove();
  }
}

function whyBefore(runs: readonly GradedRun[], signature: FailureSignature): string | undefined {
  const whys = runs.map((run) => whyNotAsNamed(run, signature));
  const first = whys.find((why) => why !== undefined);
  if (first === undefined || whys.every((why) => why !== undefined)) return first;
  return `it is flaky: in one of three runs ${first}`;
}

function whyAfter(runs: readonly GradedRun[]): string | undefined {
  const failed = runs.filter(({ exitCode }) => exitCode !== 0);
  const [first] = failed;
  if (first === undefined) return undefined;
  if (failed.length < runs.length) return "it is flaky: it passes only in some runs";
  const last = first.tail.trim().split("\n").slice(-3).join("\n");
  return first.isTimedOut ? "it timed out" : `it still fails with exit code ${first.exitCode}: ${last}`;
}

function recorded({ exitCode, digest, isTimedOut }: GradedRun): ReproductionRun {
  return { exitCode: isTimedOut ? null : exitCode, digest };
}

/** Without the reason of the last look. */
function plain({ why: _, ...known }: Reproduction): Reproduction {
  return known;
}

function fileIn(root: string, given: string, cwd: string): Answer<string> {
  const path = relative(root, resolve(cwd, given));
  if (path === "" || path === ".." || path.startsWith(`..${sep}`)) return refused(`${given} is not in this project.`);
  if (statSync(join(root, path), { throwIfNoEntry: false })?.isFile() !== true)
    return refused(`File not found: ${given}.`, "Write the reproduction first.");
  return { ok: true, value: path };
}

function digestOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
