/** Questions of the model to the person: one at a time, with options, own words, a way back and a look over all of them. */

import type { Key } from "../../screen/input.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog } from "../../screen/view.ts";
import { questionTexts } from "../../texts/permission-questions.ts";
import { type Appearance, type GuardedDialog, guardEarlyKeys } from "../stack/early-keys.ts";
import { flowText } from "../text/dialog-text.ts";
import { createScrollArea } from "../text/scroll-area.ts";
import { createQuestionKeys, type QuestionKeyParts } from "./question-keys.ts";
import { questionLines, reviewLines, tabsLine } from "./question-view.ts";

export type QuestionDialogProps = Appearance & QuestionKeyParts;

const widthWished = 88;

export function createQuestionDialog(props: QuestionDialogProps): GuardedDialog {
  const { theme } = props;
  const keys = createQuestionKeys(props);
  const { state } = keys;
  const isSingle = state.drafts.length === 1;
  const title = isSingle ? questionTexts.title : questionTexts.titleOfSeveral;
  const area = createScrollArea();
  const cached = createRemembered<readonly string[]>();
  let changes = 0;
  let isMoved = true;

  function hints(): readonly string[] {
    if (keys.isWriting()) return [questionTexts.done, questionTexts.back];
    const draft = state.current();
    if (draft === undefined) return [questionTexts.send, questionTexts.leftBack, questionTexts.dismiss];
    const choose =
      draft.question.multiSelect === true ? [questionTexts.toggle, questionTexts.next] : [questionTexts.choose];
    return [questionTexts.select, ...choose, ...(isSingle ? [] : [questionTexts.questions]), questionTexts.dismiss];
  }

  function draw(width: number, height: number): readonly string[] {
    const colours = theme();
    const draft = state.current();
    const place = { width, theme: colours };
    const { lines, from, to } =
      draft === undefined ? reviewLines(state, place) : questionLines(draft, { ...place, isWriting: keys.isWriting() });
    const problem = keys.problem();
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

  function handleKey(key: Key): boolean {
    isMoved = true;
    return keys.handle(key);
  }

  const dialog: Dialog = {
    title,
    widthWished,
    render: (width, height) => cached([width, height, theme(), changes], () => draw(width, height)),
    handle(input) {
      changes += 1;
      if (input.kind !== "mouse") keys.clearProblem();
      const draft = state.current();
      if (keys.isWriting() && input.kind === "key") return handleKey(input.key);
      if (input.kind === "paste") return keys.startWriting() && draft?.own.handle(input) === true;
      if (area.handle(input)) return true;
      return input.kind === "key" ? handleKey(input.key) : input.kind === "mouse";
    },
  };
  return guardEarlyKeys(dialog, props);
}
