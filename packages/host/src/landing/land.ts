/** `kedge land`, `kedge team land` and `/land`: which workers land, with which tests, and in which sandbox. */
import { type TeamFile, teamWorkers } from "@kedge/agents/teams";
import { type ListedWorktree, listWorktrees, type Repository, runGit } from "@kedge/agents/worktrees";
import { type Answer, refused } from "@kedge/protocol";
import { runGraded } from "../grading/graded-run.ts";
import { gradingSandbox } from "../grading/grading-sandbox.ts";
import type { ProofSite } from "../proof/check-reproduction.ts";
import { type Landing, landBranches, type Worker } from "./land-branches.ts";

export type LandWish = {
  /** Names of teammates, worktrees or branches; all worktrees of kedge with commits of their own without any. */
  readonly names: readonly string[];
  readonly testCommand: string;
  /** Then only the work of its teammates lands, in the order in which they joined. */
  readonly team?: LandedTeam;
  readonly signal?: AbortSignal;
  readonly onProgress?: (sentence: string) => void;
};

export type LandedTeam = Pick<TeamFile, "name" | "root" | "members">;

const timeoutMs = 30 * 60_000;

export async function land(wish: LandWish, site: ProofSite): Promise<Answer<Landing>> {
  const workers = await workersOf(wish, site);
  if (!workers.ok) return workers;
  return landBranches(workers.value, {
    worktrees: site.worktrees,
    ...(wish.onProgress !== undefined && { onProgress: wish.onProgress }),
    async runTests(directory) {
      const sandbox = gradingSandbox(directory, site);
      try {
        const parts = { ...site, sandbox, ...(wish.signal !== undefined && { signal: wish.signal }) };
        const outcome = await runGraded(parts, wish.testCommand, { directory, timeoutMs });
        if (wish.signal?.aborted) return "the landing was canceled.";
        return outcome.ok ? outcome.run : outcome.why;
      } finally {
        await sandbox.close();
      }
    },
  });
}

/** What a worker has not committed would be missing: it is asked first. */
async function workersOf(
  { names, team }: Pick<LandWish, "names" | "team">,
  { worktrees: { repository } }: Pick<ProofSite, "worktrees">,
): Promise<Answer<readonly Worker[]>> {
  const listing = await listWorktrees(repository);
  if (!listing.ok) return refused(`git failed: ${listing.problem}.`);
  const made = await Promise.all(
    listing.worktrees.filter((tree) => tree.kind === "made").map((tree) => lookAt(tree, repository)),
  );
  const teammates = team === undefined ? undefined : matesOf(team, made, repository);
  if (teammates?.ok === false) return teammates;
  const known = teammates?.value ?? made;
  const found = names.map((name) => known.find((tree) => isCalled(tree, name)) ?? name);
  const wanted = names.length === 0 ? known.filter(({ isAhead }) => isAhead) : found;
  const stranger = team === undefined ? undefined : wanted.find((each) => typeof each === "string");
  if (team !== undefined && stranger !== undefined)
    return refused(
      `${team.name} has no teammate ${stranger} with its own worktree.`,
      "List teammates with kedge team show.",
    );
  if (wanted.length === 0)
    return team === undefined
      ? refused("Nothing to land.", "Name worktrees or branches: kedge land <name> <name>.")
      : refused(
          `No teammate of ${team.name} has commits to land.`,
          "Only teammates with isolation: worktree have commits to land.",
        );
  const unfinished = wanted.find((tree) => typeof tree === "object" && tree.pending !== undefined);
  if (typeof unfinished === "object")
    return refused(
      `${unfinished.name} has ${unfinished.pending}, which would not land.`,
      `Ask ${unfinished.name} to commit, or name the others.`,
    );
  return {
    ok: true,
    value: wanted.map((tree) =>
      typeof tree === "string" ? { name: tree, branch: tree } : { name: tree.name, branch: tree.branch },
    ),
  };
}

type Made = Extract<ListedWorktree, { readonly kind: "made" }>;

type Candidate = {
  /** Who is asked. */
  readonly name: string;
  /** The one that is checked out, which may have been renamed. */
  readonly branch: string;
  readonly tree: Made;
  readonly isAhead: boolean;
  readonly pending?: string;
};

function isCalled({ name, branch, tree: { record } }: Candidate, wanted: string): boolean {
  return name === wanted || branch === wanted || record.name === wanted || record.branch === wanted;
}

async function lookAt(tree: Made, repository: Repository): Promise<Candidate> {
  const { directory, record } = tree;
  const head = await runGit(repository, ["symbolic-ref", "--quiet", "--short", "HEAD"], { directory });
  const main = await runGit(repository, ["rev-parse", "HEAD"]);
  const own = main.ok
    ? await runGit(repository, ["rev-list", "--count", "HEAD", "--not", main.output.trim()], { directory })
    : main;
  const pending = head.ok ? pendingIn(tree) : "no branch checked out";
  return {
    ...{ name: record.name, tree, branch: head.ok ? head.output.trim() : record.branch },
    // What git cannot count is looked at, and then refused by name.
    isAhead: !own.ok || own.output.trim() !== "0",
    ...(pending !== undefined && { pending }),
  };
}

/** The worktrees of its teammates, by the names of those. */
function matesOf(team: LandedTeam, made: readonly Candidate[], { root }: Repository): Answer<readonly Candidate[]> {
  if (team.root !== root) return refused(`The team ${team.name} works for ${team.root}.`, "Land its work there.");
  const mates = teamWorkers(team).flatMap(({ name, worktree }) => {
    const own = made.find(({ tree }) => tree.directory === worktree);
    return own === undefined ? [] : [{ ...own, name }];
  });
  return { ok: true, value: mates };
}

function pendingIn({ state }: Made): string | undefined {
  if (state.kind === "unknown") return `an unknown state (${state.problem})`;
  if (state.kind === "clean") return undefined;
  return state.reasons.find((reason) => /uncommitted|untracked|not finished/.test(reason));
}
