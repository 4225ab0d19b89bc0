/** Teams in words: `/team` and `kedge team`. */
import { existsSync } from "node:fs";
import { listTeams, readTeamFile, type TeamFile, type TeamMember, teamPaths, teamWorkers } from "@kedge/agents/teams";
import { counted, type Json } from "@kedge/protocol";
import { createTaskList, type Task } from "@kedge/tools";
import { isAlive } from "../machine/identity.ts";

export type ShownTeam = {
  readonly file: TeamFile;
  /** `lost`: its leader is gone, and nobody ended it. */
  readonly state: "working" | "ended" | "lost";
  readonly tasks: readonly Task[];
};

export function findTeam(home: string, name: string): ShownTeam | undefined {
  const paths = teamPaths(home, name);
  const file = readTeamFile(paths);
  if (file === undefined) return undefined;
  const state = file.endedAt !== undefined ? "ended" : isAlive(file.leader.process) ? "working" : "lost";
  return { file, state, tasks: existsSync(paths.tasks) ? createTaskList({ path: paths.tasks }).read() : [] };
}

export function findTeams(home: string): readonly ShownTeam[] {
  return listTeams(home).flatMap((name) => findTeam(home, name) ?? []);
}

export function teamsText(teams: readonly ShownTeam[]): string {
  if (teams.length === 0) return "No teams. Ask kedge to create one for work with several independent parts.";
  return teams
    .map(({ file, state, tasks }) => {
      const done = tasks.filter(({ status }) => status === "done").length;
      const parts = [
        state,
        counted(file.members.length, "teammate"),
        `${done} of ${counted(tasks.length, "task")} done`,
      ];
      return `${file.name}: ${parts.join(", ")}`;
    })
    .join("\n");
}

export function teamText(team: ShownTeam): string {
  const { file, tasks, state } = team;
  const workers = teamWorkers(file);
  const members = file.members.map((member) => {
    const place = workers.find(({ name }) => name === member.name)?.worktree;
    const facts = [stateOf(member, state), member.agent, member.backend, ...(place === undefined ? [] : [place])];
    return `  ${member.name}: ${facts.join(", ")}${member.why === undefined ? "" : `. ${member.why}`}`;
  });
  const list = tasks.map(({ id, status, owner, subject }) => {
    return `  ${id} ${status}${owner === undefined ? "" : ` (${owner})`}: ${subject}`;
  });
  return [
    `${file.name}: ${state}${file.description === "" ? "" : `. ${file.description}`}`,
    ...(file.attach === undefined || state !== "working" ? [] : [`Watch it with: ${file.attach}`]),
    members.length === 0 ? "No teammates." : "Teammates:",
    ...members,
    ...(list.length === 0 ? [] : ["Tasks:", ...list]),
  ].join("\n");
}

/** What a leader that is gone wrote last is no longer true. */
function stateOf({ state, process }: TeamMember, team: ShownTeam["state"]): string {
  const isGone = team === "lost" && (process === undefined || !isAlive(process));
  return isGone ? "ended" : state;
}

/** Keys are for processes, not for people. */
export function teamData({ file, state, tasks }: ShownTeam): Json {
  const { publicKey: _, members, ...rest } = file;
  const workers = teamWorkers(file);
  const shown = members.map((member) => ({ ...member, ...workers.find(({ name }) => name === member.name) }));
  // Plain data; what is undefined is left out.
  return JSON.parse(JSON.stringify({ ...rest, state, members: shown, tasks })) as Json;
}
