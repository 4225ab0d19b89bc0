/** Every key, every command and every prefix, from the same tables that the program reads. */
import type { Dialog } from "../../screen/view.ts";
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
  { group: "Prefixes", label: "/", value: "a command" },
  { group: "Prefixes", label: "@", value: "a project file or directory" },
  {
    group: "Prefixes",
    label: "!",
    value: "a shell command; its output goes to the model with your next prompt",
  },
  { group: "Prefixes", label: "!!", value: "a shell command the model never sees" },
  { group: "Prefixes", label: "#", value: "a note saved to memory and sent with your next prompt" },
];

const mouseRows: readonly GroupedRow[] = [
  { group: "Mouse", label: "wheel", value: "scroll" },
  { group: "Mouse", label: "click", value: "expand a group, choose in a list, place the cursor" },
  { group: "Mouse", label: "shift and drag", value: "select text (handled by the terminal)" },
];

export function createHelpDialog({ actions, commands, theme, query }: HelpDialogProps): Dialog {
  const rows = [...actions.map(actionRow), ...commands.map(commandRow), ...prefixRows, ...mouseRows];
  return createReadingDialog<readonly GroupedRow[]>({
    title: "Help",
    theme,
    content: () => rows,
    loadingText: "",
    isFiltered: true,
    query,
    draw: (all, { width, theme: colours, query: typed }) => groupedLines(matchingRows(all, typed), width, colours),
  });
}

function actionRow({ group, summary, keys }: HelpAction): GroupedRow {
  const name = `Keys: ${group}`;
  return keys.length === 0
    ? { group: name, label: "no key", value: summary, tone: "dim" }
    : { group: name, label: keys.join(", "), value: summary };
}

function commandRow({ name, aliases, summary, argumentHint }: HelpCommand): GroupedRow {
  const label = argumentHint === undefined ? `/${name}` : `/${name} ${argumentHint}`;
  const also = aliases.map((alias) => `/${alias}`).join(", ");
  return { group: "Commands", label, value: also === "" ? summary : `${summary} (also ${also})` };
}
