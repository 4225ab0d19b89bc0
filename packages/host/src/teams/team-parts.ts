/** What teams of a place of work are made of. */
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentDesk } from "@kedge/agents";
import type { OpenAgentWorktree } from "@kedge/agents/runs";
import { checkChange, createMailboxes, type Mailboxes, type SealKeys, type TeamPaths } from "@kedge/agents/teams";
import type { Engine, OpenSession } from "@kedge/engine";
import type { LeaseHolder, ProfileFor } from "@kedge/protocol";
import { createTaskList, type Task, type TaskList } from "@kedge/tools";
import { whileHeld, whileLocked } from "../machine/file-lock.ts";
import type { TeamRegistry } from "./team-registry.ts";
import type { TeamSettings } from "./team-settings.ts";

export type TeamParts = {
  /** Of kedge. */
  readonly home: string;
  readonly cwd: string;
  readonly root: string;
  readonly settings: TeamSettings;
  readonly registry: TeamRegistry;
  readonly engine: Engine;
  readonly desk: Pick<AgentDesk, "runs" | "sessions" | "table" | "narrowed" | "modelFor">;
  /** The profile that a session of this place of work begins with. */
  readonly profileFor: ProfileFor;
  readonly openWorktree: OpenAgentWorktree;
  /** Asked before a teammate rests; a text is a reason to work on. */
  readonly teammateIdle: (idle: TeammateIdle, signal: AbortSignal) => Promise<string | undefined>;
  readonly holder: LeaseHolder;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Starts kedge once more; undefined where this is part of another program. */
  readonly program: readonly string[] | undefined;
  readonly redact: (text: string) => string;
  readonly now: () => number;
  readonly newId: (prefix: "ses_" | "per_") => string;
  readonly onNotice: (sentence: string) => void;
  readonly timing?: Partial<TeamTiming>;
};

export type TeammateIdle = { readonly sessionId: string; readonly teammate: string; readonly team: string };

export type TeamTiming = {
  /** How often somebody looks into a mailbox. */
  readonly pollMs: number;
  /** A leader that was silent for so long is gone. */
  readonly heartbeatMs: number;
  /** For an answer to a request to shut down, while a worker rests. */
  readonly shutdownMs: number;
  /** So long a question of a worker waits for a person. */
  readonly questionMs: number;
  /** Between two panes. */
  readonly paneMs: number;
};

export const teamTiming: TeamTiming = {
  pollMs: 500,
  heartbeatMs: 60_000,
  shutdownMs: 10_000,
  questionMs: 30 * 60_000,
  paneMs: 200,
};

export function newSealKeys(): SealKeys {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    privateKey: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
    publicKey: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
  };
}

/** Whoever holds a mailbox writes one small file; who waits longer than this hears an error instead of hanging. */
const lockWait = { lookMs: 10, waitMsMax: 5_000 };

export function openMailboxes({ now, newId }: Pick<TeamParts, "now" | "newId">): Mailboxes {
  return createMailboxes({ lock: locked, now, newId: () => newId("per_") });
}

export function openTeamTasks({ tasks: path }: Pick<TeamPaths, "tasks">): TaskList {
  return createTaskList({ path, lock: locked });
}

function locked<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return whileHeld(path, work, lockWait);
}

/** Runs the work while no other process makes a team, or ends one whose leader is gone. `@` is in no name of a team. */
export function whileNaming<Result>(home: string, work: () => Result): Result {
  const folder = join(home, "teams");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return whileLocked(join(folder, "@names"), work);
}

/** The list as one member may change it. `onAssigned` hears which open tasks it gave to somebody else. */
export function tasksFor(member: string, tasks: TaskList, onAssigned?: (task: Task, owner: string) => void): TaskList {
  return {
    read: tasks.read,
    async change(change) {
      let given: readonly Task[] = [];
      const outcome = await tasks.change((before) => {
        const changed = change(before);
        if (!changed.ok) return changed;
        const checked = checkChange(before, changed.tasks, member);
        if (!checked.ok) return checked;
        given = checked.tasks.filter((task) => isGiven(task, before, member));
        return { ...changed, tasks: checked.tasks };
      });
      if (outcome.ok) for (const task of given) if (task.owner !== undefined) onAssigned?.(task, task.owner);
      return outcome;
    },
  };
}

function isGiven({ id, owner, status }: Task, before: readonly Task[], giver: string): boolean {
  const known = before.find((task) => task.id === id)?.owner;
  return owner !== undefined && owner !== giver && owner !== known && status === "open";
}

export function findOpen(engine: Engine, sessionId: string): OpenSession | undefined {
  return engine.openSessions().find(({ state }) => state.sessionId === sessionId);
}
