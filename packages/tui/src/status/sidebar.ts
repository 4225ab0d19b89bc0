/** The column at the right of wide screens: what is to be done, what was changed, and how full the window is. */
import type { FileChange, MessageView } from "@kedge/protocol";
import { cleanLine } from "../screen/clean-text.ts";
import { truncateToWidth, visibleWidth } from "../screen/text-width.ts";
import type { ClientState } from "../state/client-state.ts";
import type { Theme } from "../theme/theme.ts";
import { countText, moneyText } from "./short-figures.ts";

const todosMax = 12;
const filesMax = 12;
const tasksMax = 6;

export function sidebarLines(state: ClientState, theme: Theme, width: number): readonly string[] {
  const inside = Math.max(1, width - 3);
  const lines = [
    ...sessionLines(state, theme, inside),
    ...section("Context", contextLines(state, theme, inside), theme),
    ...section("Todo", todoLines(state, theme), theme),
    ...section("Tasks", taskLines(state, theme), theme),
    ...section("Changed files", fileLines(state.messages, theme), theme),
  ];
  const edge = theme.fg("borderMuted", theme.symbols.vertical);
  const framed = lines.map((line) => `${edge} ${truncateToWidth(line, inside, theme.symbols.ellipsis)}`);
  return framed.map((line) => (visibleWidth(line) > width ? truncateToWidth(line, width, "") : line));
}

function section(title: string, lines: readonly string[], theme: Theme): readonly string[] {
  return lines.length === 0 ? [] : ["", theme.fg("muted", title), ...lines];
}

function sessionLines({ session }: ClientState, theme: Theme, width: number): readonly string[] {
  const title = truncateToWidth(cleanLine(session?.title ?? ""), width, theme.symbols.ellipsis);
  return title === "" ? [theme.bold("New session")] : [theme.bold(title)];
}

function contextLines({ context, session }: ClientState, theme: Theme, width: number): readonly string[] {
  if (context === undefined || context.windowTokens === 0) return [];
  const { symbols } = theme;
  const share = Math.min(1, context.tokens / context.windowTokens);
  const full = Math.round(share * width);
  const bar =
    theme.fg("statusLineContext", symbols.barFull.repeat(full)) +
    theme.fg("dim", symbols.barEmpty.repeat(width - full));
  const cost = session === undefined ? "" : ` ${symbols.separator} ${moneyText(session.cost.usd)}`;
  return [bar, `${countText(context.tokens)} of ${countText(context.windowTokens)} tokens${cost}`];
}

function todoLines({ session }: ClientState, theme: Theme): readonly string[] {
  const todos = session?.todos ?? [];
  const { symbols } = theme;
  const lines = todos.slice(0, todosMax).map(({ content, status }) => {
    const text = cleanLine(content);
    if (status === "completed") return theme.fg("dim", `${symbols.todoDone} ${text}`);
    return status === "in_progress" ? theme.fg("accent", `${symbols.arrow} ${text}`) : `${symbols.todoOpen} ${text}`;
  });
  return todos.length > todosMax ? [...lines, theme.fg("muted", `and ${todos.length - todosMax} more`)] : lines;
}

function taskLines({ tasks }: ClientState, theme: Theme): readonly string[] {
  return tasks
    .filter(({ status }) => status === "running")
    .slice(0, tasksMax)
    .map(({ command }) => `${theme.symbols.running} ${cleanLine(command)}`);
}

const marks: { readonly [Status in FileChange["status"]]?: string } = { added: "+", deleted: "-" };

function fileLines(messages: readonly MessageView[], theme: Theme): readonly string[] {
  const files = changedFiles(messages);
  const lines = files.slice(0, filesMax).map(({ path, status }) => {
    const mark = marks[status] ?? "~";
    const token = mark === "+" ? "toolDiffAdded" : mark === "-" ? "toolDiffRemoved" : "statusLineDirty";
    return `${theme.fg(token, mark)} ${cleanLine(path)}`;
  });
  return files.length > filesMax ? [...lines, theme.fg("muted", `and ${files.length - filesMax} more`)] : lines;
}

/** What the messages on the screen changed, each file once, the newest first. */
export function changedFiles(messages: readonly MessageView[]): readonly FileChange[] {
  const files = new Map<string, FileChange>();
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type !== "patch") continue;
      for (const file of part.files) {
        files.delete(file.path);
        files.set(file.path, file);
      }
    }
  }
  return [...files.values()].reverse();
}
