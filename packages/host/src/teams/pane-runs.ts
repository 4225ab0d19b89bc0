/** Agents as before, and workers in panes, which are not sessions of this process. */
import { leaderName } from "@kedge/agents/teams";
import type { AgentRuns } from "@kedge/protocol";
import type { LeaderTeam } from "./leader-team.ts";

export function paneRuns(
  runs: AgentRuns,
  teams: () => readonly LeaderTeam[],
  newId: () => string,
): Pick<AgentRuns, "interrupt" | "kill" | "message"> {
  function find(agentId: string) {
    for (const team of teams()) {
      const member = team.member(agentId);
      if (member !== undefined && member.info.backend !== "in-process") return { team, member };
    }
    return undefined;
  }
  return {
    async kill(agentId) {
      const found = find(agentId);
      if (found === undefined) return runs.kill(agentId);
      await found.member.live.kill();
      return { ok: true, value: {} };
    },
    async interrupt(agentId) {
      const found = find(agentId);
      if (found === undefined) return runs.interrupt(agentId);
      await found.team.interrupt(found.member.info.name);
      return { ok: true, value: {} };
    },
    async message(agentId, text, from) {
      const found = find(agentId);
      if (found === undefined || from.kind === "peer") return runs.message(agentId, text, from);
      await found.team.write(leaderName, found.member.info.name, text);
      return { ok: true, value: { messageId: newId() } };
    },
  };
}
