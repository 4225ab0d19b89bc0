/** What a slash command is: one row of the table, the same for the prompt, the palette, completion and the manual. */

import type { Action } from "../keys/actions.ts";
import { groupTexts } from "../texts/palette.ts";
import type { ArgumentContext, CommandContext } from "./command-context.ts";

export const commandGroups = [groupTexts.session, groupTexts.model, groupTexts.view, groupTexts.kedge] as const;
export type CommandGroup = (typeof commandGroups)[number];

export type SlashCommand = {
  /** Without the slash, like the aliases. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** Reads on after the name: a verb first. */
  readonly summary: string;
  /** `<level>` for one that is needed, `[title]` for one that may be left out. */
  readonly argumentHint?: string;
  /** What may stand there, for completion. */
  readonly arguments?:
    | readonly string[]
    | ((context: ArgumentContext, signal: AbortSignal) => Promise<readonly string[]>);
  readonly group: CommandGroup;
  /** The named action that does the same by a key. */
  readonly action?: Action;
  /** Would be refused while a run is under way, so that it is not offered then. */
  readonly isHiddenWhileBusy?: true;
  /** The argument is trimmed and may have several lines. What goes wrong is told to the user in here. */
  readonly run: (argument: string, context: CommandContext) => Promise<void> | void;
};

export function isArgumentNeeded({ argumentHint }: SlashCommand): boolean {
  return argumentHint?.startsWith("<") ?? false;
}

export function offeredCommands(
  commands: readonly SlashCommand[],
  { isBusy }: { readonly isBusy: boolean },
): readonly SlashCommand[] {
  return isBusy ? commands.filter(({ isHiddenWhileBusy }) => isHiddenWhileBusy !== true) : commands;
}

export function findCommand(commands: readonly SlashCommand[], name: string): SlashCommand | undefined {
  return commands.find((command) => command.name === name || command.aliases.includes(name));
}
