/** Prepares the start of a command inside a sandbox, where one is wanted; without its sandbox it does not start. */
import { withDirectoryReport } from "./directory-report.ts";
import { withMark } from "./marked-processes.ts";
import type { ShellCommand, ShellProblem, ShellStart } from "./shell-command.ts";

/** Gives the process that runs the given one inside, or says why there is none. */
export type Confine = (command: {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly hasTerminal: boolean;
}) => Promise<ShellStart | ShellProblem>;

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
  how: StartedIn,
): Promise<ShellStart | ShellProblem | undefined> {
  const { file, args, environment } = plainStart(command, how);
  return confine?.({ file, args, cwd: command.cwd, environment, hasTerminal: how.kind === "terminal" });
}
