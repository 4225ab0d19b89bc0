/** MCP servers: their state, tools and cost, and what can be done about them. */

import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog } from "../../screen/view.ts";
import { serverTexts } from "../../texts/dialogs.ts";
import type { ForegroundToken, Theme } from "../../theme/theme.ts";
import { createConfirmDialog } from "../choice/confirm-dialog.ts";
import type { ListItem } from "../list/list-dialog.ts";
import { createPicker } from "../list/picker-dialog.ts";
import { type ServerRow, serverRow } from "./server-rows.ts";

export type ServerAction = "connect" | "disconnect" | "approve" | "accept" | "authorise";

export type ServerDialogProps = {
  /** As the engine lists them. */
  readonly servers: () => readonly { readonly [name: string]: unknown }[] | undefined;
  readonly problem?: () => string | undefined;
  readonly theme: () => Theme;
  readonly onOpen: (name: string) => void;
  readonly onLog: (name: string) => void;
  readonly onAct: (action: ServerAction, name: string) => void;
};

const stateColumnsMax = 44;

export function createServerDialog({ servers, problem, theme, onOpen, onLog, onAct }: ServerDialogProps): Dialog {
  const remembered = createRemembered<readonly ListItem<ServerRow>[] | undefined>();
  const act =
    (action: ServerAction) =>
    ({ name }: ServerRow) =>
      onAct(action, name);
  const picker = createPicker<ServerRow>({
    title: serverTexts.title,
    theme,
    problem,
    items() {
      const known = servers();
      return remembered([known], () => known?.map((each) => serverItem(serverRow(each))));
    },
    loadingText: serverTexts.loading,
    emptyText: serverTexts.empty,
    onChoose: ({ name }) => onOpen(name),
    keys: [
      { key: "ctrl+o", label: serverTexts.connect, press: act("connect") },
      { key: "ctrl+d", label: serverTexts.disconnect, press: act("disconnect") },
      { key: "ctrl+s", label: serverTexts.signIn, press: act("authorise") },
      { key: "ctrl+y", label: serverTexts.approve, press: approve },
      { key: "ctrl+l", label: serverTexts.log, press: ({ name }) => onLog(name) },
    ],
    toneOf,
    sameAs: (left, right) => left.name === right.name,
  });

  /** A server that waits to be used for the first time, or one whose tools describe themselves otherwise now. */
  function approve(row: ServerRow): void {
    const { name, needsApproval, changedTools } = row;
    if (!needsApproval && changedTools.length === 0) return;
    const action = needsApproval ? "approve" : "accept";
    picker.ask(
      createConfirmDialog({
        title: needsApproval ? serverTexts.useTitle : serverTexts.acceptTitle,
        theme,
        sentence: needsApproval
          ? serverTexts.askUse({ server: name, file: row.file })
          : serverTexts.askAccept({ server: name, tools: changedTools.join(", ") }),
        yes: needsApproval ? serverTexts.use : serverTexts.accept,
        no: serverTexts.cancel,
        onAnswer(isYes) {
          picker.backToList();
          if (isYes) onAct(action, name);
        },
      }),
    );
  }

  return picker.dialog;
}

function serverItem(row: ServerRow): ListItem<ServerRow> {
  const cost = row.toolCount === 0 ? "" : `  ${serverTexts.tools(row.toolCount)}, ${serverTexts.tokens(row.tokens)}`;
  return {
    value: row,
    label: `${row.name}${cost}`,
    right: row.stateText.slice(0, stateColumnsMax),
    keywords: `${row.state} ${row.scope} ${row.file}`,
  };
}

function toneOf(right: string): ForegroundToken | undefined {
  if (right === serverTexts.connected) return "success";
  if (right.startsWith(serverTexts.failed("").trimEnd())) return "error";
  const waiting = [serverTexts.needsSignIn, serverTexts.needsApproval, serverTexts.toolsChanged];
  return waiting.some((text) => right === text.slice(0, stateColumnsMax)) ? "warning" : undefined;
}
