/** A program that confines commands as whoever runs it: reads a plan on its input, prints what each command did. */
import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { createConfinement } from "../src/confinement/confine-command.ts";
import type { SandboxProfile } from "../src/confinement/sandbox-profile.ts";
import { type WorkspaceProfileParts, workspaceProfile } from "../src/confinement/workspace-profile.ts";

export type SessionPlan = {
  readonly profile: WorkspaceProfileParts;
  readonly temporaryRoot: string;
  readonly leaseDirectory: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What names resolve to; the others are unknown. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** Run one after the other, each in bash. */
  readonly commands: readonly string[];
  /** Starts them as on a terminal. */
  readonly opensDescriptors: boolean;
};

export type SessionOutcome = {
  readonly results: readonly CommandResult[];
};

export type CommandResult =
  | {
      readonly code: number | null;
      readonly stdout: string;
      readonly stderr: string;
      /** What came on the fourth descriptor. */
      readonly report: string;
    }
  | { readonly problem: string };

// It was written by the test beside it.
const plan = JSON.parse(await text(process.stdin)) as SessionPlan;
const profile: SandboxProfile = workspaceProfile(plan.profile);
const confinement = createConfinement({
  profile,
  platform: process.platform,
  architecture: process.arch,
  temporaryRoot: plan.temporaryRoot,
  leaseDirectory: plan.leaseDirectory,
  lookUp: async (name) => plan.names[name] ?? [],
});

const results: CommandResult[] = [];
for (const command of plan.commands) results.push(await runConfined(command));
await confinement.close();
const outcome: SessionOutcome = { results };
process.stdout.write(JSON.stringify(outcome));

async function runConfined(command: string): Promise<CommandResult> {
  const confined = await confinement.wrap({
    file: "/bin/bash",
    args: ["-c", command],
    cwd: plan.cwd,
    environment: plan.environment,
    ...(plan.opensDescriptors && { hasTerminal: true }),
  });
  if ("problem" in confined) return confined;
  const result = await collect(confined.file, confined.args, confined);
  await confined.release();
  return result;
}

async function collect(
  file: string,
  args: readonly string[],
  start: { readonly environment: Readonly<Record<string, string>>; readonly descriptors: readonly number[] },
): Promise<CommandResult> {
  const child = spawn(file, [...args], {
    cwd: plan.cwd,
    env: { ...start.environment, PWD: plan.cwd },
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe", ...start.descriptors],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const [stdout = "", stderr = "", report = ""] = await Promise.all(
    child.stdio.slice(1, 4).map((pipe) => (pipe instanceof Readable ? text(pipe) : "")),
  );
  const code = await exited;
  return { code, stdout, stderr, report };
}
