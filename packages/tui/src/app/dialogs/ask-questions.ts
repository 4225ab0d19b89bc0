/** Asks the user something that a command needs to know, as the model asks: options, or own words. */
import type { Question } from "@kedge/protocol";
import { createQuestionDialog } from "../../dialogs/question/question-dialog.ts";
import type { DialogStack } from "../../dialogs/stack/dialog-stack.ts";
import type { Appearance } from "../../dialogs/stack/early-keys.ts";
import type { Dialog } from "../../screen/view.ts";

/** One answer per question; undefined when the user leaves them. */
export function askQuestions(
  dialogs: DialogStack,
  questions: readonly Question[],
  appearance: Omit<Appearance, "lastKeyAt">,
): Promise<readonly string[] | undefined> {
  return new Promise((resolve) => {
    const asking = createQuestionDialog({
      ...appearance,
      // The user has just asked for it, so that no key is meant for anything else.
      lastKeyAt: () => Number.NEGATIVE_INFINITY,
      questions,
      onAnswers(answers) {
        resolve(answers);
        dialogs.close(dialog);
      },
      onDismiss: () => dialogs.close(dialog),
    });
    const dialog: Dialog = {
      ...asking,
      closed() {
        asking.closed?.();
        resolve(undefined);
      },
    };
    dialogs.open(dialog);
  });
}
