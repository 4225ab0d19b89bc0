/** Shows a finished plan and asks whether it is carried out, changed or sent back. */
import type { PermissionAnswer, PermissionMode, PermissionRequest } from "@kedge/protocol";
import { cleanLine, cleanText } from "../../screen/clean-text.ts";
import type { Dialog, View } from "../../screen/view.ts";
import type { Choice } from "../choice/choice-menu.ts";
import { createConfirmedChoices } from "../choice/confirmed-choices.ts";
import { type Appearance, type GuardedDialog, guardEarlyKeys } from "../stack/early-keys.ts";
import { flowJudged, hang } from "../text/dialog-text.ts";
import { createFlowingView, type DrawFlowing } from "../text/flowing-view.ts";
import { createTextDialog } from "../text/text-dialog.ts";

export type PlanAnswer = Pick<PermissionAnswer, "reply" | "message"> & {
  /** The mode to work in once planning has ended; the one before planning without it. */
  readonly mode?: PermissionMode;
};

/** A text of Markdown as it is drawn. */
export interface MarkdownText extends View {
  setText(text: string): void;
  end(): void;
}

export type PlanDialogProps = Appearance & {
  readonly request: PermissionRequest;
  readonly createMarkdown: () => MarkdownText;
  /** Called once. Closes nothing: whoever opened the dialog closes it. */
  readonly onAnswer: (answer: PlanAnswer) => void;
};

/** A request is about a plan when the tool that ends planning asks; entering is an ordinary question. */
export function isPlanApproval({ tool, permission }: PermissionRequest): boolean {
  return tool === "plan_exit" && permission === "plan";
}

type Action = "accept" | "accept-edits" | "edit" | "reject" | "message";

const widthWished = 100;
const title = "Plan";

export function createPlanDialog(props: PlanDialogProps): GuardedDialog {
  const { request, theme } = props;
  const plan = request.preview ?? "";
  const body = createPlanBody(props, plan);
  const choices = createConfirmedChoices<Action>({
    title,
    theme,
    widthWished,
    body,
    choices: plan === "" ? [rejecting, messaging, accepting] : choicesOfPlan,
    confirmed: ["accept-edits"],
    onChoose: act,
    onEscape: () => answer({ reply: "reject" }),
  });
  let inner = choices;
  let isDone = false;

  function answer(given: PlanAnswer): void {
    if (isDone) return;
    isDone = true;
    props.onAnswer(given);
  }

  function act(action: Action): void {
    switch (action) {
      case "accept":
        answer({ reply: "once" });
        return;
      case "accept-edits":
        answer({ reply: "once", mode: "accept-edits" });
        return;
      case "reject":
        answer({ reply: "reject" });
        return;
      case "message":
      case "edit":
        inner = writing(action);
        return;
    }
  }

  function back(): void {
    inner = choices;
  }

  function writing(action: "message" | "edit"): Dialog {
    const isEdit = action === "edit";
    return createTextDialog({
      title,
      theme,
      ...(!isEdit && { above: body }),
      sentence: isEdit ? "Edit the plan. The model will present it again:" : "What should change in the plan?",
      initial: isEdit ? plan : "",
      isMultiline: true,
      onText: (text) => (isEdit ? edited(text) : answer({ reply: "reject", message: text.trim() })),
      onEscape: back,
      widthWished,
    });
  }

  /** A client may be far from the files, so the changed plan goes back to the model, which writes it. */
  function edited(text: string): void {
    if (text === plan) back();
    else answer({ reply: "reject", message: `${editedHead(pathOf(request))}\n\n${text}` });
  }

  return guardEarlyKeys(
    {
      title,
      widthWished,
      render: (width, height) => inner.render(width, height),
      handle: (input) => isDone || inner.handle(input),
    },
    props,
  );
}

const accepting: Choice<Action> = { value: "accept", key: "y", label: "Accept and return to the previous mode" };
const rejecting: Choice<Action> = { value: "reject", key: "n", label: "Reject" };
const messaging: Choice<Action> = { value: "message", key: "m", label: "Reject with feedback" };
const choicesOfPlan: readonly Choice<Action>[] = [
  accepting,
  { value: "accept-edits", key: "a", label: "Accept and allow all edits (accept-edits mode)" },
  { value: "edit", key: "e", label: "Edit plan" },
  rejecting,
  messaging,
];

function createPlanBody({ request, theme, createMarkdown }: PlanDialogProps, plan: string): View {
  const path = pathOf(request);
  const { evidence = [] } = request;
  const missing = `The plan could not be displayed. Read ${path} before accepting it.`;
  const markdown = createMarkdown();
  markdown.setText(cleanText(plan));
  markdown.end();
  const draw: DrawFlowing = (width, colours, inside) => [
    ...evidence.flatMap((line) => hang(colours.fg("warning", "! "), flowJudged(line, width - 2))),
    ...(plan === ""
      ? flowJudged(missing, width).map((line) => colours.fg("warning", line))
      : [...flowJudged(path, width).map((line) => colours.fg("muted", line)), "", ...inside]),
  ];
  return createFlowingView(theme, draw, markdown);
}

/** The tool names the file behind the word of what it does. */
function pathOf({ patterns }: PermissionRequest): string {
  return cleanLine(patterns[0] ?? "").replace(/^exit /, "") || "the plan file";
}

function editedHead(path: string): string {
  return `I edited the plan. Write this text to ${path} unchanged and present it again:`;
}
