/** Teams, for the command line: listed, ended from outside, and the process of one worker. */
export { type Launch, readLaunch } from "./launch.ts";
export type { TeamDesk } from "./open-teams.ts";
export type { Teammate } from "./run-teammate.ts";
export { stopTeam } from "./stop-team.ts";
export { teamTiming } from "./team-parts.ts";
export { findTeam, findTeams, type ShownTeam, teamData, teamsText, teamText } from "./team-words.ts";
