/** Makes a team for a session that may lead one, and takes in its first members. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { TeamOrder } from "@kedge/agents";
import { type Backends, isTeamName, nameRule, readTeamFile, teamPaths } from "@kedge/agents/teams";
import { type Answer, refused } from "@kedge/protocol";
import { isAlive } from "../machine/identity.ts";
import { type LeaderTeam, startLeaderTeam } from "./leader-team.ts";
import { findOpen, type TeamParts, whileNaming } from "./team-parts.ts";

export type NewTeam = {
  readonly sessionId: string;
  readonly order: Pick<TeamOrder, "name" | "description">;
  readonly backends: () => Backends;
};

export async function createTeam(
  parts: TeamParts,
  { sessionId, order: { name, description }, backends }: NewTeam,
): Promise<Answer<{ readonly team: LeaderTeam }>> {
  // Of two sessions that want the same name at once, one gets it.
  const started = whileNaming(parts.home, (): Answer<{ readonly team: LeaderTeam }> => {
    const refusal = refuseNew(parts, sessionId, name);
    if (refusal !== undefined) return refusal;
    const paths = teamPaths(parts.home, name);
    const before = readTeamFile(paths);
    // Tasks outlive the process that led the team, but not into the team of another session.
    if (before !== undefined && before.leader.sessionId !== sessionId)
      rmSync(paths.directory, { recursive: true, force: true });
    rmSync(join(paths.directory, "inboxes"), { recursive: true, force: true });
    const team = startLeaderTeam(parts, { name, description, leaderId: sessionId, backends: backends() });
    return { ok: true, value: { team } };
  });
  if (started.ok) await started.value.team.release();
  return started;
}

export async function joinAll(team: LeaderTeam, { name, members }: TeamOrder): Promise<string> {
  const started = await Promise.all(members.map((member) => team.add(member)));
  const lines = started.map((answer, index) =>
    answer.ok
      ? `${answer.value.name} (${answer.value.agent}, ${answer.value.backend}) has started.`
      : `${members[index]?.name} was not started: ${answer.failure.message} ${answer.failure.recovery ?? ""}`.trim(),
  );
  const { attach } = team.file();
  const hint = attach === undefined ? [] : [`The user can watch the teammates with: ${attach}`];
  return [`Created the team ${name}.`, ...lines, ...hint].join("\n");
}

function refuseNew({ engine, registry, home }: TeamParts, sessionId: string, name: string): Answer<never> | undefined {
  const state = findOpen(engine, sessionId)?.state;
  if (state === undefined) return refused("The session was closed.");
  const seat = registry.find(sessionId);
  if (seat !== undefined) return refused(`You already belong to the team ${seat.team}.`, "Use the existing team.");
  if (state.origin?.kind === "child") return refused("An agent cannot lead a team.", "Do the work here.");
  if (!isTeamName(name)) return refused(`${JSON.stringify(name)} is not a valid team name.`, nameRule);
  const known = readTeamFile(teamPaths(home, name));
  const isLed = known !== undefined && known.endedAt === undefined && isAlive(known.leader.process);
  return isLed ? refused(`Another session already leads a team named ${name}.`, "Choose another name.") : undefined;
}
