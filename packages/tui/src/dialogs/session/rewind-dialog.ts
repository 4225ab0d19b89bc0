/** Goes back to an earlier prompt: first to which one, then what of it comes back. */

import type { Dialog } from "../../screen/view.ts";
import { listTexts, rewindTexts } from "../../texts/dialogs.ts";
import type { Theme } from "../../theme/theme.ts";
import { createChoiceDialog } from "../choice/choice-dialog.ts";
import type { Choice } from "../choice/choice-menu.ts";
import { createListDialog } from "../list/list-dialog.ts";
import { ageText } from "../text/age-text.ts";
import { flowText, rowText } from "../text/dialog-text.ts";
import { createFlowingView } from "../text/flowing-view.ts";

export type RewindPoint = {
  readonly id: string;
  /** The prompt that stands there. */
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** How many files are otherwise now than they were then. */
  readonly files: number;
};

export type RewindWhat = "conversation" | "files" | "both";

export type RewindDialogProps = {
  readonly points: readonly RewindPoint[];
  readonly theme: () => Theme;
  readonly now: () => number;
  /** Closes nothing: whoever opened the dialog closes it. */
  readonly onChoose: (id: string, what: RewindWhat) => void;
};

const title = rewindTexts.title;
const emptyText = rewindTexts.empty;

export function createRewindDialog({ points, theme, now, onChoose }: RewindDialogProps): Dialog {
  const openedAt = now();
  const items = points.map((point) => ({
    value: point,
    label: rowText(point.label),
    detail: filesText(point.files),
    right: ageText(openedAt - point.time),
  }));
  const list = createListDialog<RewindPoint>({
    title,
    items: () => items,
    theme,
    emptyText,
    hint: listTexts.close,
    onChoose(point) {
      inner = askWhat(point);
    },
  });
  let inner: Dialog = list;

  function askWhat(point: RewindPoint): Dialog {
    return createChoiceDialog<RewindWhat>({
      title,
      theme,
      body: createFlowingView(theme, (width, colours) => [
        ...flowText(rewindTexts.ask, width).map((line) => colours.fg("muted", line)),
        ...flowText(rowText(point.label), width),
      ]),
      choices: choicesAt(point),
      onChoose: (what) => onChoose(point.id, what),
      onEscape() {
        inner = list;
      },
    });
  }

  return {
    title,
    widthWished: list.widthWished,
    render: (width, height) => inner.render(width, height),
    handle: (input) => inner.handle(input),
  };
}

function choicesAt({ files }: RewindPoint): readonly Choice<RewindWhat>[] {
  const conversation: Choice<RewindWhat> = {
    value: "conversation",
    key: "c",
    label: rewindTexts.conversation,
    about: rewindTexts.aboutConversation,
  };
  if (files === 0) return [conversation];
  return [
    {
      value: "both",
      key: "b",
      label: rewindTexts.both,
      about: rewindTexts.aboutBoth(filesText(files)),
    },
    conversation,
    {
      value: "files",
      key: "f",
      label: rewindTexts.files,
      about: rewindTexts.aboutFiles(filesText(files)),
    },
  ];
}

function filesText(files: number): string {
  return files === 0 ? rewindTexts.noFiles : rewindTexts.fileCount(files);
}
