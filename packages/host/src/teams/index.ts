/** Teams, for the command line: listed, ended from outside, and the process of one worker. */
export { readLaunch } from "./launch.ts";
export type { TeamDesk } from "./open-teams.ts";
export type { Teammate } from "./run-teammate.ts";
export { stopTeam } from "./stop-team.ts";
export { findTeam, findTeams, teamData, teamsText, teamText } from "./team-words.ts";
