/** Asks whether a call may run: shows what is judged, and takes the answer by keys. */
import type { PermissionAnswer, PermissionMode } from "@kedge/protocol";
import { keyName } from "../../screen/input.ts";
import type { Dialog } from "../../screen/view.ts";
import { createConfirmedChoices } from "../choice/confirmed-choices.ts";
import { type Appearance, type GuardedDialog, guardEarlyKeys } from "../stack/early-keys.ts";
import { createTextDialog } from "../text/text-dialog.ts";
import { type CommandInput, commandInput } from "./command-input.ts";
import {
  acceptEditsKey,
  confirmedActions,
  editQuestion,
  insteadQuestion,
  offersAllEdits,
  type PermissionAction,
  type PermissionResolution,
  permissionChoices,
  permissionTitle,
  resolutionSentence,
} from "./permission-answers.ts";
import { createPermissionBody, type PermissionBodyProps } from "./permission-body.ts";

export type PermissionDialogProps = Omit<PermissionBodyProps, "command"> &
  Appearance & {
    /** Called once. Closes nothing: whoever opened the dialog closes it. */
    readonly onAnswer: (answer: PermissionAnswer & { readonly mode?: PermissionMode }) => void;
    /** False where the mode already says what becomes of edits. */
    readonly canAcceptEdits?: boolean;
  };

export interface PermissionDialog extends GuardedDialog {
  /** It was settled without this dialog. No key answers any more; the sentence says why, for a notice. */
  resolvedBy(resolution: PermissionResolution): string;
}

const widthWished = 100;
export function createPermissionDialog(props: PermissionDialogProps): PermissionDialog {
  const { request, theme } = props;
  const input = commandInput(request);
  const body = createPermissionBody({ ...props, ...(input !== undefined && { command: input.command }) });
  const title = permissionTitle(request);
  const choices = createConfirmedChoices<PermissionAction>({
    title,
    theme,
    widthWished,
    body,
    choices: permissionChoices(props, input),
    confirmed: confirmedActions,
    onChoose: act,
    onEscape: () => answer({ reply: "reject" }),
  });
  let inner = choices;
  let isDone = false;

  function answer(given: Parameters<PermissionDialogProps["onAnswer"]>[0]): void {
    if (isDone) return;
    isDone = true;
    props.onAnswer(given);
  }

  function act(action: PermissionAction): void {
    switch (action) {
      case "once":
      case "session":
      case "project":
      case "reject":
        answer({ reply: action });
        return;
      case "all-edits":
        answer({ reply: "once", mode: "accept-edits" });
        return;
      case "message":
        inner = messageDialog();
        return;
      case "edit":
        if (input !== undefined) inner = editDialog(input);
        return;
    }
  }

  const back = () => {
    inner = choices;
  };

  function messageDialog(): Dialog {
    return createTextDialog({
      title,
      theme,
      above: body,
      sentence: insteadQuestion,
      isMultiline: true,
      onText: (text) => answer({ reply: "reject", message: text.trim() }),
      onEscape: back,
      widthWished,
    });
  }

  function editDialog(known: CommandInput): Dialog {
    return createTextDialog({
      title,
      theme,
      above: body,
      sentence: editQuestion,
      initial: known.command,
      isMultiline: true,
      onText: (command) => answer({ reply: "once", updatedInput: { ...known, command } }),
      onEscape: back,
      widthWished,
    });
  }

  const shown: Dialog = {
    title,
    widthWished,
    render: (width, height) => inner.render(width, height),
    handle(given) {
      if (isDone) return true;
      const isAccepting = inner === choices && given.kind === "key" && keyName(given.key) === acceptEditsKey;
      if (!isAccepting || !offersAllEdits(props)) return inner.handle(given);
      act("all-edits");
      return true;
    },
  };
  return {
    ...guardEarlyKeys(shown, props),
    resolvedBy(resolution) {
      isDone = true;
      return resolutionSentence(request.tool, resolution);
    },
  };
}
