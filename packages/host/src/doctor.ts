/** Looks at everything kedge needs on this machine and says what is missing and how to get it. */

import { accessSync, constants, statfsSync } from "node:fs";
import { FailureError, reasonOf } from "@kedge/protocol";
import { childEnvironment } from "@kedge/sandbox";
import { createProcessTie, findRipgrep } from "@kedge/tools";
import type { Configuration } from "./configuration/load-configuration.ts";
import { runLooking } from "./machine/bounded-process.ts";
import { type Home, isOpenToOthers } from "./machine/home.ts";
import { thisProcess } from "./machine/identity.ts";
import type { StoredFile } from "./retention/damaged-databases.ts";
import type { DiskUse } from "./retention/disk-use.ts";
import { storageFindings } from "./retention/storage-findings.ts";
import { examineLooks } from "./shell/command-looks.ts";
import type { InputChange, WorkspaceTrust } from "./trust/workspace-trust.ts";

export type DoctorFinding = {
  readonly name: string;
  /** `off` is a choice and no lack. */
  readonly state: "ok" | "missing" | "off" | "warning";
  readonly detail: string;
  /** What to do about it. */
  readonly advice?: string;
  /** The same in numbers, where there are some. */
  readonly storage?: DiskUse;
  /** Files that somebody should look at. */
  readonly files?: readonly StoredFile[];
};

export type DoctorParts = {
  readonly home: Home;
  readonly configuration: Configuration;
  readonly trust: WorkspaceTrust;
  /** What is worth saying about instruction files, one sentence each. */
  readonly instructionHints?: readonly string[];
  /** Names of secrets that commands can read from the process of kedge. */
  readonly shownSecrets?: readonly string[];
  /** What is worth saying about set-ups of other agents. */
  readonly foreign?: readonly DoctorFinding[];
  readonly environment: { readonly [name: string]: string | undefined };
  readonly nodeVersion: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** `/proc`, but for tests of machines without one. */
  readonly procDirectory?: string;
};

/** Nothing is changed or sent, and nobody is asked over a network but the database that the user named. */
export async function examineMachine(parts: DoctorParts): Promise<readonly DoctorFinding[]> {
  return [
    { name: "node", state: "ok", detail: parts.nodeVersion },
    directoryFinding(parts.home),
    modelFinding(parts.configuration),
    await programFinding({ name: "git", file: "git", advice: "Required for undo. Install git." }, parts),
    await programFinding(
      { name: "ripgrep", file: findRipgrep(), advice: "Required for search. Run npm ci again." },
      parts,
    ),
    await sandboxFinding(parts.configuration),
    await looksFinding(),
    await callersFinding(parts),
    ...secretsFindings(parts),
    trustFinding(parts.trust),
    ...(parts.instructionHints ?? []).map(instructionFinding),
    ...(parts.foreign ?? []),
    ...(await storageFindings({ ...parts, storage: parts.configuration.storage })),
  ];
}

const freeBytesLow = 500 * 1024 * 1024;

function directoryFinding({ directory, data }: Home): DoctorFinding {
  try {
    accessSync(data, constants.W_OK);
    const { bavail, bsize } = statfsSync(data);
    const freeBytes = bavail * bsize;
    const free = `${Math.round(freeBytes / 1024 / 1024)} MB free`;
    if (isOpenToOthers(directory)) {
      const detail = `${directory} is accessible to other users`;
      return { name: "directory", state: "warning", detail, advice: `Run chmod 700 ${directory}.` };
    }
    if (freeBytes >= freeBytesLow) return { name: "directory", state: "ok", detail: `${directory}, ${free}` };
    return {
      name: "directory",
      state: "warning",
      detail: `${directory}, only ${free}`,
      advice: "Free up disk space.",
    };
  } catch (error) {
    return {
      name: "directory",
      state: "missing",
      detail: `${directory}: ${reasonOf(error)}`,
      advice: "Make it writable.",
    };
  }
}

function modelFinding({ model }: Configuration): DoctorFinding {
  if (model !== undefined) return { name: "model", state: "ok", detail: model };
  const advice = 'Set "model" in your settings or pass --model. List usable models with kedge models.';
  return { name: "model", state: "missing", detail: "none selected", advice };
}

type NeededProgram = { readonly name: string; readonly file: string; readonly advice: string };

const versionBytesMax = 10_000;
const versionTimeoutMs = 5_000;

/** Whoever asks may have other work under way, which is not held up. A program that hangs ends with kedge. */
async function programFinding(
  { name, file, advice }: NeededProgram,
  { home, environment }: DoctorParts,
): Promise<DoctorFinding> {
  const tie = createProcessTie(thisProcess());
  try {
    const looked = await runLooking({
      program: file,
      arguments: ["--version"],
      cwd: home.directory,
      environment: tie.environment(childEnvironment(environment, { scrub: true })),
      outputBytesMax: versionBytesMax,
      timeoutMs: versionTimeoutMs,
    });
    if (looked.ok && looked.exitCode === 0) {
      return { name, state: "ok", detail: looked.output.toString().split("\n", 1)[0] ?? "" };
    }
  } catch (error) {
    // Nobody could watch over it, because the machine has nothing left.
    if (!(error instanceof FailureError)) throw error;
  } finally {
    tie.close();
  }
  return { name, state: "missing", detail: "it does not start", advice };
}

const withoutSandbox =
  "Without it, agents in worktrees are only held by checks of their calls, and no tests are graded.";

async function sandboxFinding({ sandbox }: Configuration): Promise<DoctorFinding> {
  const { checkSandbox } = await import("@kedge/sandbox/confinement");
  const needsBridge = sandbox.allowedHosts.length > 0;
  const found = await checkSandbox({ platform: process.platform, architecture: process.arch, needsBridge });
  const name = "sandbox";
  if (!found.ok) {
    const state = sandbox.mode === "on" ? "missing" : "warning";
    return { name, state, detail: `${found.sentence} ${withoutSandbox}`, advice: found.howTo };
  }
  if (sandbox.mode === "on") return { name, state: "ok", detail: "commands are confined to the workspace" };
  const advice = 'Set "sandbox": {"mode": "on"} to confine commands to the workspace.';
  return { name, state: "off", detail: "available but off", advice };
}

async function looksFinding(): Promise<DoctorFinding> {
  const found = await examineLooks();
  const name = "looks";
  if (found.ok) return { name, state: "ok", detail: "read-only commands run without asking, in a read-only sandbox" };
  const detail = `only a short list of read-only commands runs without asking. ${found.sentence}`;
  return { name, state: "warning", detail, advice: found.howTo };
}

async function callersFinding({ procDirectory }: DoctorParts): Promise<DoctorFinding> {
  const { canTellCallers } = await import("@kedge/server/callers");
  const name = "callers";
  if (canTellCallers(procDirectory)) {
    return { name, state: "ok", detail: "the server can tell the agent's commands from your own programs" };
  }
  return {
    name,
    state: "warning",
    detail: "the server cannot see which process calls it, so a command of the agent could use a token it finds",
    advice: "Run commands in the sandbox, which hides the tokens, or where /proc can be read.",
  };
}

/** Only where there is something to say: what kedge was given and could not take back. */
function secretsFindings({ shownSecrets = [] }: DoctorParts): readonly DoctorFinding[] {
  if (shownSecrets.length === 0) return [];
  const detail = `every command can read ${shownSecrets.join(", ")} from the environment that kedge was started with`;
  const advice = "Store keys with kedge auth login instead, or run commands in the sandbox.";
  return [{ name: "secrets", state: "warning", detail, advice }];
}

function instructionFinding(detail: string): DoctorFinding {
  return { name: "instructions", state: "warning", detail, advice: "List all with kedge instructions." };
}

function trustFinding(trust: WorkspaceTrust): DoctorFinding {
  const name = "trust";
  switch (trust.state) {
    case "nothing":
      return { name, state: "ok", detail: "this project has nothing that needs trust" };
    case "trusted":
      return { name, state: "ok", detail: "this project is trusted" };
    case "refused":
      return { name, state: "off", detail: "this project is not trusted", advice: "Trust it with kedge trust add." };
    case "unknown":
      return trust.changes.length === 0
        ? {
            name,
            state: "warning",
            detail: "this project is not trusted yet",
            advice: "Review it with kedge trust.",
          }
        : {
            name,
            state: "warning",
            detail: `this project changed since you trusted it: ${changesText(trust.changes)}`,
            advice: "Review it with kedge trust, then trust it with kedge trust add.",
          };
  }
}

const changesShown = 3;

function changesText(changes: readonly InputChange[]): string {
  const shown = changes.slice(0, changesShown).map(({ name, change }) => `${name} was ${change}`);
  const more = changes.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
