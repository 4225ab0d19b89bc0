/** Where a command of `bash` runs and with which environment, and whether it only looks there. */
import { resolve } from "node:path";
import type { ToolContext } from "@kedge/protocol";
import type { BashInput, BashInputReader } from "./bash-input.ts";
import { hardeningVariables, lookingVariables } from "./process/hardening-variables.ts";
import type { RcSnapshot } from "./process/rc-snapshot.ts";
import type { ShellDirectory } from "./shell-directory.ts";

export type Environment = Readonly<Record<string, string>>;

export type SurroundingParts = {
  readonly childEnvironment: () => Environment;
  /** Whether a command changes nothing, run in this directory, which may be relative; none does if left out. */
  readonly onlyLooks?: (command: string, directory: string) => boolean;
  /** What of an environment a command that only looks is given; all of it if left out. */
  readonly lookEnvironment?: (environment: Environment) => Environment;
  /** Without it every command starts in the directory of the session. */
  readonly shellDirectory?: ShellDirectory;
  /** Without it commands do not know what the user's start-up files define. */
  readonly rcSnapshot?: RcSnapshot;
};

export type BashSurroundings = {
  /** The directory that the next command starts in unless it names one. */
  standsIn(cwd: string): string;
  /** What a relative directory of the input counts from: the session's, which the file tools use as well. */
  baseOf(input: BashInput, cwd: string): string;
  workdirOf(input: BashInput, cwd: string): string;
  changesNothing(input: BashInput): boolean;
  environmentOf(input: BashInput, context: ToolContext): Promise<Environment>;
};

export function createBashSurroundings(
  parts: SurroundingParts,
  reader: Pick<BashInputReader, "needOf">,
): BashSurroundings {
  const { rcSnapshot, shellDirectory, lookEnvironment = (environment) => environment } = parts;
  const standsIn = (cwd: string) => shellDirectory?.current() ?? cwd;

  function changesNothing(input: BashInput): boolean {
    if (parts.onlyLooks === undefined) return false;
    const stands = isAskedFor(input) ? undefined : shellDirectory?.current();
    const directory = stands === undefined ? input.workdir : resolve(stands, input.workdir ?? ".");
    const { patterns } = reader.needOf(input, directory ?? ".");
    return patterns.every((text) => parts.onlyLooks?.(text, directory ?? ".") === true);
  }

  const baseOf = (input: BashInput, cwd: string) => (isAskedFor(input) ? cwd : standsIn(cwd));

  return {
    standsIn,
    baseOf,
    workdirOf: (input, cwd) => resolve(baseOf(input, cwd), input.workdir ?? "."),
    changesNothing,
    async environmentOf(input, context) {
      await rcSnapshot?.prepare(context.signal);
      const own = { ...hardeningVariables, ...rcSnapshot?.variables(), ...input.env };
      if (context.look === undefined && !changesNothing(input)) return { ...parts.childEnvironment(), ...own };
      return { ...lookEnvironment(parts.childEnvironment()), ...own, ...lookingVariables };
    },
  };
}

/** By `workdir`, and not by a `cd` in the command, which counts from where the shell stands. */
function isAskedFor({ workdir, isEntered }: BashInput): boolean {
  return workdir !== undefined && isEntered !== true;
}
