/** What a worker in a pane is started with: a file that only its owner can read, and that is gone once it was read. */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import type { ProcessName, SealKeys } from "@kedge/agents/teams";
import { isJsonObject, type PermissionMode, type PermissionRule, type RuleSet } from "@kedge/protocol";
import { replaceFile } from "../machine/replace-file.ts";
import type { TeamTiming } from "./team-parts.ts";

export type Launch = {
  readonly team: string;
  readonly name: string;
  readonly agentId: string;
  readonly agent: string;
  readonly prompt: string;
  readonly model: string;
  readonly isIsolated: boolean;
  /** It changes nothing before its plan is approved. */
  readonly plansFirst: boolean;
  readonly paneId: string;
  readonly keys: SealKeys;
  readonly leader: {
    readonly sessionId: string;
    readonly publicKey: string;
    readonly process: ProcessName;
    /** The ceiling: whatever the leader may not do, the worker may not do either. */
    readonly rules: readonly RuleSet[];
    readonly grants: readonly PermissionRule[];
    readonly mode: PermissionMode;
    readonly onlyLooks: boolean;
  };
  /** Somebody answers the questions of the leader. */
  readonly interactive: boolean;
  readonly cwd: string;
  readonly timing: TeamTiming;
  readonly environment: { readonly [name: string]: string | undefined };
};

/** Of the terminal that the leader is in. */
const ownVariables = /^(?:TERM|TERMINFO|COLORTERM|TMUX|TMUX_PANE|LINES|COLUMNS)$/;

export function writeLaunch(path: string, launch: Launch): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const environment = Object.fromEntries(
    Object.entries(launch.environment).filter(([name]) => !ownVariables.test(name)),
  );
  replaceFile(path, JSON.stringify({ ...launch, environment }));
}

const lookMs = 50;

/** The pane is opened first: what cannot be opened is not recorded. Undefined where nobody wrote it in time. */
export async function readLaunch(path: string, waitMs: number): Promise<Launch | undefined> {
  for (let waited = 0; !existsSync(path); waited += lookMs) {
    if (waited >= waitMs) return undefined;
    await later(lookMs);
  }
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    // Written by this module, in a folder that only its owner can change.
    return isJsonObject(value) ? (value as unknown as Launch) : undefined;
  } finally {
    rmSync(path, { force: true });
  }
}
