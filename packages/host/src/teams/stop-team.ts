/** Ends a team from outside: asks its leader, or clears up after one that is gone. */
import { setTimeout as later } from "node:timers/promises";
import { encodeMessage, leaderName, readTeamFile, releaseTasks, teamPaths } from "@kedge/agents/teams";
import { type Answer, refused } from "@kedge/protocol";
import { isAlive } from "../machine/identity.ts";
import { replaceFile } from "../machine/replace-file.ts";
import { openMailboxes, openTeamTasks, type TeamParts, whileNaming } from "./team-parts.ts";
import { findTeam } from "./team-words.ts";

export type StopTeamParts = Pick<TeamParts, "home" | "now" | "newId"> & { readonly waitMs: number };

const lookMs = 100;

export async function stopTeam(name: string, parts: StopTeamParts): Promise<Answer<{ readonly text: string }>> {
  const { home, now, newId, waitMs } = parts;
  const team = findTeam(home, name);
  if (team === undefined) return refused(`No team named ${name}.`, "List teams with kedge team list.");
  if (team.state === "ended") return refused(`The team ${name} has already ended.`);
  const paths = teamPaths(home, name);
  if (team.state === "working") {
    const letter = {
      id: newId("per_"),
      from: "user",
      to: leaderName,
      time: now(),
      text: encodeMessage({ type: "team_stop" }),
    };
    await openMailboxes(parts).put(paths.inbox(leaderName), letter);
    for (let waited = 0; waited < waitMs; waited += lookMs) {
      if (readTeamFile(paths)?.endedAt !== undefined)
        return { ok: true, value: { text: `The team ${name} has ended.` } };
      await later(lookMs);
    }
    return refused(
      `The team ${name} has not ended yet: a teammate is still working.`,
      "Try again, or use /team stop --force in its session.",
    );
  }
  for (const { process } of team.file.members) if (process !== undefined && isAlive(process)) endProcess(process.pid);
  await openTeamTasks(paths).change((all) => ({ ok: true, tasks: releaseTasks(all, () => true), result: {} }));
  const isEnded = whileNaming(home, () => {
    const current = findTeam(home, name);
    if (current?.state !== "lost") return false;
    const members = current.file.members.map((member) => ({ ...member, state: "ended" as const }));
    replaceFile(paths.file, `${JSON.stringify({ ...current.file, members, endedAt: now() }, undefined, 1)}\n`);
    return true;
  });
  if (!isEnded) return refused(`Another session now leads the team ${name}.`, "See kedge team list.");
  return {
    ok: true,
    value: { text: `The team ${name} has ended. Its leader had exited; its unfinished tasks can be claimed again.` },
  };
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    // It was quicker.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
