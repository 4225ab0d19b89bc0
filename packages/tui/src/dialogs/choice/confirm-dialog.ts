/** Asks yes or no in one sentence. The safe answer stands first, and Escape is a no. */
import type { Dialog } from "../../screen/view.ts";
import type { Theme } from "../../theme/theme.ts";
import { flowText } from "../text/dialog-text.ts";
import { createFlowingView } from "../text/flowing-view.ts";
import { createChoiceDialog } from "./choice-dialog.ts";
import type { Choice } from "./choice-menu.ts";

export type ConfirmDialogProps = {
  readonly title: string;
  readonly sentence: string;
  /** What each answer does, such as `Delete it` and `Keep it`. */
  readonly yes: string;
  readonly no: string;
  /** The one that loses nothing; `no` without it. */
  readonly safe?: "yes" | "no";
  readonly theme: () => Theme;
  readonly onAnswer: (isYes: boolean) => void;
};

const widthUsual = 60;

export function createConfirmDialog(props: ConfirmDialogProps): Dialog {
  const yes: Choice<boolean> = { value: true, key: "y", label: props.yes };
  const no: Choice<boolean> = { value: false, key: "n", label: props.no };
  return createChoiceDialog({
    title: props.title,
    theme: props.theme,
    widthWished: widthUsual,
    body: createFlowingView(props.theme, (width) => flowText(props.sentence, width)),
    choices: props.safe === "yes" ? [yes, no] : [no, yes],
    onChoose: props.onAnswer,
    onEscape: () => props.onAnswer(false),
  });
}
