/** The `bash` tool: runs one shell command and reports what it printed and how it ended. */
import { resolve } from "node:path";
import type { JsonSchema, Need, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { lookAt } from "./file-search.ts";
import { runShell, type ShellEnd, type ShellGraces } from "./shell-process.ts";
import { createStreamAccount } from "./stream-account.ts";
import { parseInput } from "./tool-input.ts";

export type BashInput = {
  readonly command: string;
  readonly description: string;
  readonly timeout?: number;
  readonly workdir?: string;
};

export type BashParts = {
  readonly shellPath: string;
  readonly childEnvironment: () => Readonly<Record<string, string>>;
  /** Milliseconds of any steady clock. */
  readonly now: () => number;
  /** How long a command has to end after it was told to; the usual times if left out. */
  readonly shellGraces?: ShellGraces;
};

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    command: { type: "string", minLength: 1 },
    description: { type: "string", description: "what it does, in a few words" },
    timeout: { type: "number", minimum: 0, description: "seconds; default 120, at most 600" },
    workdir: { type: "string" },
  },
  required: ["command", "description"],
};

const timeoutDefaultSeconds = 120;
const timeoutMaxSeconds = 600;
const leadingSleepMaxSeconds = 5;

/** No program may wait for a password or a key press. */
const quietEnvironment = { GIT_TERMINAL_PROMPT: "0", PAGER: "cat", GIT_PAGER: "cat" } as const;

export function createBashTool(parts: BashParts): Tool<BashInput> {
  return {
    name: "bash",
    description: textBeside(import.meta.url, "./bash.md"),
    inputSchema,
    resultCharactersMax: 30_000,
    parse: (input) => parseInput<BashInput>(inputSchema, input),
    validate: async (input, context) => describeUnusable(input, context.cwd),
    needs: (input, cwd) => [needCommand(input, cwd)],
    readOnly: () => false,
    concurrencySafe: () => false,
    run: (input, context) => runCommand(parts, input, context),
  };
}

function needCommand(input: BashInput, cwd: string): Need {
  return {
    permission: "bash",
    patterns: [input.command],
    always: [input.command],
    access: "execute",
    paths: [workdirOf(input, cwd)],
  };
}

function workdirOf(input: BashInput, cwd: string): string {
  return resolve(cwd, input.workdir ?? ".");
}

function describeUnusable(input: BashInput, cwd: string): string | undefined {
  if (input.command.trim() === "") return "The command is empty.";
  if (input.command.includes("\0")) return "The command contains a NUL character, which no shell accepts.";
  const workdir = workdirOf(input, cwd);
  if (lookAt(workdir)?.isDirectory() !== true) return `The working directory ${workdir} does not exist.`;
  if (leadingSleepSeconds(input.command) > leadingSleepMaxSeconds)
    return `Do not wait with sleep for more than ${leadingSleepMaxSeconds} seconds; run the command you wait for itself, with a timeout.`;
  return undefined;
}

const secondsPerUnit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

function leadingSleepSeconds(command: string): number {
  const amounts = /^\s*(?:command\s+)?sleep((?:\s+(?:infinity|[\d.]+[smhd]?)(?![\w.]))+)/.exec(command)?.[1];
  if (amounts === undefined) return 0;
  return amounts
    .trim()
    .split(/\s+/)
    .map((amount) => (amount === "infinity" ? Number.POSITIVE_INFINITY : Number.parseFloat(amount) * unitOf(amount)))
    .reduce((sum, seconds) => sum + seconds, 0);
}

function unitOf(amount: string): number {
  return secondsPerUnit[amount.at(-1) ?? ""] ?? 1;
}

async function runCommand(parts: BashParts, input: BashInput, context: ToolContext): Promise<ToolOutput> {
  const timeoutSeconds = Math.min(input.timeout ?? timeoutDefaultSeconds, timeoutMaxSeconds);
  const startedMs = parts.now();
  const account = createStreamAccount();
  const end = await runShell({
    shellPath: parts.shellPath,
    command: input.command,
    cwd: workdirOf(input, context.cwd),
    environment: { ...parts.childEnvironment(), ...quietEnvironment },
    timeoutMs: timeoutSeconds * 1_000,
    signal: context.signal,
    onOutput: (chunk, stream) => {
      account.add(chunk, stream);
      context.sink.write(chunk, stream);
    },
    ...(parts.shellGraces && { graces: parts.shellGraces }),
  });
  const title = input.description || input.command;
  if (end.kind === "not-started") return { output: end.problem, isError: true, title };

  const durationMs = Math.round(parts.now() - startedMs);
  const text = context.sink.text();
  const separator = text === "" || text.endsWith("\n") ? "" : "\n";
  return {
    output: `${text}${separator}(${describeEnd(end, timeoutSeconds)}, ${durationMs} ms)`,
    // An exit code or a timeout is a result; a command that the user stopped is not one.
    ...(end.stoppedBy === "abort" && { isError: true }),
    title,
    metadata: {
      exitCode: end.exitCode,
      signal: end.signal,
      durationMs,
      timedOut: end.stoppedBy === "timeout",
      interrupted: end.stoppedBy === "abort",
      truncated: context.sink.truncated,
      ...account.result(),
    },
  };
}

function describeEnd(end: Extract<ShellEnd, { kind: "ended" }>, timeoutSeconds: number): string {
  switch (end.stoppedBy) {
    case "timeout":
      return `timed out after ${timeoutSeconds} s and was ended`;
    case "abort":
      return "interrupted by the user";
    case "nothing":
      return end.signal === null ? `exit code ${end.exitCode}` : `ended by ${end.signal}`;
  }
}
