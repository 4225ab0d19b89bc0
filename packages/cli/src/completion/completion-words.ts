/** What completion knows: commands with their actions and flags, and what each flag takes. */

import { type Flag, flagTable } from "../arguments/flags.ts";
import { commandHelps, flagHelps } from "../arguments/help.ts";
import { actionsOf, commandTable } from "../commands/command-table.ts";

export type CompletedCommand = {
  readonly name: string;
  readonly summary: string;
  readonly actions: readonly string[];
};

export type CompletedFlag = {
  readonly names: readonly string[];
  readonly summary: string;
  /** What is offered after it: nothing, a fixed list, files, or something that only the user knows. */
  readonly value: "none" | "files" | "text" | readonly string[];
};

export type CompletionWords = {
  readonly commands: readonly CompletedCommand[];
  /** Offered everywhere. */
  readonly mainFlags: readonly CompletedFlag[];
  /** Offered after a command, or after command and action, beside the main ones. */
  readonly flagsOf: readonly { readonly command: string; readonly flags: readonly CompletedFlag[] }[];
  readonly allFlags: readonly CompletedFlag[];
};

export function completionWords(): CompletionWords {
  const commands = commandHelps();
  const flags = flagHelps();
  const completed = (flag: Flag): CompletedFlag => ({
    names: flag.names,
    summary: flags[flag.names[0] ?? ""]?.summary ?? "",
    value: completedValue(flag),
  });
  const isMain = ({ names: [first = ""] }: Flag) => flags[first]?.group !== undefined;
  return {
    commands: commandTable.map((row) => ({
      name: row.name,
      summary: commands[row.name]?.summary ?? "",
      // Help is asked about commands.
      actions: row.name === "help" ? commandTable.map(({ name }) => name) : actionsOf(row),
    })),
    mainFlags: flagTable.filter(isMain).map(completed),
    flagsOf: Object.entries(commands).flatMap(([command, help]) => {
      const own = flagTable.filter((flag) => help.flags.includes(flag.names[0] ?? "") && !isMain(flag));
      return own.length === 0 ? [] : [{ command, flags: own.map(completed) }];
    }),
    allFlags: flagTable.map(completed),
  };
}

const takesFiles: ReadonlySet<string> = new Set(["file", "path", "schema"]);

function completedValue({ takes, values }: Flag): CompletedFlag["value"] {
  if (values !== undefined) return values;
  if (takes === undefined) return "none";
  return takesFiles.has(takes) ? "files" : "text";
}
