/** The column at the right of wide screens: what is to be done, what was changed, servers, and how full the window is. */

import { costText, type FileChange, isUnknownCost, type MessageView } from "@kedge/protocol";
import { truncateToWidth, visibleWidth } from "../screen/text-width.ts";
import type { ClientState } from "../state/client-state.ts";
import { sidebarTexts } from "../texts/terminal.ts";
import type { Theme } from "../theme/theme.ts";
import { changedFiles } from "./changed-files.ts";
import { remoteLine, remoteList } from "./remote-values.ts";
import { countText, isFigure, moneyText } from "./short-figures.ts";

const todosMax = 12;
const filesMax = 12;
const agentsMax = 8;
const tasksMax = 6;
const serversMax = 8;

export function sidebarLines(state: ClientState, theme: Theme, width: number): readonly string[] {
  const inside = Math.max(1, width - 3);
  const lines = [
    ...sessionLines(state, theme, inside),
    ...section(sidebarTexts.context, contextLines(state, theme, inside), theme),
    ...section(sidebarTexts.todo, todoLines(state, theme), theme),
    ...section(sidebarTexts.agents, agentLines(state, theme), theme),
    ...section(sidebarTexts.tasks, taskLines(state, theme), theme),
    ...section(sidebarTexts.servers, serverLines(state, theme), theme),
    ...section(sidebarTexts.changedFiles, fileLines(state.messages, theme), theme),
  ];
  const edge = theme.fg("borderMuted", theme.symbols.vertical);
  const framed = lines.map((line) => `${edge} ${truncateToWidth(line, inside, theme.symbols.ellipsis)}`);
  return framed.map((line) => (visibleWidth(line) > width ? truncateToWidth(line, width, "") : line));
}

function section(title: string, lines: readonly string[], theme: Theme): readonly string[] {
  return lines.length === 0 ? [] : ["", theme.fg("muted", title), ...lines];
}

function sessionLines({ session }: ClientState, theme: Theme, width: number): readonly string[] {
  const title = truncateToWidth(remoteLine(session?.title), width, theme.symbols.ellipsis);
  return title === "" ? [theme.bold(sidebarTexts.newSession)] : [theme.bold(title)];
}

function contextLines({ context, session }: ClientState, theme: Theme, width: number): readonly string[] {
  if (!isFigure(context?.tokens) || !isFigure(context.windowTokens) || context.windowTokens <= 0) return [];
  const { symbols } = theme;
  const share = Math.max(0, Math.min(1, context.tokens / context.windowTokens));
  const full = Math.round(share * width);
  const bar =
    theme.fg("statusLineContext", symbols.barFull.repeat(full)) +
    theme.fg("dim", symbols.barEmpty.repeat(width - full));
  const isKnown = isFigure(session?.cost?.usd) && !isUnknownCost(session.cost);
  const cost = isKnown ? ` ${symbols.separator} ${costText(session.cost, moneyText)}` : "";
  return [
    bar,
    `${sidebarTexts.contextTokens({ tokens: countText(context.tokens), window: countText(context.windowTokens) })}${cost}`,
  ];
}

function todoLines({ session }: ClientState, theme: Theme): readonly string[] {
  const todos = remoteList(session?.todos);
  const { symbols } = theme;
  const lines = todos.slice(0, todosMax).map(({ content, status }) => {
    const text = remoteLine(content);
    if (status === "completed") return theme.fg("dim", `${symbols.todoDone} ${text}`);
    return status === "in_progress" ? theme.fg("accent", `${symbols.arrow} ${text}`) : `${symbols.todoOpen} ${text}`;
  });
  return todos.length > todosMax ? [...lines, theme.fg("muted", sidebarTexts.more(todos.length - todosMax))] : lines;
}

/** Those that work, and what each one does; one that failed stays until somebody has looked at the list. */
function agentLines({ agents, agentsSeen }: ClientState, theme: Theme): readonly string[] {
  const { symbols } = theme;
  const all = remoteList(agents);
  const isNews = ({ agentId, state, status }: (typeof all)[number]) =>
    state === "aborted" && status !== "cancelled" && agentsSeen?.has(agentId) === false;
  const shown = [...all.filter(isNews), ...all.filter(({ state }) => state === "running")];
  const lines = shown.slice(0, agentsMax).map(({ name, agent, description, isAsking, state }) => {
    const token = state === "running" ? "warning" : "error";
    const mark = isAsking || state !== "running" ? theme.fg(token, symbols.warning) : symbols.running;
    return `${mark} ${remoteLine(name) || remoteLine(agent)} ${theme.fg("muted", remoteLine(description))}`;
  });
  const more = shown.length - lines.length;
  return more === 0 ? lines : [...lines, theme.fg("muted", sidebarTexts.more(more))];
}

function taskLines({ tasks }: ClientState, theme: Theme): readonly string[] {
  return remoteList(tasks)
    .filter(({ status }) => status === "running")
    .slice(0, tasksMax)
    .map(({ command }) => `${theme.symbols.running} ${remoteLine(command)}`);
}

/** Those that are wrong come first; one that is only configured is not shown. */
function serverLines({ servers }: ClientState, theme: Theme): readonly string[] {
  const { symbols } = theme;
  const lines = remoteList(servers).flatMap(({ kind, name, state }) => {
    const shown = `${remoteLine(name)} ${theme.fg("muted", kind === "mcp" ? sidebarTexts.mcp : sidebarTexts.lsp)}`;
    if (state === "failed" || state === "crashed")
      return { order: 0, line: `${theme.fg("error", symbols.warning)} ${shown}` };
    if (state === "needs-auth")
      return { order: 1, line: `${theme.fg("warning", symbols.warning)} ${sidebarTexts.needsSignIn(shown)}` };
    if (state === "connected" || state === "running")
      return { order: 2, line: `${theme.fg("success", symbols.bullet)} ${shown}` };
    return [];
  });
  const sorted = lines.toSorted((left, right) => left.order - right.order).map(({ line }) => line);
  return sorted.length > serversMax
    ? [...sorted.slice(0, serversMax), theme.fg("muted", sidebarTexts.more(sorted.length - serversMax))]
    : sorted;
}

const marks: { readonly [Status in FileChange["status"]]?: string } = { added: "+", deleted: "-" };

function fileLines(messages: readonly MessageView[], theme: Theme): readonly string[] {
  const files = changedFiles(messages);
  const lines = files.slice(0, filesMax).map(({ path, status }) => {
    const mark = marks[status] ?? "~";
    const token = mark === "+" ? "toolDiffAdded" : mark === "-" ? "toolDiffRemoved" : "statusLineDirty";
    return `${theme.fg(token, mark)} ${remoteLine(path)}`;
  });
  return files.length > filesMax ? [...lines, theme.fg("muted", sidebarTexts.more(files.length - filesMax))] : lines;
}
