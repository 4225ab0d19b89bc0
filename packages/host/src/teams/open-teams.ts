/** Teams of this place of work: what tools, screens and the command of a worker do with them. Loaded with the first team. */
import type { MemberOrder, TeamTools } from "@kedge/agents";
import { type Backends, createBackends, leaderName, type TeamFile } from "@kedge/agents/teams";
import { type AgentRuns, type Answer, refused } from "@kedge/protocol";
import { childEnvironment } from "@kedge/sandbox";
import { createTeam, joinAll } from "./create-team.ts";
import type { Launch } from "./launch.ts";
import type { LeaderTeam } from "./leader-team.ts";
import { runPaneProgram } from "./pane-program.ts";
import { paneRuns } from "./pane-runs.ts";
import { startTeammate, type Teammate } from "./run-teammate.ts";
import { type TeamParts, teamTiming } from "./team-parts.ts";

export interface TeamDesk extends Omit<TeamTools, "isMember"> {
  /** The team that a session leads. */
  led(sessionId: string): TeamFile | undefined;
  /** Agents as before, and workers in panes, which are not sessions of this process. */
  runsWith(runs: AgentRuns): Pick<AgentRuns, "interrupt" | "kill" | "message">;
  /** Works as a teammate of another process. */
  serve(launch: Launch, signal: AbortSignal): Promise<Answer<Teammate>>;
  close(): Promise<void>;
}

export function openTeams(parts: TeamParts): TeamDesk {
  const teams = new Map<string, LeaderTeam>();
  let teammate: Teammate | undefined;
  let backends: Backends | undefined;

  function findBackends(): Backends {
    const { environment, settings, program, holder, onNotice } = parts;
    const { paneMs } = { ...teamTiming, ...parts.timing };
    backends ??= createBackends({
      ...{ environment, wish: settings.backend, hasProgram: program !== undefined, onNotice },
      // A terminal server shows its environment to every process of this user.
      run: runPaneProgram(childEnvironment(environment, { scrub: true })),
      socket: `kedge-swarm-${holder.pid}`,
      settle: () => new Promise((resolve) => setTimeout(resolve, paneMs)),
    });
    return backends;
  }

  const teamOf = (sessionId: string): LeaderTeam | undefined => {
    const team = teams.get(sessionId);
    return team === undefined || team.file().endedAt !== undefined ? undefined : team;
  };

  return {
    async create(sessionId, order) {
      const made = await createTeam(parts, { sessionId, order, backends: findBackends });
      if (!made.ok) return made;
      teams.set(sessionId, made.value.team);
      return { ok: true, value: { text: await joinAll(made.value.team, order) } };
    },
    async add(sessionId, wanted, member: MemberOrder) {
      const team = teamOf(sessionId);
      if (team === undefined) return refused("You lead no team.", "Create one with team_create.");
      if (team.name !== wanted) return refused(`You lead the team ${team.name}, not ${wanted}.`);
      const added = await team.add(member);
      if (!added.ok) return added;
      const { name, agentId, agent, backend } = added.value;
      const text = `${name} (${agent}, ${backend}) has joined the team ${team.name}. It reports by message; do not wait for it.`;
      return { ok: true, value: { text, agentId, name } };
    },
    async write(sessionId, to, text) {
      const seat = parts.registry.find(sessionId);
      if (seat === undefined) return undefined;
      const team = [...teams.values()].find(({ name }) => name === seat.team);
      const name = to === "parent" ? leaderName : to;
      const reached = await (team?.write(seat.member, name, text) ?? teammate?.write(name, text));
      return reached && { ok: true, value: { text: `Sent to ${reached.join(", ")}.` } };
    },
    async answerShutdown(sessionId, answer) {
      const seat = parts.registry.find(sessionId);
      const team = [...teams.values()].find(({ name }) => name === seat?.team);
      const isAsked = team?.member(sessionId)?.live.answerShutdown(answer) ?? teammate?.answerShutdown(answer) ?? false;
      if (!isAsked) return refused("Nobody has asked you to shut down.");
      return {
        ok: true,
        value: { text: answer.isApproved ? "Approved. End your turn now." : "Rejected. Your leader gets your reason." },
      };
    },
    async end(sessionId, force) {
      const team = teamOf(sessionId);
      if (team === undefined) return refused("You lead no team.");
      const { ended, rejected } = await team.stop({ force, reason: "Your leader ends the team." });
      if (rejected.length > 0) {
        const reasons = rejected.map(({ name, reason }) => `${name}: ${reason || "no reason given"}`);
        return refused(
          `Not all teammates shut down. ${reasons.join("; ")}.`,
          "Wait until they are finished, or use force.",
        );
      }
      const open = team.tasks.read().filter(({ status }) => status === "open" || status === "in_progress");
      const left =
        open.length === 0 ? "" : ` Unfinished tasks: ${open.map(({ id, subject }) => `${id} ${subject}`).join("; ")}.`;
      return {
        ok: true,
        value: { text: `The team ${team.name} has ended${ended.length === 0 ? "" : ` (${ended.join(", ")})`}.${left}` },
      };
    },
    led: (sessionId) => teams.get(sessionId)?.file(),
    runsWith: (runs) =>
      paneRuns(
        runs,
        () => [...teams.values()],
        () => parts.newId("per_"),
      ),
    async serve(launch, signal) {
      const started = await startTeammate(parts, launch, signal);
      if (started.ok) teammate = started.value;
      return started;
    },
    async close() {
      await Promise.allSettled([...teams.values()].map((team) => team.close()));
    },
  };
}
