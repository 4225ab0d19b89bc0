/** The file of a team: who leads it, who belongs to it and what became of each. Written by the leader alone. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@kedge/protocol";

export type WorkerBackend = "in-process" | "tmux" | "iterm2";

/** `waiting`: it has nothing to do and looks for messages and tasks. */
export type MemberState = "starting" | "working" | "waiting" | "ended";

export type ProcessName = { readonly pid: number; readonly startedAt: string; readonly boot: string };

export type TeamMember = {
  readonly name: string;
  /** The id of its session. */
  readonly agentId: string;
  /** The definition that it works by. */
  readonly agent: string;
  readonly backend: WorkerBackend;
  readonly color: string;
  readonly state: MemberState;
  readonly joinedAt: number;
  /** It works in a worktree of its own. */
  readonly isIsolated?: true;
  /** Of a worker with a process of its own. */
  readonly paneId?: string;
  readonly process?: ProcessName;
  /** Why it ended. */
  readonly why?: string;
};

export type TeamFile = {
  readonly name: string;
  readonly description: string;
  /** The session of the leader, and the process that has it open. */
  readonly leader: { readonly sessionId: string; readonly process: ProcessName };
  /** The root of the checkout that the team works for. */
  readonly root: string;
  readonly createdAt: number;
  /** Absent while it works. */
  readonly endedAt?: number;
  /** What tells words of the leader from those of others. */
  readonly publicKey: string;
  /** How to look at workers in panes, where there are any. */
  readonly attach?: string;
  readonly members: readonly TeamMember[];
};

/** How a worker addresses the session that leads it. */
export const leaderName = "leader";
export const membersMax = 16;

/** The same for teams and members: a name is part of a path. */
export function isTeamName(name: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(name) && name !== "." && name !== "..";
}

export const nameRule = 'Use 1 to 64 letters, digits, ".", "_" and "-".';

export type TeamPaths = ReturnType<typeof teamPaths>;

export function teamPaths(home: string, team: string) {
  if (!isTeamName(team)) throw new Error(`Not the name of a team: ${JSON.stringify(team)}`);
  const directory = join(home, "teams", team);
  return {
    directory,
    file: join(directory, "team.json"),
    tasks: join(directory, "tasks", "tasks.json"),
    launches: join(directory, "launches"),
    inbox(member: string): string {
      if (!isTeamName(member)) throw new Error(`Not the name of a member: ${JSON.stringify(member)}`);
      return join(directory, "inboxes", `${member}.json`);
    },
  };
}

/** Only its owner may look into it. */
export function makeTeamFolders(paths: TeamPaths): void {
  for (const folder of [paths.directory, join(paths.directory, "inboxes"), join(paths.directory, "tasks")]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
}

/** Undefined where there is no team, or its file cannot be understood. */
export function readTeamFile(paths: Pick<TeamPaths, "file">): TeamFile | undefined {
  if (!existsSync(paths.file)) return undefined;
  try {
    const value: unknown = JSON.parse(readFileSync(paths.file, "utf8"));
    return isTeamFile(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined;
    throw error;
  }
}

/** Anybody of this user can write there, and a file can be cut off. */
function isTeamFile(value: unknown): value is TeamFile {
  if (!isJsonObject(value)) return false;
  const { name, description, leader, root, createdAt, publicKey, members, endedAt, attach } = value;
  const texts = [name, description, root, publicKey].every((each) => typeof each === "string");
  const isLed = isJsonObject(leader) && typeof leader["sessionId"] === "string" && isProcessName(leader["process"]);
  const isTimed = typeof createdAt === "number" && ["number", "undefined"].includes(typeof endedAt);
  const isShown = ["string", "undefined"].includes(typeof attach);
  return texts && isLed && isTimed && isShown && Array.isArray(members) && members.every(isMember);
}

function isMember(value: unknown): value is TeamMember {
  if (!isJsonObject(value)) return false;
  const { name, agentId, agent, backend, color, state, joinedAt, process } = value;
  const texts = [name, agentId, agent, backend, color, state].every((each) => typeof each === "string");
  return texts && typeof joinedAt === "number" && (process === undefined || isProcessName(process));
}

function isProcessName(value: unknown): value is ProcessName {
  if (!isJsonObject(value)) return false;
  const { pid, startedAt, boot } = value;
  return Number.isSafeInteger(pid) && Number(pid) > 0 && typeof startedAt === "string" && typeof boot === "string";
}

export function listTeams(home: string): readonly string[] {
  const folder = join(home, "teams");
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => isTeamName(name) && existsSync(join(folder, name, "team.json")));
}

/** The leader says that it lives. */
export function beat(paths: Pick<TeamPaths, "file">, nowMs: number): void {
  try {
    utimesSync(paths.file, nowMs / 1_000, nowMs / 1_000);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** When the leader last said so; undefined where the team is gone. */
export function lastBeatMs(paths: Pick<TeamPaths, "file">): number | undefined {
  return statSync(paths.file, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * False once the leader was silent for too long, or its team is gone. Counted by a clock that only goes forward: a
 * machine that slept, or whose time was set, has missed no beat.
 */
export function watchBeats(
  beat: () => number | undefined,
  { silenceMs, now }: { readonly silenceMs: number; readonly now: () => number },
): () => boolean {
  let last: number | undefined;
  let heardAt = now();
  return () => {
    const current = beat();
    if (current === undefined) return false;
    if (current !== last) heardAt = now();
    last = current;
    return now() - heardAt < silenceMs;
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

const colors: readonly string[] = ["blue", "green", "yellow", "magenta", "cyan", "red"];

export function colorOf(place: number): string {
  return colors[place % colors.length] ?? "blue";
}
