/** Rewrites the habits of models into what they mean, so that permission, person and journal see what runs. */
import { type ShellOperator, splitShell } from "@kedge/protocol";
import { endlessProducers } from "./endless-producers.ts";

export type NormalisedCommand = {
  readonly command: string;
  /** Where a leading `cd` went. */
  readonly directory?: string;
};

export type NormaliseOptions = {
  readonly keepsDirectory: boolean;
  /** Leaves the end of the command as it is. */
  readonly keepsHeadAndTail: boolean;
};

/** Every step leaves the command alone unless it can be sure that the same is run. */
export function normaliseCommand(command: string, options: NormaliseOptions): NormalisedCommand {
  const led = options.keepsDirectory ? undefined : takeLeadingDirectory(command);
  const entered = led?.command ?? command;
  const rest = options.keepsHeadAndTail ? entered : dropMergedErrors(dropHeadOrTail(dropMergedErrors(entered)));
  return led === undefined ? { command: rest } : { command: rest, directory: led.directory };
}

/** A plain path in plain or no quotes, on the first line. */
const leadingDirectory =
  /^[ \t]*cd[ \t]+(?:--[ \t]+)?(?:'([^'\n]+)'|"([^"$`\\!\n]+)"|([\w./@:,+=%-]+))[ \t]*&&[ \t]*(?=\S)/;
/** Words that ask where the shell was before, which a shell that starts in the directory cannot know. */
const looksBack = /OLDPWD|~[-+]|\b(?:cd|pushd|popd|dirs)\b/;

function takeLeadingDirectory(command: string): { readonly command: string; readonly directory: string } | undefined {
  const match = leadingDirectory.exec(command);
  const directory = match?.[1] ?? match?.[2] ?? match?.[3];
  if (match === null || directory === undefined || !isPlainPath(directory)) return undefined;
  const rest = command.slice(match[0].length);
  if (looksBack.test(rest)) return undefined;
  // After any other operator something would run even if the directory could not be entered.
  const isChain = findOperators(rest)?.every(({ operator }) => ["&&", "|", "|&"].includes(operator)) === true;
  return isChain ? { command: rest, directory } : undefined;
}

/** Steps upwards only at the beginning: a shell refuses `missing/..`, which looks harmless as a path. */
function isPlainPath(path: string): boolean {
  const steps = path.split("/");
  const firstName = steps.findIndex((step) => step !== "" && step !== "." && step !== "..");
  return !/^[-~]/.test(path) && (firstName === -1 || !steps.slice(firstName).includes(".."));
}

const headOrTail = /^[ \t]*(?:head|tail)(?:[ \t]+(?:-n[ \t]*|-|--lines=)\d+)?[ \t]*$/;

/** The result shows the beginning and the end of any output by itself, and all of it stays readable. */
function dropHeadOrTail(command: string): string {
  const last = findOperators(command)?.at(-1);
  if (last === undefined || (last.operator !== "|" && last.operator !== "|&")) return command;
  if (!headOrTail.test(command.slice(last.end))) return command;
  const producer = command.slice(0, last.start).trimEnd();
  return producer === "" || endlessProducers.some((pattern) => pattern.test(producer)) ? command : producer;
}

const mergedErrors = /[ \t]2>&1[ \t]*$/;

/** Both streams reach the result anyhow, unless standard output goes elsewhere. */
function dropMergedErrors(command: string): string {
  const match = mergedErrors.exec(command);
  const rest = match === null ? command : command.slice(0, match.index).trimEnd();
  if (match === null || rest === "" || /\bexec\b/.test(rest)) return command;
  const operators = findOperators(rest);
  if (operators === undefined) return command;
  const lastCommand = rest.slice(operators.at(-1)?.end ?? 0);
  return lastCommand.trim() === "" || /[<>\\]/.test(lastCommand) ? command : rest;
}

/** Undefined where mere text cannot tell for sure. */
function findOperators(command: string): readonly ShellOperator[] | undefined {
  const { operators, isPlain } = splitShell(command);
  return isPlain ? operators : undefined;
}
