/** `kedge team`: lists teams, shows one, lands its work, and ends one from another terminal. */
import { findTeam, findTeams, stopTeam, teamData, teamsText, teamText } from "@kedge/host/teams";
import { type Json, showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { teamTexts } from "../texts/servers.ts";

/** A teammate may finish what it does first. */
const stopWaitMs = 30_000;

export async function runTeamCommand(words: readonly string[], flags: Flags): Promise<number> {
  const [action = "list", name, ...rest] = words;
  const isKnown =
    action === "list" ? name === undefined : ["show", "land", "stop"].includes(action) && name !== undefined;
  if (!isKnown || (rest.length > 0 && action !== "land")) {
    writeNotice(teamTexts.usage);
    return exitCodes.usage;
  }
  const opened = await openSettings(flags, readSurroundings());
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  const home = opened.home.directory;
  if (name === undefined) {
    const teams = findTeams(home);
    return print({ teams: teams.map(teamData) }, teamsText(teams), flags);
  }
  if (action === "land") return landTeam(name, rest, home, flags);
  return action === "stop" ? stop(name, home, flags) : show(name, home, flags);
}

async function landTeam(name: string, mates: readonly string[], home: string, flags: Flags): Promise<number> {
  const team = isName(name) ? findTeam(home, name) : undefined;
  if (team === undefined) return show(name, home, flags);
  const { landWorkers } = await import("./land-command.ts");
  return landWorkers(mates, flags, team.file);
}

function show(name: string, home: string, flags: Flags): number {
  const team = isName(name) ? findTeam(home, name) : undefined;
  if (team !== undefined) return print(teamData(team), teamText(team), flags);
  writeNotice(teamTexts.noTeam(showTerminalControls(name)));
  return exitCodes.error;
}

async function stop(name: string, home: string, flags: Flags): Promise<number> {
  if (!isName(name)) return show(name, home, flags);
  const newId = () => `per_${crypto.randomUUID()}`;
  const stopped = await stopTeam(name, { home, now: Date.now, newId, waitMs: stopWaitMs });
  if (stopped.ok) return print({ stopped: name }, stopped.value.text, flags);
  writeDiagnostic(failureText(stopped.failure));
  return exitCodes.error;
}

/** Part of a path. */
function isName(name: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(name) && name !== "." && name !== "..";
}

function print(data: Json, text: string, { json }: Flags): number {
  writeResult(json ? `${JSON.stringify(data)}\n` : `${showTerminalControls(text)}\n`);
  return exitCodes.success;
}
