/** Chooses the theme: each one is shown at once on the whole screen, and leaving takes it back. */

import { cutText } from "../../screen/cut-text.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import type { Dialog } from "../../screen/view.ts";
import { themeTexts } from "../../texts/dialogs.ts";
import type { ForegroundToken, Theme } from "../../theme/theme.ts";
import { rowText } from "../text/dialog-text.ts";
import { createPicker, type PickerPage } from "./picker-dialog.ts";

export type ThemeDialogProps = {
  readonly names: readonly string[];
  readonly current: string;
  /** The one that is shown, which a preview changes. */
  readonly theme: () => Theme;
  readonly onPreview: (name: string) => void;
  /** Told when the dialog is closed and nothing was chosen. */
  readonly onCancel: () => void;
  /** Closes nothing: whoever opened the dialog closes it. */
  readonly onChoose: (name: string) => void;
};

/** Lower screens have no room for the sample. */
const sampleHeightMin = 18;

export function createThemeDialog(props: ThemeDialogProps): Dialog {
  const { names, current, theme, onPreview, onCancel } = props;
  const items = names.map((name) => ({
    value: name,
    label: name,
    ...(name === current && { right: themeTexts.current }),
  }));
  let isChosen = false;
  return createPicker<string>({
    title: themeTexts.title,
    theme,
    items: () => items,
    loadingText: "",
    emptyText: themeTexts.empty,
    selected: current,
    onSelect: onPreview,
    onChoose(name) {
      isChosen = true;
      props.onChoose(name);
    },
    onClosed() {
      if (!isChosen) onCancel();
    },
    below: sampleLines,
  }).dialog;
}

function sampleLines({ width, height, theme }: PickerPage): readonly string[] {
  if (height < sampleHeightMin) return [];
  const { check, cross, horizontal, bullet } = theme.symbols;
  const lines: readonly (readonly Segment[])[] = [
    [["borderMuted", horizontal.repeat(width)]],
    [["mdHeading", themeTexts.heading]],
    [
      ["mdListBullet", `${bullet} `],
      ["text", themeTexts.wordsBefore],
      ["mdCode", themeTexts.code],
      ["text", themeTexts.wordsBetween],
      ["mdLink", themeTexts.link],
      ["text", "."],
    ],
    [
      ["syntaxKeyword", "const "],
      ["syntaxVariable", "tide "],
      ["syntaxOperator", "= "],
      ["syntaxFunction", "read"],
      ["syntaxPunctuation", "("],
      ["syntaxString", '"low"'],
      ["syntaxPunctuation", ", "],
      ["syntaxNumber", "2"],
      ["syntaxPunctuation", "); "],
      ["syntaxComment", themeTexts.note],
    ],
    [["toolDiffRemoved", themeTexts.removedLine]],
    [["toolDiffAdded", themeTexts.addedLine]],
    [
      ["success", `${check} `],
      ["toolTitle", themeTexts.read],
      ["toolOutput", "src/index.ts "],
      ["error", `${cross} `],
      ["toolTitle", themeTexts.test],
      ["warning", themeTexts.warnings],
    ],
    [["text", ""]],
  ];
  return lines.map((segments) => segmentLine(segments, width, theme));
}

type Segment = readonly [token: ForegroundToken, text: string];

/** Pieces in different styles, cut before any style is put around them. */
function segmentLine(segments: readonly Segment[], width: number, theme: Theme): string {
  let room = width;
  const pieces: string[] = [];
  for (const [token, text] of segments) {
    if (room <= 0) break;
    const whole = rowText(text);
    const piece = cutText(whole, room, theme.symbols.ellipsis);
    pieces.push(theme.fg(token, piece));
    // What was cut ends the line, also where its ellipsis left a column free.
    room = piece === whole ? room - visibleWidth(piece) : 0;
  }
  return pieces.join("");
}
