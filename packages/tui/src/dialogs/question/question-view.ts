/** How the questions of the model look: the options with their descriptions, the tabs, and the look over all answers. */

import { cutText, padText } from "../../screen/cut-text.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import { questionTexts } from "../../texts/permission-questions.ts";
import type { Theme } from "../../theme/theme.ts";
import { flowText, hang, rowText } from "../text/dialog-text.ts";
import type { QuestionDraft, QuestionState } from "./question-state.ts";

type Place = { readonly width: number; readonly theme: Theme };

/** All lines, and which of them have to be in sight. */
export type ShownLines = { readonly lines: readonly string[]; readonly from: number; readonly to: number };

export function questionLines(draft: QuestionDraft, place: Place & { readonly isWriting: boolean }): ShownLines {
  const { width, theme } = place;
  const { question, at } = draft;
  const head = [...flowText(question.question, width).map((line) => theme.bold(line)), ""];
  const options = question.options.map((option, index) => optionLines(draft, { ...option, at: index }, place));
  const rows = [...options, ownLines(draft, place)];
  const before = [head, ...rows.slice(0, at)].flat().length;
  // The first option brings the question with it, so that both are in sight at the beginning.
  return { lines: [head, ...rows].flat(), from: at === 0 ? 0 : before, to: before + (rows[at]?.length ?? 0) };
}

function optionLines(
  draft: QuestionDraft,
  option: { readonly label: string; readonly description: string; readonly at: number },
  { width, theme }: Place,
): readonly string[] {
  const isSelected = draft.at === option.at;
  const head = rowHead(draft, option.at, theme);
  const room = width - visibleWidth(head);
  const label = flowText(rowText(option.label), room).map((line) =>
    isSelected ? theme.bold(theme.fg("accent", line)) : theme.fg("text", line),
  );
  const about = option.description.trim() === "" ? [] : flowText(option.description.trim(), room);
  return hang(isSelected ? theme.fg("accent", head) : theme.fg("dim", head), [
    ...label,
    ...about.map((line) => theme.fg("muted", line)),
  ]);
}

function ownLines(draft: QuestionDraft, place: Place & { readonly isWriting: boolean }): readonly string[] {
  const { width, theme, isWriting } = place;
  const own = draft.question.options.length;
  const isSelected = draft.at === own;
  const head = rowHead(draft, own, theme);
  const words = rowText(draft.own.text());
  const room = width - visibleWidth(head);
  const shown = isWriting
    ? (draft.own.render({ width: room, theme })[0] ?? "")
    : theme.fg(
        words === "" ? "muted" : "text",
        cutText(words === "" ? questionTexts.other : words, room, theme.symbols.ellipsis),
      );
  return [(isSelected ? theme.fg("accent", head) : theme.fg("dim", head)) + shown];
}

/** Cursor, number and mark. */
function rowHead({ at, marked, question }: QuestionDraft, row: number, theme: Theme): string {
  const { prompt, todoDone, todoOpen, check } = theme.symbols;
  const cursor = at === row ? padText(prompt, 2) : "  ";
  const isMarked = marked.has(row);
  const single = padText(isMarked ? check : "", visibleWidth(check));
  const mark = question.multiSelect === true ? (isMarked ? todoDone : todoOpen) : single;
  return `${cursor}${row + 1} ${mark} `;
}

export function tabsLine(state: QuestionState, { width, theme }: Place): string {
  const { check, separator } = theme.symbols;
  const names = state.drafts.map((draft, at) => {
    const isAnswered = state.answerOf(draft) !== undefined;
    return `${at + 1}${isAnswered ? ` ${check}` : ""}`;
  });
  const tabs = [...names, questionTexts.review];
  // Too many tabs for the line: only the one looked at is named.
  const here = questionTexts.place({ number: state.tab() + 1, count: state.drafts.length });
  const whole = tabs.map((name) => ` ${name} `).join(separator);
  if (visibleWidth(whole) > width) return theme.fg("accent", cutText(here, width, theme.symbols.ellipsis));
  return tabs
    .map((name, at) => (at === state.tab() ? theme.inverse(` ${name} `) : theme.fg("muted", ` ${name} `)))
    .join(theme.fg("dim", separator));
}

export function reviewLines(state: QuestionState, { width, theme }: Place): ShownLines {
  const lines = state.drafts.flatMap((draft, at) => {
    const answer = state.answerOf(draft);
    const text = answer === undefined ? questionTexts.noAnswer : answer;
    const mark = theme.fg("dim", `  ${theme.symbols.arrow} `);
    return [
      ...hang(`${at + 1} `, flowText(draft.question.question, width - 2)),
      ...hang(
        mark,
        flowText(text, width - visibleWidth(mark)).map((line) =>
          theme.fg(answer === undefined ? "warning" : "accent", line),
        ),
      ),
    ];
  });
  return { lines: [questionTexts.askSend, "", ...lines], from: 0, to: 0 };
}
