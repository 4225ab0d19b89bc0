/** Asks whether a call may run: which answers there are, what each of them means, and who answered in the end. */
import type {
  AskingAgent,
  FactOf,
  PermissionAnswer,
  PermissionMode,
  PermissionReply,
  PermissionRequest,
} from "@kedge/protocol";
import { cleanLine } from "../../screen/clean-text.ts";
import { keyName } from "../../screen/input.ts";
import type { Dialog } from "../../screen/view.ts";
import type { Choice } from "../choice/choice-menu.ts";
import { createConfirmedChoices } from "../choice/confirmed-choices.ts";
import { type Appearance, type GuardedDialog, guardEarlyKeys } from "../stack/early-keys.ts";
import { createTextDialog } from "../text/text-dialog.ts";
import { type CommandInput, commandInput } from "./command-input.ts";
import {
  createPermissionBody,
  isLasting,
  type PermissionBodyProps,
  projectLabel,
  sessionLabel,
} from "./permission-body.ts";

export type PermissionDialogProps = Omit<PermissionBodyProps, "command"> &
  Appearance & {
    /** Called once. Closes nothing: whoever opened the dialog closes it. */
    readonly onAnswer: (answer: PermissionAnswer & { readonly mode?: PermissionMode }) => void;
    /** False where the mode already says what becomes of edits. */
    readonly canAcceptEdits?: boolean;
  };

export type PermissionResolution = Pick<FactOf<"permission.answered">, "source" | "reply">;

export interface PermissionDialog extends GuardedDialog {
  /** It was settled without this dialog. No key answers any more; the sentence says why, for a notice. */
  resolvedBy(resolution: PermissionResolution): string;
}

type Action = PermissionReply | "all-edits" | "message" | "edit";

const widthWished = 100;
/** As in other agents: the key that changes the mode elsewhere. */
const acceptEditsKey = "shift+tab";

/** Who asks, where it is not the session itself. */
function badgeOf({ agent, name }: AskingAgent): string {
  const kind = `${cleanLine(agent)} agent`;
  return name === undefined ? kind : `${cleanLine(name)} (${kind})`;
}

export function createPermissionDialog(props: PermissionDialogProps): PermissionDialog {
  const { request, theme } = props;
  const input = commandInput(request);
  const body = createPermissionBody({ ...props, ...(input !== undefined && { command: input.command }) });
  const what = request.isIrreversible ? "Permission (can't be undone)" : "Permission";
  const title = request.agent === undefined ? what : `${what}: ${badgeOf(request.agent)}`;
  const choices = createConfirmedChoices<Action>({
    title,
    theme,
    widthWished,
    body,
    choices: choicesOf(props, input),
    confirmed: ["all-edits", "session", "project"],
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

  function act(action: Action): void {
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
      sentence: "What should the model do instead?",
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
      sentence: "Run this command instead (still checked against your rules):",
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

/** An edit that only waits for a general yes. */
function offersAllEdits({ request, canAcceptEdits = false }: PermissionDialogProps): boolean {
  return canAcceptEdits && request.permission === "edit" && isLasting(request);
}

/** The same answers as in the console: none that the request would not accept. */
function choicesOf(props: PermissionDialogProps, input: CommandInput | undefined): readonly Choice<Action>[] {
  const { request } = props;
  const once: Choice<Action> = { value: "once", key: "y", label: "Allow once" };
  const reject: Choice<Action> = { value: "reject", key: "n", label: "Reject" };
  const message: Choice<Action> = { value: "message", key: "m", label: "No, and tell the model what to do instead" };
  const edit: readonly Choice<Action>[] =
    input === undefined ? [] : [{ value: "edit", key: "e", label: "Edit command" }];
  if (request.isIrreversible) return [reject, message, { ...once, tone: "error" }, ...edit];
  const allEdits: Choice<Action> = {
    value: "all-edits",
    key: "s",
    label: `Allow all edits in this session (${acceptEditsKey})`,
  };
  return [once, ...(offersAllEdits(props) ? [allEdits] : []), ...lastingChoices(request), reject, message, ...edit];
}

function lastingChoices(request: PermissionRequest): readonly Choice<Action>[] {
  if (!isLasting(request)) return [];
  const session: Choice<Action> = { value: "session", key: "a", label: sessionLabel(request) };
  const project: Choice<Action> = { value: "project", key: "p", label: projectLabel(request) };
  return request.isSavable ? [session, project] : [session];
}

function resolutionSentence(tool: string, { source, reply }: PermissionResolution): string {
  const name = cleanLine(tool);
  const outcome = reply === "reject" ? "rejected" : "allowed";
  switch (source) {
    case "user":
      return `${name} was ${outcome} in another client.`;
    case "classifier":
      return `${name} was ${outcome} by the classifier.`;
    case "interrupt":
      return `The run was interrupted, so ${name} no longer needs an answer.`;
    case "sibling":
      return `${name} was also ${outcome}: your previous answer covers it.`;
    case "timeout":
      return `${name} was ${outcome}: no one answered in time.`;
  }
}
