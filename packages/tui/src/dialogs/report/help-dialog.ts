/** Every key, every command and every prefix, from the same tables that the program reads. */

import type { Dialog } from "../../screen/view.ts";
import { helpTexts } from "../../texts/reports.ts";
import type { Theme } from "../../theme/theme.ts";
import { type GroupedRow, groupedLines, matchingRows } from "./grouped-rows.ts";
import { createReadingDialog } from "./reading-dialog.ts";

export type HelpAction = {
  readonly name: string;
  readonly group: string;
  readonly summary: string;
  /** As they are set now; empty where none is. */
  readonly keys: readonly string[];
};

export type HelpCommand = {
  /** Without the slash, like the aliases. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly argumentHint?: string;
};

export type HelpDialogProps = {
  readonly actions: readonly HelpAction[];
  readonly commands: readonly HelpCommand[];
  readonly theme: () => Theme;
  readonly query?: string;
};

const prefixRows: readonly GroupedRow[] = [
  { group: helpTexts.prefixes, label: "/", value: helpTexts.command },
  { group: helpTexts.prefixes, label: "@", value: helpTexts.file },
  {
    group: helpTexts.prefixes,
    label: "!",
    value: helpTexts.shell,
  },
  { group: helpTexts.prefixes, label: "!!", value: helpTexts.privateShell },
  { group: helpTexts.prefixes, label: "#", value: helpTexts.note },
];

const mouseRows: readonly GroupedRow[] = [
  { group: helpTexts.mouse, label: helpTexts.wheel, value: helpTexts.aboutWheel },
  { group: helpTexts.mouse, label: helpTexts.click, value: helpTexts.aboutClick },
  { group: helpTexts.mouse, label: helpTexts.drag, value: helpTexts.aboutDrag },
];

export function createHelpDialog({ actions, commands, theme, query }: HelpDialogProps): Dialog {
  const rows = [...actions.map(actionRow), ...commands.map(commandRow), ...prefixRows, ...mouseRows];
  return createReadingDialog<readonly GroupedRow[]>({
    title: helpTexts.title,
    theme,
    content: () => rows,
    loadingText: "",
    isFiltered: true,
    query,
    draw: (all, { width, theme: colours, query: typed }) => groupedLines(matchingRows(all, typed), width, colours),
  });
}

function actionRow({ group, summary, keys }: HelpAction): GroupedRow {
  const name = helpTexts.keys(group);
  return keys.length === 0
    ? { group: name, label: helpTexts.noKey, value: summary, tone: "dim" }
    : { group: name, label: keys.join(", "), value: summary };
}

function commandRow({ name, aliases, summary, argumentHint }: HelpCommand): GroupedRow {
  const label = argumentHint === undefined ? `/${name}` : `/${name} ${argumentHint}`;
  const also = aliases.map((alias) => `/${alias}`).join(", ");
  return {
    group: helpTexts.commands,
    label,
    value: also === "" ? summary : helpTexts.commandWithAliases({ summary, aliases: also }),
  };
}
