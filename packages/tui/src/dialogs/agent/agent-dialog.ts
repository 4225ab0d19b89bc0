/** The agents of a session: what each one does and costs, and the keys to read, address and end them. */
import type { AgentSummary } from "@kedge/protocol";
import { cutText } from "../../screen/cut-text.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog } from "../../screen/view.ts";
import type { Symbols, Theme } from "../../theme/theme.ts";
import type { ListItem } from "../list/list-dialog.ts";
import { createPicker, type Picker } from "../list/picker-dialog.ts";
import { rowText } from "../text/dialog-text.ts";
import { type AgentAction, agentQuestions } from "./agent-questions.ts";
import { type AgentRow, agentRow, createAgentOrder, groupTitles } from "./agent-rows.ts";

export type AgentDialogProps = {
  /** As the engine lists them. */
  readonly agents: () => readonly AgentSummary[] | undefined;
  readonly problem?: () => string | undefined;
  readonly theme: () => Theme;
  readonly onOpen: (agentId: string) => void;
  readonly onAct: (action: AgentAction, agentId: string, text?: string) => void;
  readonly onClosed?: () => void;
};

const widthWished = 110;

export function createAgentDialog(props: AgentDialogProps): Dialog {
  const { agents, problem, theme, onOpen, onAct, onClosed } = props;
  const order = createAgentOrder();
  const remembered = createRemembered<readonly ListItem<AgentRow>[] | undefined>();
  const details = createRemembered<readonly string[]>();
  let selectedId: string | undefined;

  function items(): readonly ListItem<AgentRow>[] | undefined {
    const known = agents();
    const { symbols } = theme();
    return remembered([known, symbols], () => known && order(known).map((each) => agentItem(agentRow(each), symbols)));
  }

  const picker: Picker = createPicker<AgentRow>({
    title: "Agents",
    widthWished,
    theme,
    problem,
    items,
    loadingText: "Loading agents.",
    emptyText: "No agents have worked for this session. Ask for one, such as: have an agent find the parsers.",
    onChoose: ({ agentId }) => onOpen(agentId),
    onSelect: ({ agentId }) => {
      selectedId = agentId;
    },
    keys: [
      { key: "ctrl+s", label: "message", press: message },
      { key: "ctrl+x", label: "interrupt", press: (row) => act("interrupt", row) },
      { key: "ctrl+k", label: "kill", press: kill },
      { key: "ctrl+r", label: "revive", press: (row) => act("revive", row) },
    ],
    above({ width, theme: colours }) {
      const row = (items()?.find(({ value }) => value.agentId === selectedId) ?? items()?.[0])?.value;
      return details([row, width, colours], () => (row === undefined ? [] : detailLines(row, width, colours)));
    },
    sameAs: (left, right) => left.agentId === right.agentId,
    ...(onClosed !== undefined && { onClosed }),
  });
  const questions = agentQuestions({ theme, onAct, back: picker.backToList });

  function message(row: AgentRow): void {
    picker.ask(questions.message(row));
  }

  function kill(row: AgentRow): void {
    if (row.state === "running") picker.ask(questions.kill(row));
  }

  function act(action: "interrupt" | "revive", { agentId, state }: AgentRow): void {
    if ((state === "running") === (action === "interrupt")) onAct(action, agentId);
  }

  return picker.dialog;
}

function agentItem(row: AgentRow, symbols: Symbols): ListItem<AgentRow> {
  const indent = "  ".repeat(row.depth - 1);
  return {
    value: row,
    label: `${indent}${markOf(row, symbols)} ${row.title}`,
    detail: row.action,
    right: row.figures,
    group: groupTitles[row.state],
    keywords: `${row.agentId} ${row.state} ${row.doing}`,
  };
}

function markOf({ state, isFailed, isAsking }: AgentRow, symbols: Symbols): string {
  if (isAsking || isFailed) return symbols.warning;
  return state === "running" ? symbols.running : symbols.bullet;
}

/** Always two rows, so that the list stays where it is while one moves in it. */
function detailLines(row: AgentRow, width: number, theme: Theme): readonly string[] {
  const { ellipsis, separator } = theme.symbols;
  const token = row.isFailed ? "error" : row.isAsking ? "warning" : "text";
  const facts = row.facts.filter((fact) => fact !== "").join(` ${separator} `);
  return [
    theme.fg(token, cutText(rowText(row.doing), width, ellipsis)),
    theme.fg("muted", cutText(rowText(facts), width, ellipsis)),
    "",
  ];
}
