/** Asks whether a project is trusted, with all that it brings in sight; anything but a clear yes is a no. */
import { trustTexts } from "../../texts/permission-questions.ts";
import { createConfirmedChoices } from "../choice/confirmed-choices.ts";
import { type Appearance, type GuardedDialog, guardEarlyKeys } from "../stack/early-keys.ts";
import { flowJudged, flowText, hang } from "../text/dialog-text.ts";
import { createFlowingView } from "../text/flowing-view.ts";

export type TrustDialogProps = Appearance & {
  readonly root: string;
  /** What the project brings, or what of it changed; one line each. */
  readonly lines: readonly string[];
  /** It was answered before, and has changed since. */
  readonly isChanged: boolean;
  /** Undefined when the person does not want to say; the next start asks again. */
  readonly onAnswer: (answer: "trusted" | "refused" | undefined) => void;
};

const meaning = trustTexts.meaning;

export function createTrustDialog(props: TrustDialogProps): GuardedDialog {
  const { root, lines, isChanged, theme, onAnswer } = props;
  const heading = isChanged ? trustTexts.changedFiles(root) : trustTexts.files(root);
  const body = createFlowingView(theme, (width, colours) => [
    ...flowText(meaning, width).map((line) => colours.fg("muted", line)),
    "",
    ...flowJudged(heading, width),
    ...lines.flatMap((line) => hang(`  ${colours.symbols.bullet} `, flowJudged(line, width - 4))),
  ]);
  const dialog = createConfirmedChoices<"trusted" | "refused">({
    title: trustTexts.title,
    theme,
    body,
    choices: [
      { value: "refused", key: "n", label: trustTexts.refuse },
      { value: "trusted", key: "y", label: trustTexts.trust },
    ],
    confirmed: ["trusted"],
    onChoose: onAnswer,
    onEscape: () => onAnswer(undefined),
  });
  return guardEarlyKeys(dialog, props);
}
