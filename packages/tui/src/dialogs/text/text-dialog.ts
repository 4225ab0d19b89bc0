/** Asks for words: a name, a message of several lines, or a secret that is shown as dots. */

import { keyName } from "../../screen/input.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog, View } from "../../screen/view.ts";
import { textFieldTexts } from "../../texts/dialogs.ts";
import type { Theme } from "../../theme/theme.ts";
import { flowText, hintLine, rowText } from "./dialog-text.ts";
import { createScrollArea } from "./scroll-area.ts";
import { createTextField } from "./text-field.ts";

export type TextDialogProps = {
  readonly title: string;
  readonly theme: () => Theme;
  /** Above the text, such as what the words are about; it scrolls when it is long. */
  readonly above?: View;
  /** Right over the text. */
  readonly sentence?: string;
  readonly initial?: string;
  readonly isMultiline?: boolean;
  readonly isSecret?: boolean;
  /** Never empty; blanks around it are left out, except in text of several lines. */
  readonly onText: (text: string) => void;
  /** Without it, Escape closes the dialog. */
  readonly onEscape?: () => void;
  readonly onClosed?: () => void;
  /** What was wrong with the text given last, asked at every drawing. */
  readonly problem?: () => string | undefined;
  readonly widthWished?: number;
};

const widthUsual = 72;
const fieldRowsMin = 3;
const emptyProblem = textFieldTexts.empty;

export function createTextDialog(props: TextDialogProps): Dialog {
  const { above, isMultiline = false, isSecret = false, initial = "", onEscape } = props;
  const field = createTextField({ initial, isMultiline, isSecret });
  const area = createScrollArea();
  const cached = createRemembered<readonly string[]>();
  let changes = 0;
  let isRefused = false;

  function submit(): true {
    const text = isMultiline ? field.text() : field.text().trim();
    isRefused = text.trim() === "";
    if (!isRefused) props.onText(text);
    return true;
  }

  function draw(width: number, height: number, problem: string | undefined): readonly string[] {
    const theme = props.theme();
    const hints = [textFieldTexts.done, ...(isMultiline ? [textFieldTexts.newLine] : []), textFieldTexts.back];
    const below = [
      ...(problem === undefined ? [] : flowText(problem, width).map((line) => theme.fg("error", line))),
      hintLine(hints, width, theme),
    ];
    const sentence = props.sentence === undefined ? [] : flowText(props.sentence, width);
    const body = above?.render(width) ?? [];
    const free = Math.max(1, height - below.length - sentence.length - 1);
    const bodyHeight = Math.min(body.length, Math.max(0, free - fieldRowsMin - 1));
    const shown = bodyHeight === 0 ? [] : [...area.render(body, { width, theme, height: bodyHeight }), ""];
    const sign = theme.fg("accent", `${theme.symbols.prompt} `);
    const rows = field.render({ width: width - 2, theme, rowsMax: Math.max(1, free - shown.length) });
    const typed = rows.map((row, at) => (at === 0 ? sign : "  ") + row);
    return [...shown, ...sentence, ...typed, "", ...below].slice(0, height);
  }

  return {
    title: rowText(props.title),
    widthWished: props.widthWished ?? widthUsual,
    render(width, height) {
      const problem = isRefused ? emptyProblem : props.problem?.();
      const body = above?.render(width);
      return cached([width, height, body, problem, props.theme(), changes], () => draw(width, height, problem));
    },
    handle(input) {
      changes += 1;
      if (input.kind === "key") {
        const name = keyName(input.key);
        if (name === "enter") return submit();
        if (name === "escape") {
          onEscape?.();
          return onEscape !== undefined;
        }
        if (name === "pageUp" || name === "pageDown") return area.handle(input);
      }
      if (input.kind === "mouse") {
        area.handle(input);
        return true;
      }
      isRefused = false;
      return field.handle(input);
    },
    closed: () => props.onClosed?.(),
  };
}
