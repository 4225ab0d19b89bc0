/** Questions of the model, in the place of the prompt. */
import type { OpenRequest } from "@kedge/tui/session";
import { usePage } from "../app/use-page.ts";
import * as texts from "../texts/dialogs.ts";
import type { Finish } from "./finish.ts";
import { QuestionForm } from "./question-form.tsx";

export type QuestionPanelProps = {
  readonly request: Extract<OpenRequest, { kind: "question" }>;
  readonly finish: Finish;
};

export function QuestionPanel({ request: { questions, requestId }, finish }: QuestionPanelProps) {
  const { desk } = usePage();
  const title = questions.length === 1 ? texts.question : texts.questions;
  return (
    <section class="request" role="dialog" aria-label={title}>
      <h2 class="request-title">{title}</h2>
      <QuestionForm
        questions={questions}
        onAnswers={(answers) => finish(() => desk.answerQuestions(requestId, answers))}
        onDismiss={() => finish(() => desk.interrupt())}
      />
    </section>
  );
}
