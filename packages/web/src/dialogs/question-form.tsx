/** A form of questions: options to choose from, own words beside them, one answer for each question. */
import type { Question } from "@kedge/protocol";
import { useEffect, useRef, useState } from "preact/hooks";
import { visibleText } from "../parts/visible-text.ts";
import * as texts from "../texts/dialogs.ts";
import { useEarlyGuard } from "./use-early-guard.ts";

type Draft = { readonly marked: ReadonlySet<number>; readonly own: string };

const emptyDraft: Draft = { marked: new Set(), own: "" };

export type QuestionFormProps = {
  readonly questions: readonly Question[];
  readonly onAnswers: (answers: readonly string[]) => void;
  readonly onDismiss: () => void;
};

export function QuestionForm({ questions, onAnswers, onDismiss }: QuestionFormProps) {
  const [drafts, setDrafts] = useState<readonly Draft[]>(() => questions.map(() => emptyDraft));
  const place = useRef<HTMLFormElement>(null);
  const { isEarly, isTaken } = useEarlyGuard();
  useEffect(() => place.current?.querySelector<HTMLElement>("input")?.focus({ preventScroll: true }), []);
  const answers = questions.map((question, index) => answerOf(question, drafts[index] ?? emptyDraft));
  const open = answers.filter((answer) => answer === "").length;

  function submit(event: Event): void {
    event.preventDefault();
    if (open === 0 && isTaken()) onAnswers(answers);
  }

  return (
    <form ref={place} onSubmit={submit} aria-busy={isEarly}>
      <div class="request-body tall">
        {questions.map((question, index) => (
          <OneQuestion
            key={question.question}
            name={`question-${index}`}
            question={question}
            draft={drafts[index] ?? emptyDraft}
            onChange={(draft) => setDrafts(drafts.with(index, draft))}
          />
        ))}
      </div>
      <div class="modal-buttons">
        <button type="button" class="button" onClick={() => isTaken() && onDismiss()}>
          {texts.dismiss}
        </button>
        <button type="submit" class="button primary" disabled={open > 0}>
          {questions.length === 1 ? texts.sendAnswer : texts.sendAnswers}
        </button>
      </div>
    </form>
  );
}

type OneProps = {
  readonly name: string;
  readonly question: Question;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
};

function OneQuestion({ name, question, draft, onChange }: OneProps) {
  const { options, multiSelect = false } = question;
  const own = options.length;
  const mark = (at: number, isOn: boolean) => {
    const marked = new Set(multiSelect ? draft.marked : []);
    if (isOn) marked.add(at);
    else marked.delete(at);
    onChange({ ...draft, marked });
  };
  const type = multiSelect ? "checkbox" : "radio";
  return (
    <fieldset class="question">
      <legend>{visibleText(question.question)}</legend>
      {options.map((option, at) => (
        <label key={option.label} class="option">
          <input
            type={type}
            name={name}
            checked={draft.marked.has(at)}
            onChange={({ currentTarget }) => mark(at, currentTarget.checked)}
          />
          <span>
            <span class="option-label">{visibleText(option.label)}</span>
            {option.description.trim() !== "" && <span class="choice-about">{visibleText(option.description)}</span>}
          </span>
        </label>
      ))}
      <label class="option">
        <input
          type={type}
          name={name}
          checked={draft.marked.has(own)}
          onChange={({ currentTarget }) => mark(own, currentTarget.checked)}
        />
        <input
          type="text"
          class="field"
          aria-label={texts.otherAnswer(visibleText(question.question))}
          placeholder={texts.other}
          value={draft.own}
          onInput={({ currentTarget }) => {
            const marked = new Set(multiSelect ? draft.marked : []);
            onChange({ marked: currentTarget.value === "" ? marked : marked.add(own), own: currentTarget.value });
          }}
        />
      </label>
    </fieldset>
  );
}

/** The labels in their order, own words last; empty where there is no answer. */
function answerOf({ options }: Question, { marked, own }: Draft): string {
  return [...marked]
    .sort((left, right) => left - right)
    .map((at) => options[at]?.label ?? own.trim())
    .filter((part) => part !== "")
    .join(", ");
}
