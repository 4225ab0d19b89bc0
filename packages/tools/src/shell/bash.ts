/** The `bash` tool: runs one shell command, or starts it as a job, and reports what it printed and how it ended. */
import type { Tool, ToolContext, ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { lookAt } from "../searching/file-search.ts";
import { type BashInput, createBashInputReader } from "./bash-input.ts";
import { describeEnded, describeMovedJob, describeStartedJob } from "./bash-result.ts";
import { type BashSettings, bashSettingsDefault } from "./bash-settings.ts";
import { createBashSurroundings, type Environment, type SurroundingParts } from "./bash-surroundings.ts";
import type { Interceptor } from "./command/intercept-command.ts";
import { describeWaiting } from "./command/waiting-command.ts";
import { movingOf, runInFront } from "./front-run.ts";
import { startShellJob } from "./job/shell-job.ts";
import { shortenOutput } from "./output/shorten-output.ts";
import { createStreamAccount } from "./output/stream-account.ts";
import {
  type CommandToConfine,
  type Confine,
  type ConfineLook,
  confinedStart,
  lookStart,
  type StartedIn,
} from "./process/confined-start.ts";
import { createLookRecord } from "./process/look-record.ts";
import type { ShellCommand, ShellGraces, ShellProblem } from "./process/shell-command.ts";
import { usualGraces } from "./process/shell-process.ts";
import { type OpenedTerminal, type PtyParts, prepareTerminal } from "./process/terminal-shell.ts";
import { createHostQuestions, rawConnectionNote } from "./sandbox-network.ts";

export type BashParts = SurroundingParts & {
  readonly shellPath: string;
  /** Milliseconds of any steady clock. */
  readonly now: () => number;
  /** The usual settings where left out. */
  readonly bash?: Partial<BashSettings>;
  /** Resolves when commands can be told from each other; awaited before one is judged. */
  readonly readCommands?: () => Promise<void>;
  /** Runs commands inside of a sandbox; without it they run as they are. */
  readonly confine?: Confine;
  /** Runs commands that look where they cannot act; without it none runs unasked for that reason. */
  readonly confineLook?: ConfineLook;
  /** Resolves when it is known whether looks can be confined; awaited before one is judged. */
  readonly prepareLooks?: () => Promise<void>;
  /** False turns background jobs away; true if left out. */
  readonly jobsEnabled?: boolean;
  /** Whether a person follows the session; false if left out. */
  readonly isInteractive?: boolean;
  /** How long a command has to end after it was told to; the usual times if left out. */
  readonly shellGraces?: ShellGraces;
  /** Without it no command is turned away in favour of another tool. */
  readonly interceptor?: Interceptor;
  /** Without it every command runs without a terminal. */
  readonly pty?: PtyParts;
};

const resultCharactersMax = 30_000;

export function createBashTool(parts: BashParts): Tool<BashInput> {
  const { jobsEnabled = true, isInteractive = false, interceptor, rcSnapshot } = parts;
  const settings = { ...bashSettingsDefault, ...parts.bash };
  const reader = createBashInputReader(settings);
  const { standsIn, baseOf, workdirOf, changesNothing, environmentOf } = createBashSurroundings(parts, reader);
  const newMark = createMarks(parts.now);
  let isSnapshotProblemTold = false;

  /** In the background nobody sees the end, so that is never only a look. */
  const onlyLooks = (input: BashInput) => input.background !== true && changesNothing(input);

  async function run(input: BashInput, context: ToolContext): Promise<ToolOutput> {
    const cwd = workdirOf(input, context.cwd);
    const title = input.description || input.command;
    const environment = await environmentOf(input, context);
    const command = reader.commandOf(input);
    const mark = newMark(context);
    if (input.background) return startInBackground({ parts, title, command, cwd, environment, mark }, context);
    const timeoutSeconds = reader.timeoutSeconds(input);
    const timeoutMs = timeoutSeconds * 1_000;
    const startedMs = parts.now();
    const account = createStreamAccount();
    const terminal = await terminalFor(parts, input, context);
    const looked = context.look && createLookRecord({ hasTerminal: terminal !== undefined });
    const shell = {
      shellPath: parts.shellPath,
      command,
      cwd,
      environment: terminal === undefined ? environment : withoutDumbTerminal(environment, input),
      mark,
      timeoutMs,
      signal: terminal === undefined ? context.signal : AbortSignal.any([context.signal, terminal.signal]),
      onOutput: (chunk: string, stream: "stdout" | "stderr") => {
        account.add(chunk, stream);
        looked?.add(chunk, stream);
        context.sink.write(chunk, stream);
      },
      ...(parts.shellGraces && { graces: parts.shellGraces }),
      ...(terminal && { open: terminal.open }),
    };
    const hosts = createHostQuestions(context);
    const how = { kind: terminal === undefined ? ("pipes" as const) : ("terminal" as const), askHost: hosts.askHost };
    const start = await startOf(parts, shell, how, context);
    if (start !== undefined && "problem" in start) return notStarted(start, title, context);
    const end = await runInFront({
      shell: start === undefined ? shell : { ...shell, start },
      moving: jobsEnabled ? movingOf(settings, timeoutMs, { isInteractive }) : { atTimeout: false },
      context,
      now: parts.now,
    }).finally(() => hosts.close());
    if (end.kind === "not-started") return { output: end.problem, isError: true, title };
    const dump = context.sink.dump();
    if (end.kind === "moved") return describeMovedJob(end.job, dump, title);
    const move = { startedIn: cwd, stoodIn: standsIn(context.cwd), endedIn: end.directory };
    const moved = parts.shellDirectory?.follow(move);
    const full = { command: input.command, dump, artifacts: context.artifacts, charactersMax: resultCharactersMax };
    const shortened = settings.minimizer ? shortenOutput(full) : undefined;
    const durationMs = parts.now() - startedMs;
    const confinement =
      looked !== undefined && start !== undefined && "outcomeOf" in start
        ? start.outcomeOf(looked.ended(end.exitCode, shortened?.text ?? dump.output))
        : {};
    const to = standsIn(context.cwd);
    // A model that entered a directory long ago does not remember it.
    const place = moved ?? (to === context.cwd ? undefined : `The working directory is ${to}.`);
    const isSandboxed = start !== undefined && context.look === undefined;
    const network = isSandboxed && end.exitCode !== 0 ? rawConnectionNote(shortened?.text ?? dump.output) : undefined;
    const notes = [snapshotProblem(), place, confinement.note, network];
    const ended = { title, end, timeoutSeconds, durationMs, dump, streams: account.result(), shortened, notes };
    const { blocked } = end.stoppedBy === "nothing" ? confinement : {};
    const described = describeEnded(ended, context);
    const went = to === move.stoodIn ? {} : { directory: { from: move.stoodIn, to } };
    const metadata = { ...described.metadata, ...went };
    return { ...described, metadata, ...(blocked !== undefined && { blocked }) };
  }

  function snapshotProblem(): string | undefined {
    const problem = isSnapshotProblemTold ? undefined : rcSnapshot?.problem();
    isSnapshotProblemTold ||= problem !== undefined;
    return problem;
  }

  return {
    name: "bash",
    description: textBeside(import.meta.url, "./bash.md"),
    inputSchema: reader.schema,
    resultCharactersMax,
    warmUp: () => {
      // Whoever judges the command awaits it again, and hears there what went wrong.
      parts.readCommands?.().catch(() => undefined);
    },
    parse: (input) => reader.parse(input),
    async validate(input, context) {
      if (input.background && !jobsEnabled)
        return "Background jobs are turned off by the setting jobs.enabled. Run the command without background.";
      // Before permission, so that whoever judges the command can read it and knows what the snapshot redefines.
      await parts.readCommands?.();
      await rcSnapshot?.prepare(context.signal);
      if (changesNothing(input)) await parts.prepareLooks?.();
      return (
        describeUnusable(input.command, workdirOf(input, context.cwd)) ??
        (input.background ? undefined : describeWaiting(input.command)) ??
        interceptor?.refuse(input.command)
      );
    },
    needs: (input, cwd) => [reader.needOf(input, baseOf(input, cwd))],
    // All of what runs and where, because a question may be about a part of it only.
    preview: async (input, context) => {
      const cwd = workdirOf(input, context.cwd);
      return `${reader.needOf(input, baseOf(input, context.cwd)).patterns.join("\n")}\n(in ${cwd})`;
    },
    readOnly: (input) => onlyLooks(input),
    concurrencySafe: (input) => onlyLooks(input),
    run,
  };
}

/** Undefined when the command runs without one. */
async function terminalFor(
  { pty }: BashParts,
  input: BashInput,
  { callId, sink }: ToolContext,
): Promise<OpenedTerminal | undefined> {
  if (input.pty !== true || pty?.available() !== true) return undefined;
  return prepareTerminal(pty, { callId, onProblem: (line) => sink.write(line, "stderr") });
}

/** Undefined where nothing confines. */
function startOf(
  { confine, confineLook }: BashParts,
  shell: ShellCommand,
  how: StartedIn & Pick<CommandToConfine, "askHost">,
  { look }: ToolContext,
): ReturnType<typeof confinedStart> | ReturnType<typeof lookStart> {
  return look === undefined ? confinedStart(confine, shell, how) : lookStart(confineLook, shell, { ...how, look });
}

function notStarted({ problem }: ShellProblem, title: string, { look }: ToolContext): ToolOutput {
  return { output: problem, isError: true, title, ...(look !== undefined && { blocked: problem }) };
}

/** Programs on a terminal may draw on it, unless the call says otherwise. */
function withoutDumbTerminal(environment: Environment, { env }: BashInput) {
  const { TERM: _, ...rest } = environment;
  return env?.["TERM"] === undefined ? rest : environment;
}

function describeUnusable(command: string, workdir: string): string | undefined {
  if (command.trim() === "") return "The command is empty.";
  if (command.includes("\0")) return "The command contains a NUL character, which no shell accepts.";
  const found = lookAt(workdir);
  if (found === undefined) return `The working directory ${workdir} does not exist.`;
  return found.isDirectory() ? undefined : `The working directory ${workdir} is not a directory.`;
}

/** Whatever the command leaves behind is found by its mark when the session ends. */
function createMarks(now: () => number): (context: ToolContext) => string {
  let runs = 0;
  return ({ callId, jobs }) => {
    runs += 1;
    // Another session of this process may have a call of the same name and number, but not at the same moment.
    const moment = now().toString(36).replace(".", "_");
    const mark = `${process.pid}-${moment}-${runs}-${callId.replaceAll(/[^\w-]/g, "_")}`;
    jobs.watch(mark);
    return mark;
  };
}

type BackgroundCommand = Pick<ShellCommand, "command" | "cwd" | "environment" | "mark"> & {
  readonly parts: BashParts;
  readonly title: string;
};

async function startInBackground(background: BackgroundCommand, context: ToolContext): Promise<ToolOutput> {
  const { parts, title, mark, ...given } = background;
  const job = { ...given, shellPath: parts.shellPath };
  const until = { signal: context.signal, onOutput: () => undefined };
  const start = await startOf(parts, { ...job, mark, ...until }, { kind: "background" }, context);
  if (start !== undefined && "problem" in start) return notStarted(start, title, context);
  const artifact = context.artifacts.create("bash");
  const graces = parts.shellGraces ?? usualGraces;
  const started =
    start === undefined
      ? context.jobs.start({ ...job, artifact })
      : context.jobs.adopt(startShellJob({ ...job, artifact }, { mark, graces, start }));
  if (started.ok) return describeStartedJob(started.job, artifact, title);
  artifact.close();
  return { output: started.problem, isError: true, title };
}
