/** Questions of the model to the person: one at a time, with options, own words, a way back and a look over all of them. */
import type { Question } from "@kedge/protocol";
import { type Key, keyName } from "../../screen/input.ts";
import type { Dialog } from "../../screen/view.ts";
import { type Appearance, type GuardedDialog, guardEarlyKeys } from "../stack/early-keys.ts";
import { flowText } from "../text/dialog-text.ts";
import { createLineCache } from "../text/line-cache.ts";
import { createScrollArea } from "../text/scroll-area.ts";
import { createQuestionState, type QuestionDraft } from "./question-state.ts";
import { questionLines, reviewLines, tabsLine } from "./question-view.ts";

export type QuestionDialogProps = Appearance & {
  /** One at least. */
  readonly questions: readonly Question[];
  /** One answer per question, in words: labels, or what was written. */
  readonly onAnswers: (answers: readonly string[]) => void;
  readonly onDismiss: () => void;
};

const widthWished = 88;

export function createQuestionDialog(props: QuestionDialogProps): GuardedDialog {
  const { theme, onAnswers, onDismiss } = props;
  const state = createQuestionState(props.questions);
  const isSingle = state.drafts.length === 1;
  const title = isSingle ? "Question" : "Questions";
  const area = createScrollArea();
  const cached = createLineCache();
  let changes = 0;
  let isWriting = false;
  let isMoved = true;
  let problem: string | undefined;

  function send(): void {
    const open = state.firstOpen();
    if (open === undefined) {
      onAnswers(state.drafts.map((draft) => state.answerOf(draft) ?? ""));
      return;
    }
    state.goTo(open);
    problem = "This one has no answer yet; choose an option or write your own words.";
  }

  function goOn(): void {
    if (isSingle) send();
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
    switch (keyName(key)) {
      case "left":
      case "shift+tab":
        state.goTo(state.tab() - 1);
        return true;
      case "right":
      case "tab":
        state.goTo(state.tab() + 1);
        return true;
      case "escape":
        onDismiss();
        return true;
      default:
        return false;
    }
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

  function handleKey(key: Key): boolean {
    isMoved = true;
    const draft = state.current();
    if (draft === undefined) {
      if (keyName(key) === "enter") send();
      return keyName(key) === "enter" || handleTabs(key);
    }
    if (!isWriting) return handleRows(draft, key) || handleTabs(key);
    const name = keyName(key);
    if (name === "enter" || name === "escape") {
      endWriting(draft, { isKept: name === "enter" });
      return true;
    }
    return draft.own.handle({ kind: "key", key });
  }

  function hints(): readonly string[] {
    if (isWriting) return ["enter done", "esc back to the options"];
    const draft = state.current();
    if (draft === undefined) return ["enter send", "left back", "esc dismiss"];
    const choose = draft.question.multiSelect === true ? ["space mark", "enter go on"] : ["enter choose"];
    return ["up/down select", ...choose, ...(isSingle ? [] : ["left/right questions"]), "esc dismiss"];
  }

  function draw(width: number, height: number): readonly string[] {
    const colours = theme();
    const draft = state.current();
    const place = { width, theme: colours };
    const { lines, from, to } =
      draft === undefined ? reviewLines(state, place) : questionLines(draft, { ...place, isWriting });
    const head = isSingle ? [] : [tabsLine(state, place), ""];
    const [sentence, tone] =
      problem === undefined
        ? [hints().join(` ${colours.symbols.separator} `), "dim" as const]
        : [problem, "error" as const];
    const last = flowText(sentence, width).map((line) => colours.fg(tone, line));
    if (isMoved) area.reveal(from, to);
    isMoved = false;
    const room = Math.max(1, height - head.length - last.length - 1);
    return [...head, ...area.render(lines, { ...place, height: room }), "", ...last].slice(0, height);
  }

  const dialog: Dialog = {
    title,
    widthWished,
    render: (width, height) => cached([width, height, theme(), changes], () => draw(width, height)),
    handle(input) {
      changes += 1;
      if (input.kind !== "mouse") problem = undefined;
      const draft = state.current();
      if (isWriting && input.kind === "key") return handleKey(input.key);
      if (input.kind === "paste") return isWriting && draft?.own.handle(input) === true;
      if (area.handle(input)) return true;
      return input.kind === "key" ? handleKey(input.key) : input.kind === "mouse";
    },
  };
  return guardEarlyKeys(dialog, props);
}
