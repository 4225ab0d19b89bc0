/** Asks whether a call may run: which answers there are, what each of them means, and who answered in the end. */
import type { FactOf, PermissionAnswer, PermissionReply, PermissionRequest } from "@kedge/protocol";
import { cleanLine } from "../../screen/clean-text.ts";
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
    readonly onAnswer: (answer: PermissionAnswer) => void;
  };

export type PermissionResolution = Pick<FactOf<"permission.answered">, "source" | "reply">;

export interface PermissionDialog extends GuardedDialog {
  /** It was settled without this dialog. No key answers any more; the sentence says why, for a notice. */
  resolvedBy(resolution: PermissionResolution): string;
}

type Action = PermissionReply | "message" | "edit";

const widthWished = 100;

export function createPermissionDialog(props: PermissionDialogProps): PermissionDialog {
  const { request, theme } = props;
  const input = commandInput(request);
  const body = createPermissionBody({ ...props, ...(input !== undefined && { command: input.command }) });
  const what = request.isIrreversible ? "Permission for what cannot be taken back" : "Permission";
  const title = request.agent === undefined ? what : `${what}: ${cleanLine(request.agent.agent)} agent`;
  const choices = createConfirmedChoices<Action>({
    title,
    theme,
    widthWished,
    body,
    choices: choicesOf(request, input),
    confirmed: ["session", "project"],
    onChoose: act,
    onEscape: () => answer({ reply: "reject" }),
  });
  let inner = choices;
  let isDone = false;

  function answer(given: PermissionAnswer): void {
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
      sentence: "Rejected; what should be done instead?",
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
      sentence: "This runs once in its place, if the rules permit it:",
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
    handle: (given) => isDone || inner.handle(given),
  };
  return {
    ...guardEarlyKeys(shown, props),
    resolvedBy(resolution) {
      isDone = true;
      return resolutionSentence(request.tool, resolution);
    },
  };
}

/** The same answers as in the console: none that the request would not accept. */
function choicesOf(request: PermissionRequest, input: CommandInput | undefined): readonly Choice<Action>[] {
  const once: Choice<Action> = { value: "once", key: "y", label: "Allow once" };
  const reject: Choice<Action> = { value: "reject", key: "n", label: "Reject" };
  const message: Choice<Action> = { value: "message", key: "m", label: "Reject and say what to do instead" };
  const edit: readonly Choice<Action>[] =
    input === undefined ? [] : [{ value: "edit", key: "e", label: "Edit the command" }];
  if (request.isIrreversible) return [reject, message, { ...once, tone: "error" }, ...edit];
  return [once, ...lastingChoices(request), reject, message, ...edit];
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
      return `${name} was ${outcome} from another client.`;
    case "classifier":
      return `${name} was ${outcome} by the classifier.`;
    case "interrupt":
      return `The run was stopped, so ${name} needs no answer any more.`;
    case "sibling":
      return `Your answer to another question settled ${name} as well: it was ${outcome}.`;
    case "timeout":
      return `Nobody answered in time, so ${name} was ${outcome}.`;
  }
}
