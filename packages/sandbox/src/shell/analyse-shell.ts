/** Tells before it runs what a bash text would do: every command in it, the files it touches, what needs a person. */
import type { AnalyseShell, ShellAnalysis, ShellPlace } from "@kedge/protocol";
import { findHiddenCharacter } from "./odd-characters.ts";
import { rawCommands } from "./raw-commands.ts";
import type { LookIntoProgram } from "./shell-command.ts";
import { createVariables } from "./shell-variables.ts";
import { createWalk, type ShellWalk } from "./shell-walk.ts";
import { walkText } from "./walk-script.ts";

export type ShellAnalyserParts = { readonly lookInto: LookIntoProgram };

/** Longer texts are not read, so that an answer never takes long. */
const charactersMax = 10_000;

export function createShellAnalyser({ lookInto }: ShellAnalyserParts): AnalyseShell {
  return (command, place) => {
    const refusal = findRefusal(command);
    if (refusal !== undefined) return notUnderstood(command, refusal);
    try {
      return toAnalysis(command, walkWhole(command, { place, lookInto }));
    } catch (error) {
      // A defect here must not decide what may run: a person does, and reads what went wrong.
      return notUnderstood(command, `Reading it failed: ${error instanceof Error ? error.message : String(error)}.`);
    }
  };
}

function findRefusal(command: string): string | undefined {
  if (command.length > charactersMax) return `It has more than ${charactersMax} characters.`;
  const hidden = findHiddenCharacter(command);
  return hidden === undefined ? undefined : `It contains an invisible character: ${hidden}.`;
}

type Parts = { readonly place: ShellPlace; readonly lookInto: LookIntoProgram };

function walkWhole(command: string, parts: Parts): ShellWalk {
  const walkOnce = (isCallUnclear: boolean) => {
    const walk = createWalk({ ...parts, walkText, isCallUnclear });
    const scope = { input: { kind: "inherited" }, depth: 0, isPlain: true, variables: createVariables() } as const;
    walkText(walk, command, { ...scope }, [parts.place.cwd]);
    return walk;
  };
  const walk = walkOnce(false);
  // A function runs where it is called: without following calls, that may be anywhere once the directory changes.
  const isCallUnclear = walk.functions.size > 0 && (walk.moves > 0 || walk.feedsFunction);
  return isCallUnclear ? walkOnce(true) : walk;
}

function notUnderstood(command: string, why: string): ShellAnalysis {
  return { commands: rawCommands(command), files: [], concerns: [], unknown: why, readOnly: false, looksAt: "files" };
}

function toAnalysis(command: string, walk: ShellWalk): ShellAnalysis {
  const { files, concerns, unknown, guard } = walk;
  const commands = unknown === undefined ? walk.commands : [...walk.commands, ...rawCommands(command)];
  const onlyLooks =
    commands.length > 0 &&
    commands.every((one) => one.readOnly || one.isTransparent) &&
    files.every(({ access }) => access === "read") &&
    concerns.length === 0;
  return {
    commands,
    files,
    concerns,
    ...(unknown === undefined ? {} : { unknown }),
    ...(guard === undefined ? {} : { guard }),
    readOnly: onlyLooks && unknown === undefined && guard === undefined,
    looksAt: commands.some((one) => one.looksAt === "machine") ? "machine" : "files",
  };
}
