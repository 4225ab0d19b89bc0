/** Questions that a command asks before it does something: answered as those of the model are, in a dialog. */
import { useEffect } from "preact/hooks";
import type { Asking } from "../app/page.ts";
import { usePage } from "../app/use-page.ts";
import * as texts from "../texts/dialogs.ts";
import { Modal } from "./modal.tsx";
import { QuestionForm } from "./question-form.tsx";

export function AskDialog({ asking: { questions, answer } }: { readonly asking: Asking }) {
  const page = usePage();
  // However it goes away, the command that asked goes on.
  useEffect(() => () => answer(undefined), [answer]);
  return (
    <Modal title={questions.length === 1 ? texts.question : texts.questions} onClose={page.closeDialog}>
      <QuestionForm
        questions={questions}
        onAnswers={(answers) => {
          answer(answers);
          page.closeDialog();
        }}
        onDismiss={page.closeDialog}
      />
    </Modal>
  );
}
