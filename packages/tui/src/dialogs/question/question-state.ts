/** What was answered so far of the questions of the model, and which of them is looked at. */
import type { Question } from "@kedge/protocol";
import { createTextField, type TextField } from "../text/text-field.ts";

export type QuestionDraft = {
  readonly question: Question;
  /** Places of the options that are marked, and whether the own words count. */
  readonly marked: Set<number>;
  readonly own: TextField;
  /** The row the cursor stands on; the last one is that of own words. */
  at: number;
};

export interface QuestionState {
  readonly drafts: readonly QuestionDraft[];
  /** Undefined while everything is reviewed. */
  current(): QuestionDraft | undefined;
  /** Place of the current one; as many as there are questions while reviewing. */
  tab(): number;
  goTo(tab: number): void;
  /** Marks or unmarks; where one answer is wanted, it takes the place of the other. */
  mark(draft: QuestionDraft, at: number): void;
  answerOf(draft: QuestionDraft): string | undefined;
  /** Place of the first question without an answer. */
  firstOpen(): number | undefined;
}

export function createQuestionState(questions: readonly Question[]): QuestionState {
  const drafts = questions.map(
    (question): QuestionDraft => ({
      question,
      marked: new Set(),
      own: createTextField({}),
      at: 0,
    }),
  );
  // With a single question there is nothing to look over.
  const tabs = drafts.length === 1 ? 1 : drafts.length + 1;
  let tab = 0;

  function answerOf({ question, marked, own }: QuestionDraft): string | undefined {
    const words = own.text().trim();
    const parts = [...marked]
      .sort((left, right) => left - right)
      .map((at) => question.options[at]?.label ?? words)
      .filter((part) => part !== "");
    return parts.length === 0 ? undefined : parts.join(", ");
  }

  return {
    drafts,
    current: () => drafts[tab],
    tab: () => tab,
    goTo(wanted) {
      tab = Math.max(0, Math.min(tabs - 1, wanted));
    },
    mark({ question, marked }, at) {
      if (question.multiSelect !== true) marked.clear();
      if (marked.has(at)) marked.delete(at);
      else marked.add(at);
    },
    answerOf,
    firstOpen() {
      const at = drafts.findIndex((draft) => answerOf(draft) === undefined);
      return at < 0 ? undefined : at;
    },
  };
}
