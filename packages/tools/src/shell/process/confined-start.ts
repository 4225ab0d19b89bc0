/** Prepares the start of a command inside a sandbox, where one is wanted; without its sandbox it does not start. */
import type { Look } from "@kedge/protocol";
import { withDirectoryReport } from "./directory-report.ts";
import { withMark } from "./marked-processes.ts";
import type { ShellCommand, ShellProblem, ShellStart } from "./shell-command.ts";

export type CommandToConfine = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly hasTerminal: boolean;
  /** Asked while the command waits, about a host that it may not reach unasked. */
  readonly askHost?: (host: string) => Promise<boolean>;
};

/** Gives the process that runs the given one inside, or says why there is none. */
export type Confine = (command: CommandToConfine) => Promise<ShellStart | ShellProblem>;

/** The same for a command that only looks, which can neither act nor see what is hidden. */
export type ConfineLook = (command: CommandToConfine, look: Look) => Promise<LookStart | ShellProblem>;

export type LookStart = ShellStart & {
  /** Whether being confined stood in its way, and what of its result is not as it would be elsewhere. */
  outcomeOf(end: LookEnd): { readonly blocked?: string; readonly note?: string };
};

export type LookEnd = {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  /** More than errors. */
  readonly hasOutput: boolean;
  /** The beginning of what it printed as errors, or of everything where these are not apart. */
  readonly complaint: string;
  /** What the model will read. */
  readonly shown: string;
};

export type StartedIn = {
  /** `pipes` report where the shell stood at its end; nobody asks the others. */
  readonly kind: "pipes" | "terminal" | "background";
};

/** What is started by itself: the shell with the command. */
export function plainStart(command: ShellCommand, { kind }: StartedIn): Omit<ShellStart, "release"> {
  const { shellPath, cwd } = command;
  const text = kind === "pipes" ? withDirectoryReport(command.command, shellPath) : command.command;
  // A shell keeps the name it is given for its directory, with the links in it, only if this says the same.
  const environment = { ...withMark(command.environment, command.mark), PWD: cwd };
  return { file: shellPath, args: ["-c", text], environment, descriptors: [] };
}

/** Undefined where nothing confines. */
export async function confinedStart(
  confine: Confine | undefined,
  command: ShellCommand,
  how: StartedIn & Pick<CommandToConfine, "askHost">,
): Promise<ShellStart | ShellProblem | undefined> {
  const { file, args, environment } = plainStart(command, how);
  const { kind, askHost } = how;
  const hasTerminal = kind === "terminal";
  return confine?.({ file, args, cwd: command.cwd, environment, hasTerminal, ...(askHost && { askHost }) });
}

/** A look never starts without. */
export async function lookStart(
  confineLook: ConfineLook | undefined,
  command: ShellCommand,
  how: StartedIn & { readonly look: Look },
): Promise<LookStart | ShellProblem> {
  if (confineLook === undefined) return { problem: "Commands that only look cannot be confined here." };
  const { file, args, environment } = plainStart(command, how);
  return confineLook({ file, args, cwd: command.cwd, environment, hasTerminal: how.kind === "terminal" }, how.look);
}
