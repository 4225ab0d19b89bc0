/** Merges the branches of workers onto a new branch, one after the other, with the tests after each. */
import {
  type CreateParts,
  createWorktree,
  discardWorktree,
  knownWorktree,
  type Repository,
  runGit,
  runWorktreeGit,
  zeroSeparated,
} from "@kedge/agents/worktrees";
import { type Answer, refused } from "@kedge/protocol";
import type { GradedRun } from "../grading/graded-run.ts";
import { landingPrefix, readLandings, writeLandings } from "./landing-record.ts";

export type Worker = {
  /** Who is asked when its branch does not land. */
  readonly name: string;
  readonly branch: string;
};

export type LandingParts = {
  readonly worktrees: CreateParts;
  /** The tests of the project, in this folder. A text says why they could not be run. */
  readonly runTests: (directory: string) => Promise<GradedRun | string>;
  readonly onProgress?: (sentence: string) => void;
};

export type LandingStop = {
  readonly worker: string;
  readonly reason: "conflict" | "tests" | "git";
  /** One sentence. */
  readonly why: string;
  /** Files in conflict. */
  readonly files?: readonly string[];
  /** The end of what the tests printed. */
  readonly output?: string;
};

export type Landing = {
  readonly branch: string;
  readonly base: string;
  readonly tip: string;
  readonly landed: readonly string[];
  /** Their commits are in the base already. */
  readonly empty: readonly string[];
  /** Not tried, because another one stopped the landing. */
  readonly left: readonly string[];
  readonly stop?: LandingStop;
};

/** The checkout of the user is not touched: everything happens in a worktree that is removed again. */
export async function landBranches(workers: readonly Worker[], parts: LandingParts): Promise<Answer<Landing>> {
  const { repository, now } = parts.worktrees;
  const common = await runGit(repository, ["rev-parse", "--path-format=absolute", "--git-common-dir"]);
  if (!common.ok) return refused(`git failed: ${common.problem}.`);
  const missing = await missingBranches(repository, workers);
  if (missing.length > 0) return refused(`Branch not found: ${missing.join(", ")}.`);
  const stamp = now();
  // Git merges, so git makes the place for it, whatever else makes worktrees here.
  const { hooks: _, ...worktrees } = parts.worktrees;
  const made = await createWorktree(`landing-${stamp}`, worktrees);
  if (!made.ok) return made;
  const { directory, base } = made.value;
  const branch = `${landingPrefix}${stamp}`;
  const place: Place = { repository, directory, identity: await identityIn(repository) };
  try {
    const refusal = await refuseRedBase(parts, directory);
    if (refusal !== undefined) return refused(refusal);
    const merged = await landEach(workers, parts, place);
    const tip = await headOf(place);
    if (tip === undefined) return refused("git failed: the new branch cannot be read.");
    const landing: Landing = { branch, base, tip, ...merged };
    const problem = landing.landed.length === 0 ? undefined : await keep(landing, repository, common.output.trim());
    return problem === undefined ? { ok: true, value: landing } : refused(`git failed: ${problem}.`);
  } finally {
    await removePlace(place);
  }
}

/** The branch of the place goes with it. Undefined where the new one is there, and can be undone. */
async function keep(
  { branch, base, tip, landed }: Landing,
  repository: Repository,
  gitDirectory: string,
): Promise<string | undefined> {
  const made = await runGit(repository, ["update-ref", `refs/heads/${branch}`, tip, "0".repeat(tip.length)]);
  if (!made.ok) return made.problem;
  await repository.alone(async () =>
    writeLandings(gitDirectory, [...readLandings(gitDirectory), { branch, base, tip, landed }]),
  );
  return undefined;
}

type Place = {
  readonly repository: Repository;
  readonly directory: string;
  /** Options for a merge commit where the user has no name. */
  readonly identity: readonly string[];
};

async function landEach(
  workers: readonly Worker[],
  { runTests, onProgress }: LandingParts,
  place: Place,
): Promise<Pick<Landing, "landed" | "empty" | "left" | "stop">> {
  const landed: string[] = [];
  const empty: string[] = [];
  for (const [index, worker] of workers.entries()) {
    await tidy(place);
    const before = await headOf(place);
    const merge = await mergeBranch(worker, place);
    if (merge === "empty") empty.push(worker.name);
    if (merge === "empty") continue;
    const stop = merge ?? (await testMerge(worker, await runTests(place.directory)));
    if (stop !== undefined) {
      await runGit(place.repository, ["reset", "--hard", "--quiet", before ?? "HEAD"], { directory: place.directory });
      return { landed, empty, left: workers.slice(index + 1).map(({ name }) => name), stop };
    }
    landed.push(worker.name);
    onProgress?.(`${worker.name} landed.`);
  }
  return { landed, empty, left: [] };
}

/** What tests wrote into files of the project would stand in the way of the next branch, whose worker did not do it. */
async function tidy({ repository, directory }: Place): Promise<void> {
  // Only in the place that was made for this: without its own settings git would take the checkout around it.
  const tree = knownWorktree(directory);
  if (tree === undefined) return;
  await runGit(repository, ["reset", "--hard", "--quiet", "--no-recurse-submodules"], { directory });
  // Not every project ignores what was copied into it, such as its dependencies.
  const copied = Object.keys(tree.record.copied).flatMap((path) => ["--exclude", `/${path}`]);
  await runGit(repository, ["clean", "--quiet", "--force", "-d", ...copied], { directory });
}

/** Undefined where it merged. */
async function mergeBranch(
  { name, branch }: Worker,
  { repository, directory, identity }: Place,
): Promise<LandingStop | "empty" | undefined> {
  const ahead = await runGit(repository, ["rev-list", "--count", `HEAD..refs/heads/${branch}`], { directory });
  if (ahead.ok && ahead.output.trim() === "0") return "empty";
  const words = [...identity, "merge", "--no-ff", "--no-edit", "--quiet", "-m", `Land ${name}`, `refs/heads/${branch}`];
  const merged = await runGit(repository, words, { directory });
  if (merged.ok) return undefined;
  const unmerged = ["diff", "--name-only", "--diff-filter=U", "--ignore-submodules=all", "-z"];
  const listed = await runGit(repository, unmerged, { directory });
  const files = listed.ok ? zeroSeparated(listed.output) : [];
  await runGit(repository, ["merge", "--abort"], { directory });
  if (files.length === 0) return { worker: name, reason: "git", why: `git could not merge it: ${merged.problem}.` };
  return { worker: name, reason: "conflict", why: `It conflicts in ${files.join(", ")}.`, files };
}

async function testMerge({ name }: Worker, run: GradedRun | string): Promise<LandingStop | undefined> {
  if (typeof run === "string") return { worker: name, reason: "tests", why: `The tests could not be run: ${run}` };
  if (run.exitCode === 0) return undefined;
  const why = run.isTimedOut ? "The tests time out with it." : `The tests fail with it, exit code ${run.exitCode}.`;
  return { worker: name, reason: "tests", why, output: run.tail.trim() };
}

/** Tests that fail without any worker say nothing about one. */
async function refuseRedBase({ runTests }: LandingParts, directory: string): Promise<string | undefined> {
  const run = await runTests(directory);
  if (typeof run === "string") return `The tests could not be run: ${run}`;
  if (run.exitCode === 0) return undefined;
  if (run.isTimedOut) return "The tests time out even before anything is merged.";
  const last = run.tail.trim().split("\n").slice(-5).join("\n");
  return `The tests fail before anything is merged (exit code ${run.exitCode}):\n${last}`;
}

async function missingBranches(repository: Repository, workers: readonly Worker[]): Promise<readonly string[]> {
  const found = await Promise.all(
    workers.map(async ({ branch }) => {
      const ref = await runGit(repository, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]);
      return ref.ok ? [] : [branch];
    }),
  );
  return found.flat();
}

async function identityIn(repository: Repository): Promise<readonly string[]> {
  const known = await runGit(repository, ["config", "user.email"]);
  // Nobody sits in front of a program that asks for the passphrase of a key.
  const unsigned = ["-c", "commit.gpgsign=false"];
  return known.ok ? unsigned : [...unsigned, "-c", "user.name=kedge", "-c", "user.email=kedge@localhost"];
}

async function headOf({ repository, directory }: Place): Promise<string | undefined> {
  const head = await runGit(repository, ["rev-parse", "HEAD"], { directory });
  return head.ok ? head.output.trim() : undefined;
}

/** Tests may have left files in it, which nobody wants. */
async function removePlace({ repository, directory }: Place): Promise<void> {
  const tree = knownWorktree(directory);
  if (tree !== undefined) await discardWorktree(repository, tree);
}

/** Undoes the latest landing: its branch is deleted, unless somebody has added to it. */
export async function undoLanding(repository: Repository): Promise<Answer<{ readonly branch: string }>> {
  const common = await runGit(repository, ["rev-parse", "--path-format=absolute", "--git-common-dir"]);
  if (!common.ok) return refused(`git failed: ${common.problem}.`);
  return repository.alone(() => undoLatest(repository, common.output.trim()));
}

async function undoLatest(repository: Repository, gitDirectory: string): Promise<Answer<{ readonly branch: string }>> {
  const landings = readLandings(gitDirectory);
  const last = landings.at(-1);
  if (last === undefined) return refused("No landing to undo.");
  const { branch, tip } = last;
  const found = await runGit(repository, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]);
  if (found.ok) {
    if (found.output.trim() !== tip)
      return refused(
        `${branch} has commits that are not part of the landing.`,
        `Delete it yourself: git branch -D ${branch}.`,
      );
    const deleted = await runWorktreeGit(repository, ["branch", "-D", "--quiet", branch]);
    if (!deleted.ok)
      return refused(`${branch} cannot be deleted: ${deleted.problem}.`, "Check out another branch first.");
  }
  writeLandings(gitDirectory, landings.slice(0, -1));
  return { ok: true, value: { branch } };
}
