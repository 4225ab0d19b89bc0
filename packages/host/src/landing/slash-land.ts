/** `/land` and `/team land`: the same as `kedge land`, in a session. */
import type { Failure, Json } from "@kedge/protocol";
import type { ProofParts } from "../proof/proof-parts.ts";
import { openWorktrees } from "../worktrees/open-worktrees.ts";
import { type LandedTeam, land } from "./land.ts";
import { undoLanding } from "./land-branches.ts";
import { landingText } from "./landing-words.ts";
import { detectTestCommand } from "./test-command.ts";

export type LandAnswer = { readonly text: string; readonly data?: Json };

/** `argument` has names and then, after `--test`, the command. With a team, names are those of its teammates. */
export async function runSlashLand(argument: string, parts: ProofParts, team?: LandedTeam): Promise<LandAnswer> {
  const opened = openWorktrees(parts);
  if (!opened.ok) return { text: sentence(opened.failure) };
  const { repository } = opened.value;
  if (argument === "undo") {
    const undone = await undoLanding(repository);
    return { text: undone.ok ? `Deleted ${undone.value.branch}.` : sentence(undone.failure) };
  }
  const [, listed = "", told] = /^(.*?)(?:\s*--test\s+(.+))?$/s.exec(argument) ?? [];
  const testCommand = told?.trim() ?? parts.configuration.worktree.test;
  if (testCommand === undefined) {
    const guess = detectTestCommand(repository.root) ?? "make test";
    const command = team === undefined ? "/land" : "/team land";
    return { text: `No test command is set. Use ${command} --test ${guess}, or set worktree.test.` };
  }
  const names = listed.split(/\s+/).filter(Boolean);
  const site = { ...parts, cwd: parts.project.cwd, worktrees: opened.value };
  const landed = await land({ names, testCommand, ...(team !== undefined && { team }) }, site);
  if (!landed.ok) return { text: sentence(landed.failure) };
  return { text: landingText(landed.value), data: JSON.parse(JSON.stringify(landed.value)) as Json };
}

function sentence({ message, recovery }: Failure): string {
  return recovery === undefined ? message : `${message} ${recovery}`;
}
