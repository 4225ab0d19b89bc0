/** `/team`: the team of a session, and how to write to it, land its work or end it. */
import type { Answer, Json, SessionState } from "@kedge/protocol";
import type { OpenedAgents } from "../agents/open-agents.ts";
import type { ProofParts } from "../proof/proof-parts.ts";
import { findTeam, findTeams, teamData, teamsText, teamText } from "./team-words.ts";

export type SlashTeamParts = {
  readonly agents: OpenedAgents;
  readonly home: string;
  /** Absent where nothing can land. */
  readonly proof?: ProofParts;
};

const usage =
  "Usage: /team, /team message <teammate> <text>, /team land [teammate...] [--test <command>] | undo, or /team stop [--force].";

export async function runSlashTeam(
  argument: string,
  { sessionId }: SessionState,
  { agents, home, proof }: SlashTeamParts,
): Promise<{ readonly text: string; readonly data?: Json }> {
  const [action = "show", target, ...rest] = argument.split(/\s+/).filter(Boolean);
  const teams = await agents.teams();
  if (action === "stop" && (target === undefined || target === "--force") && rest.length === 0)
    return said(await teams.end(sessionId, target === "--force"));
  if (action === "message" && target !== undefined && rest.length > 0) {
    const sent = await teams.write(sessionId, target, rest.join(" "));
    return sent === undefined ? { text: `Your team has no teammate named ${target}.` } : said(sent);
  }
  if (action === "land") {
    const team = teams.led(sessionId);
    if (team === undefined || proof === undefined)
      return { text: "This session leads no team. Land worktrees with /land." };
    const { runSlashLand } = await import("../landing/slash-land.ts");
    return runSlashLand(argument.replace(/^\s*land\s*/, "").trim(), proof, team);
  }
  if (action !== "show" || target !== undefined) return { text: usage };
  const own = teams.led(sessionId);
  const shown = own === undefined ? undefined : findTeam(home, own.name);
  if (shown !== undefined) return { text: teamText(shown), data: teamData(shown) };
  const all = findTeams(home);
  return { text: `This session leads no team.\n${teamsText(all)}`, data: { teams: all.map(teamData) } };
}

function said(answer: Answer<{ readonly text: string }>): { readonly text: string } {
  if (answer.ok) return { text: answer.value.text };
  const { message, recovery } = answer.failure;
  return { text: recovery === undefined ? message : `${message} ${recovery}` };
}
