/** Shows a finished plan and asks whether it is carried out, changed or sent back. */
import type { PermissionRequest } from "@kedge/protocol";
import { cleanText } from "../../screen/clean-text.ts";
import type { Dialog, View } from "../../screen/view.ts";
import { createConfirmedChoices } from "../choice/confirmed-choices.ts";
import { type Appearance, type GuardedDialog, guardEarlyKeys } from "../stack/early-keys.ts";
import { flowJudged, hang } from "../text/dialog-text.ts";
import { createFlowingView, type DrawFlowing } from "../text/flowing-view.ts";
import { createTextDialog } from "../text/text-dialog.ts";
import {
  changePlanQuestion,
  editedPlanMessage,
  editPlanQuestion,
  missingPlan,
  type PlanAction,
  type PlanAnswer,
  planChoices,
  planPath,
  planTitle,
} from "./plan-answers.ts";

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

const widthWished = 100;

export function createPlanDialog(props: PlanDialogProps): GuardedDialog {
  const { request, theme } = props;
  const title = planTitle(request);
  const plan = request.preview ?? "";
  const body = createPlanBody(props, plan);
  const choices = createConfirmedChoices<PlanAction>({
    title,
    theme,
    widthWished,
    body,
    choices: planChoices(plan, request),
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

  function act(action: PlanAction): void {
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
      sentence: isEdit ? editPlanQuestion : changePlanQuestion,
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
    else answer({ reply: "reject", message: editedPlanMessage(request, text) });
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

function createPlanBody({ request, theme, createMarkdown }: PlanDialogProps, plan: string): View {
  const path = planPath(request);
  const { evidence = [] } = request;
  const markdown = createMarkdown();
  markdown.setText(cleanText(plan));
  markdown.end();
  const draw: DrawFlowing = (width, colours, inside) => [
    ...evidence.flatMap((line) => hang(colours.fg("warning", "! "), flowJudged(line, width - 2))),
    ...(plan === ""
      ? flowJudged(missingPlan(request), width).map((line) => colours.fg("warning", line))
      : [...flowJudged(path, width).map((line) => colours.fg("muted", line)), "", ...inside]),
  ];
  return createFlowingView(theme, draw, markdown);
}
