/** The `bash` tool: runs one shell command, or starts it as a job, and reports what it printed and how it ended. */
import { resolve } from "node:path";
import type { JsonObject, OutputDump, Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { lookAt } from "../searching/file-search.ts";
import { type BashInput, bashInputSchema, needCommand, parseBashInput } from "./bash-input.ts";
import { hardeningVariables } from "./hardening-variables.ts";
import { createInterceptor, type InterceptorOptions } from "./intercept-command.ts";
import type { ShellDirectory } from "./shell-directory.ts";
import { runShell, type ShellEnd, type ShellGraces } from "./shell-process.ts";
import { createStreamAccount } from "./stream-account.ts";
import { describeWaiting } from "./waiting-command.ts";

export type BashParts = {
  readonly shellPath: string;
  readonly childEnvironment: () => Readonly<Record<string, string>>;
  /** Milliseconds of any steady clock. */
  readonly now: () => number;
  /** How long a command has to end after it was told to; the usual times if left out. */
  readonly shellGraces?: ShellGraces;
  /** Without it every command starts in the directory of the session. */
  readonly shellDirectory?: ShellDirectory;
  /** Without it no command is turned away in favour of another tool. */
  readonly interceptor?: InterceptorOptions;
};

type Ended = Extract<ShellEnd, { kind: "ended" }>;

const timeoutDefaultSeconds = 120;
const timeoutMaxSeconds = 600;

export function createBashTool(parts: BashParts): Tool<BashInput> {
  const intercept = parts.interceptor && createInterceptor(parts.interceptor);
  let runs = 0;

  const standsIn = (cwd: string) => parts.shellDirectory?.current() ?? cwd;
  const workdirOf = (input: BashInput, cwd: string) => resolve(standsIn(cwd), input.workdir ?? ".");
  const environmentOf = (input: BashInput) => ({ ...parts.childEnvironment(), ...hardeningVariables, ...input.env });

  async function run(input: BashInput, context: ToolContext): Promise<ToolOutput> {
    const cwd = workdirOf(input, context.cwd);
    if (input.background) return startJob(input, cwd, context);
    const timeoutSeconds = Math.min(input.timeout ?? timeoutDefaultSeconds, timeoutMaxSeconds);
    const startedMs = parts.now();
    const account = createStreamAccount();
    runs += 1;
    const end = await runShell({
      shellPath: parts.shellPath,
      command: input.command,
      cwd,
      environment: environmentOf(input),
      mark: `${process.pid}-${runs}-${context.callId.replaceAll(/[^\w-]/g, "_")}`,
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

    const dump = context.sink.dump();
    const moved = followDirectory(input, end, { startedIn: cwd, stoodIn: standsIn(context.cwd) });
    const notes = [describeArtifact(dump, context), moved, describeEnd(end, timeoutSeconds)];
    return {
      output: joinResult(dump.output, notes),
      // An exit code or a timeout is a result; a command that the user stopped is not one.
      ...(end.stoppedBy === "abort" && { isError: true }),
      title,
      metadata: {
        exitCode: end.exitCode,
        signal: end.signal,
        durationMs: Math.round(parts.now() - startedMs),
        timedOut: end.stoppedBy === "timeout",
        interrupted: end.stoppedBy === "abort",
        truncated: dump.truncated,
        ...account.result(),
        stderrRanges: dump.stderrRanges,
        ...describeCut(dump),
      },
    };
  }

  function startJob(input: BashInput, cwd: string, context: ToolContext): ToolOutput {
    const title = input.description || input.command;
    const artifact = context.artifacts.create("bash");
    const { command } = input;
    const environment = environmentOf(input);
    const started = context.jobs.start({ command, cwd, environment, shellPath: parts.shellPath, artifact });
    if (!started.ok) {
      artifact.close();
      return { output: started.problem, isError: true, title };
    }
    const { jobId } = started.job;
    return {
      output: `Started as ${jobId}: ${command}\nYou are told when it ends. New output: bash_output {"jobID":"${jobId}"}; to end it: bash_kill {"jobID":"${jobId}"} (search the tools for "background jobs" if you do not have them). All output goes to artifact://${artifact.number} (${artifact.path}).`,
      title,
      metadata: { jobId, artifactId: artifact.number },
    };
  }

  /** Lets the next command start where this one ended, if it went anywhere. */
  function followDirectory(
    input: BashInput,
    { directory }: Ended,
    places: { readonly startedIn: string; readonly stoodIn: string },
  ): string | undefined {
    if (directory === undefined || parts.shellDirectory === undefined) return undefined;
    // A directory that was asked for is for one call.
    const hasMoved = directory !== places.startedIn || input.staysInWorkdir === true;
    if (!hasMoved || directory === places.stoodIn) return undefined;
    if (parts.shellDirectory.remember(directory)) return `The working directory is now ${directory}.`;
    return `${directory} is not an allowed directory; the next command starts in ${places.stoodIn}.`;
  }

  return {
    name: "bash",
    description: textBeside(import.meta.url, "./bash.md"),
    inputSchema: bashInputSchema,
    resultCharactersMax: 30_000,
    parse: parseBashInput,
    validate: async (input, context) =>
      describeUnusable(input.command, workdirOf(input, context.cwd)) ??
      (input.background ? undefined : describeWaiting(input.command)) ??
      intercept?.(input.command),
    needs: (input, cwd) => [needCommand(input, standsIn(cwd))],
    readOnly: () => false,
    concurrencySafe: () => false,
    run,
  };
}

function describeUnusable(command: string, workdir: string): string | undefined {
  if (command.trim() === "") return "The command is empty.";
  if (command.includes("\0")) return "The command contains a NUL character, which no shell accepts.";
  const found = lookAt(workdir);
  if (found === undefined) return `The working directory ${workdir} does not exist.`;
  return found.isDirectory() ? undefined : `The working directory ${workdir} is not a directory.`;
}

function joinResult(output: string, notes: readonly (string | undefined)[]): string {
  const text = output === "" ? "(no output)" : output;
  const lines = notes.filter((note) => note !== undefined);
  if (lines.length === 0) return text;
  return `${text}${text.endsWith("\n") ? "" : "\n"}${lines.join("\n")}`;
}

function describeArtifact({ artifactId }: OutputDump, { artifacts }: ToolContext): string | undefined {
  if (artifactId === undefined) return undefined;
  const path = artifacts.pathOf(artifactId);
  const place = path === undefined ? "" : ` (${path})`;
  return `All output: artifact://${artifactId}${place}; read a part of it with filePath artifact://${artifactId}:100-200.`;
}

function describeCut({ cut, output, truncated, stderrRanges, ...counts }: OutputDump): JsonObject {
  return cut === undefined ? {} : { cut: { ...cut, ...counts } };
}

function describeEnd(end: Ended, timeoutSeconds: number): string | undefined {
  switch (end.stoppedBy) {
    case "timeout":
      return `Command timed out after ${timeoutSeconds} s and was ended. Give it a longer timeout or background: true.`;
    case "abort":
      return "Command was interrupted by the user";
    case "output":
      return "Command printed more than 50 MB and was ended. Let it print less, or write into a file.";
    case "nothing":
      if (end.signal !== null) return `Command was ended by ${end.signal}`;
      return end.exitCode === 0 ? undefined : `Command exited with code ${end.exitCode}`;
  }
}
