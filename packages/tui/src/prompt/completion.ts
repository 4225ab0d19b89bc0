/** The list of completions: asks for it while the user types, and knows which one is chosen. */
import { promptTexts } from "../texts/terminal.ts";
import {
  type CompletionItem,
  type CompletionKind,
  type CompletionQuestion,
  completionQuestion,
} from "./completion-question.ts";

export type Complete = (
  question: { readonly kind: CompletionKind; readonly text: string },
  signal: AbortSignal,
) => Promise<readonly CompletionItem[]>;

export const popupRowsMax = 8;

export type Popup = {
  readonly items: readonly CompletionItem[];
  readonly selected: number;
  /** The answer to what stands in the text now, not to what was typed a moment ago. */
  readonly isCurrent: boolean;
  readonly question: CompletionQuestion;
};

export type Completion = {
  /** Told after every edit and move; asks again when the question is another one. */
  update(text: string, cursor: number): void;
  popup(): Popup | undefined;
  /** Counted around at both ends. */
  select(index: number): void;
  /** No list for what is asked at this place, until another question begins. */
  dismiss(text: string, cursor: number): void;
  /** Closes without remembering anything, as when the text is sent. */
  close(): void;
};

export type CompletionParts = {
  readonly complete: Complete;
  readonly onChange: () => void;
  /** A sentence for the user. */
  readonly onFailure: (sentence: string) => void;
};

export function createCompletion({ complete, onChange, onFailure }: CompletionParts): Completion {
  let question: CompletionQuestion | undefined;
  let asking: AbortController | undefined;
  let answer: { readonly items: readonly CompletionItem[]; readonly to: CompletionQuestion } | undefined;
  let selected = 0;
  let dismissed: CompletionQuestion | undefined;

  function close(): void {
    asking?.abort();
    asking = undefined;
    question = undefined;
    answer = undefined;
    selected = 0;
  }

  async function ask(asked: CompletionQuestion): Promise<void> {
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    try {
      const items = await complete({ kind: asked.kind, text: asked.text }, signal);
      if (signal.aborted) return;
      answer = { items, to: asked };
      selected = 0;
    } catch (error) {
      // An answer nobody waits for any more may end in whatever way it likes.
      if (signal.aborted) return;
      answer = undefined;
      onFailure(promptTexts.noCompletions(error instanceof Error ? error.message : String(error)));
    }
    onChange();
  }

  return {
    update(text, cursor) {
      const asked = completionQuestion(text, cursor);
      const isDismissed = asked !== undefined && dismissed?.kind === asked.kind && dismissed.start === asked.start;
      if (!isDismissed) dismissed = undefined;
      if (asked === undefined || isDismissed) return close();
      if (question?.kind === asked.kind && question.start === asked.start && question.text === asked.text) return;
      if (question?.kind !== asked.kind || question.start !== asked.start) answer = undefined;
      question = asked;
      void ask(asked);
    },
    popup() {
      if (question === undefined || answer === undefined || answer.items.length === 0) return undefined;
      return { items: answer.items, selected, isCurrent: answer.to === question, question };
    },
    select(index) {
      const count = answer?.items.length ?? 0;
      if (count > 0) selected = (index + count) % count;
    },
    dismiss(text, cursor) {
      dismissed = completionQuestion(text, cursor);
      close();
    },
    close() {
      dismissed = undefined;
      close();
    },
  };
}
