/** What the keys of the question dialog do: rows are marked, own words are written, and questions are gone through. */

import type { Question } from "@kedge/protocol";
import { type Key, keyName } from "../../screen/input.ts";
import { questionTexts } from "../../texts/permission-questions.ts";
import { createQuestionState, type QuestionDraft, type QuestionState } from "./question-state.ts";

export type QuestionKeyParts = {
  /** One at least. */
  readonly questions: readonly Question[];
  /** One answer per question, in words: labels, or what was written. */
  readonly onAnswers: (answers: readonly string[]) => void;
  readonly onDismiss: () => void;
};

export interface QuestionKeys {
  readonly state: QuestionState;
  handle(key: Key): boolean;
  /** For what is pasted on the row of own words; false on another one. */
  startWriting(): boolean;
  /** Own words are written at the moment. */
  isWriting(): boolean;
  /** Why the answers cannot be sent yet. */
  problem(): string | undefined;
  clearProblem(): void;
}

export function createQuestionKeys({ questions, onAnswers, onDismiss }: QuestionKeyParts): QuestionKeys {
  const state = createQuestionState(questions);
  let isWriting = false;
  let problem: string | undefined;

  function send(): void {
    const open = state.firstOpen();
    if (open === undefined) {
      onAnswers(state.drafts.map((draft) => state.answerOf(draft) ?? ""));
      return;
    }
    state.goTo(open);
    problem = questionTexts.answerFirst;
  }

  function goOn(): void {
    if (state.drafts.length === 1) send();
    else state.goTo(state.tab() + 1);
  }

  /** Enter on a row: own words are written, the only answer is taken, and of several at least this one. */
  function take(draft: QuestionDraft, at: number): void {
    const isOwn = at === draft.question.options.length;
    const isSeveral = draft.question.multiSelect === true;
    draft.at = at;
    if (isOwn && !(isSeveral && draft.marked.has(at))) {
      isWriting = true;
      return;
    }
    if (!isSeveral || draft.marked.size === 0) {
      draft.marked.clear();
      state.mark(draft, at);
    }
    goOn();
  }

  function toggle(draft: QuestionDraft, at: number): void {
    draft.at = at;
    if (at === draft.question.options.length && !draft.marked.has(at)) isWriting = true;
    else state.mark(draft, at);
  }

  function endWriting(draft: QuestionDraft, { isKept }: { readonly isKept: boolean }): void {
    const own = draft.question.options.length;
    isWriting = false;
    if (!isKept) return;
    if (draft.own.text().trim() === "") {
      draft.marked.delete(own);
      return;
    }
    if (!draft.marked.has(own)) state.mark(draft, own);
    if (draft.question.multiSelect !== true) goOn();
  }

  function handleNumber(draft: QuestionDraft, key: Key): boolean {
    const at = /^[1-9]$/.test(key.name) ? Number(key.name) - 1 : -1;
    if (key.ctrl || key.alt || key.meta || at < 0 || at > draft.question.options.length) return false;
    if (draft.question.multiSelect === true) toggle(draft, at);
    else take(draft, at);
    return true;
  }

  function handleTabs(key: Key): boolean {
    const name = keyName(key);
    const step = tabSteps[name];
    if (step !== undefined) state.goTo(state.tab() + step);
    else if (name === "escape") onDismiss();
    return step !== undefined || name === "escape";
  }

  function handleRows(draft: QuestionDraft, key: Key): boolean {
    const rows = draft.question.options.length + 1;
    switch (keyName(key)) {
      case "up":
      case "ctrl+p":
        draft.at = (draft.at + rows - 1) % rows;
        return true;
      case "down":
      case "ctrl+n":
        draft.at = (draft.at + 1) % rows;
        return true;
      case "space":
        if (draft.question.multiSelect === true) toggle(draft, draft.at);
        else take(draft, draft.at);
        return true;
      case "enter":
        take(draft, draft.at);
        return true;
      default:
        return handleNumber(draft, key);
    }
  }

  function handle(key: Key): boolean {
    const draft = state.current();
    if (draft === undefined) {
      if (keyName(key) === "enter") send();
      return keyName(key) === "enter" || handleTabs(key);
    }
    if (!isWriting && beginsWords(draft, key)) isWriting = true;
    if (!isWriting) return handleRows(draft, key) || handleTabs(key);
    const name = keyName(key);
    if (name === "enter" || name === "escape") {
      endWriting(draft, { isKept: name === "enter" });
      return true;
    }
    return draft.own.handle({ kind: "key", key });
  }

  return {
    state,
    handle,
    startWriting() {
      const draft = state.current();
      isWriting ||= draft !== undefined && draft.at === draft.question.options.length;
      return isWriting;
    },
    isWriting: () => isWriting,
    problem: () => problem,
    clearProblem() {
      problem = undefined;
    },
  };
}

/** A letter on the row of own words is the first of them. Digits choose rows, where there are several. */
function beginsWords({ at, question: { options } }: QuestionDraft, key: Key): boolean {
  const isPrinted = key.text !== undefined && key.name !== "space" && !key.ctrl && !key.alt && !key.meta;
  return isPrinted && at === options.length && (options.length === 0 || !/^[1-9]$/.test(key.name));
}

const tabSteps: { readonly [name: string]: number } = { left: -1, "shift+tab": -1, right: 1, tab: 1 };
