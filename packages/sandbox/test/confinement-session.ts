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
  /** Measures this many runs of a command that does nothing, confined and free in turn. */
  readonly measuredRuns: number;
};

export type SessionOutcome = {
  readonly results: readonly CommandResult[];
  /** Medians, in milliseconds. */
  readonly freeMs: number;
  readonly confinedMs: number;
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
for (const command of plan.commands) results.push((await runConfined(command)).result);
const times = { free: [] as number[], confined: [] as number[] };
for (let run = 0; run < plan.measuredRuns; run++) {
  const start = performance.now();
  await collect("/bin/bash", ["-c", "true"], { environment: plan.environment, descriptors: [] });
  times.free.push(performance.now() - start);
  times.confined.push((await runConfined("true")).ms);
}
await confinement.close();
const outcome: SessionOutcome = { results, freeMs: median(times.free), confinedMs: median(times.confined) };
process.stdout.write(JSON.stringify(outcome));

/** The time ends with the result; what is cleared away afterwards nobody waits for. */
async function runConfined(command: string): Promise<{ readonly result: CommandResult; readonly ms: number }> {
  const start = performance.now();
  const confined = await confinement.wrap({
    file: "/bin/bash",
    args: ["-c", command],
    cwd: plan.cwd,
    environment: plan.environment,
    ...(plan.opensDescriptors && { hasTerminal: true }),
  });
  if ("problem" in confined) return { result: confined, ms: performance.now() - start };
  const result = await collect(confined.file, confined.args, confined);
  const ms = performance.now() - start;
  await confined.release();
  return { result, ms };
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

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0;
}
