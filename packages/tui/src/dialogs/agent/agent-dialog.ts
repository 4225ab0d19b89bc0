/** The agents of a session and its commands in the background: what each one does and costs, and the keys to read, address and end them. */

import type { AgentSummary, TaskSummary } from "@kedge/protocol";
import { cutText } from "../../screen/cut-text.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog } from "../../screen/view.ts";
import { agentTexts } from "../../texts/dialogs.ts";
import type { Symbols, Theme } from "../../theme/theme.ts";
import { createConfirmDialog } from "../choice/confirm-dialog.ts";
import type { ListItem } from "../list/list-dialog.ts";
import { createPicker, type Picker } from "../list/picker-dialog.ts";
import { rowText } from "../text/dialog-text.ts";
import { type AgentAction, agentQuestions } from "./agent-questions.ts";
import { type AgentRow, agentRow, createAgentOrder, groupTitles } from "./agent-rows.ts";
import { type ShellRow, shellRows } from "./shell-rows.ts";

export type AgentDialogProps = {
  /** As the engine lists them. */
  readonly agents: () => readonly AgentSummary[] | undefined;
  /** Commands in the background. */
  readonly shells?: () => readonly TaskSummary[];
  readonly problem?: () => string | undefined;
  readonly theme: () => Theme;
  readonly onOpen: (agentId: string) => void;
  readonly onAct: (action: AgentAction, agentId: string, text?: string) => void;
  readonly onOpenShell?: (shell: ShellRow) => void;
  readonly onKillShell?: (shell: ShellRow) => void;
  readonly onClosed?: () => void;
};

type PanelRow = AgentRow | ShellRow;

const widthWished = 110;
const noShells: readonly TaskSummary[] = [];

export function createAgentDialog(props: AgentDialogProps): Dialog {
  const { agents, shells = () => noShells, problem, theme, onOpen, onAct, onClosed } = props;
  const order = createAgentOrder();
  const remembered = createRemembered<readonly ListItem<PanelRow>[] | undefined>();
  const details = createRemembered<readonly string[]>();
  let selectedId: string | undefined;

  function items(): readonly ListItem<PanelRow>[] | undefined {
    const [known, running] = [agents(), shells()];
    const { symbols } = theme();
    return remembered([known, running, symbols], () => {
      if (known === undefined && running.length === 0) return undefined;
      const ofAgents = order(known ?? []).map((each) => agentItem(agentRow(each), symbols));
      return [...ofAgents, ...shellRows(running).map((shell) => shellItem(shell, symbols))];
    });
  }

  const picker: Picker = createPicker<PanelRow>({
    title: agentTexts.title,
    widthWished,
    theme,
    problem,
    items,
    loadingText: agentTexts.loading,
    emptyText: agentTexts.empty,
    onChoose: (row) => (row.kind === "agent" ? onOpen(row.agentId) : props.onOpenShell?.(row)),
    onSelect(row) {
      selectedId = idOf(row);
    },
    keys: [
      { key: "ctrl+s", label: agentTexts.message, press: message },
      { key: "ctrl+x", label: agentTexts.interrupt, press: (row) => act("interrupt", row) },
      { key: "ctrl+k", label: agentTexts.kill, press: kill },
      { key: "ctrl+r", label: agentTexts.revive, press: (row) => act("revive", row) },
    ],
    above({ width, theme: colours }) {
      const row = (items()?.find(({ value }) => idOf(value) === selectedId) ?? items()?.[0])?.value;
      return details([row, width, colours], () => (row === undefined ? [] : detailLines(row, width, colours)));
    },
    sameAs: (left, right) => idOf(left) === idOf(right),
    ...(onClosed !== undefined && { onClosed }),
  });
  const questions = agentQuestions({ theme, onAct, back: picker.backToList });

  function message(row: PanelRow): void {
    if (row.kind === "agent") picker.ask(questions.message(row));
  }

  function kill(row: PanelRow): void {
    if (row.kind === "agent" && row.state === "running") picker.ask(questions.kill(row));
    if (row.kind === "shell" && row.isRunning) picker.ask(killShell(row));
  }

  function killShell(row: ShellRow): Dialog {
    return createConfirmDialog({
      title: agentTexts.killShellTitle,
      theme,
      sentence: agentTexts.askKillShell(row.title),
      yes: agentTexts.confirmKill,
      no: agentTexts.keepRunning,
      onAnswer(isYes) {
        picker.backToList();
        if (isYes) props.onKillShell?.(row);
      },
    });
  }

  function act(action: "interrupt" | "revive", row: PanelRow): void {
    if (row.kind === "agent" && (row.state === "running") === (action === "interrupt")) onAct(action, row.agentId);
  }

  return picker.dialog;
}

function idOf(row: PanelRow): string {
  return row.kind === "agent" ? row.agentId : `${row.sessionId} ${row.taskId}`;
}

function agentItem(row: AgentRow, symbols: Symbols): ListItem<PanelRow> {
  const indent = "  ".repeat(row.depth - 1);
  return {
    value: row,
    label: `${indent}${markOf(row, symbols)} ${row.title}`,
    detail: row.action,
    right: row.figures,
    group: groupTitles[row.state],
    ...(row.token !== undefined && { token: row.token }),
    keywords: `${row.agentId} ${row.state} ${row.doing}`,
  };
}

function shellItem(row: ShellRow, symbols: Symbols): ListItem<PanelRow> {
  const mark = row.isFailed ? symbols.warning : row.isRunning ? symbols.running : symbols.bullet;
  return {
    value: row,
    label: `${mark} ${row.title}`,
    detail: "",
    right: row.figures,
    group: agentTexts.shells,
    keywords: `${row.taskId} ${row.doing}`,
  };
}

function markOf({ state, isFailed, isAsking }: AgentRow, symbols: Symbols): string {
  if (isAsking || isFailed) return symbols.warning;
  return state === "running" ? symbols.running : symbols.bullet;
}

/** Always two rows, so that the list stays where it is while one moves in it. */
function detailLines(row: PanelRow, width: number, theme: Theme): readonly string[] {
  const { ellipsis, separator } = theme.symbols;
  const isAsking = row.kind === "agent" && row.isAsking;
  const token = row.isFailed ? "error" : isAsking ? "warning" : "text";
  const facts = (row.kind === "agent" ? row.facts : [agentTexts.aboutShell, row.taskId])
    .filter((fact) => fact !== "")
    .join(` ${separator} `);
  return [
    theme.fg(token, cutText(rowText(row.doing), width, ellipsis)),
    theme.fg("muted", cutText(rowText(facts), width, ellipsis)),
    "",
  ];
}
