/** The tree of a session: goes on at another place of it, or gives a place a name. */

import { cleanLine } from "../../screen/clean-text.ts";
import { padText } from "../../screen/cut-text.ts";
import { createRemembered } from "../../screen/remembered.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import type { Dialog } from "../../screen/view.ts";
import { treeTexts } from "../../texts/dialogs.ts";
import type { Symbols, Theme } from "../../theme/theme.ts";
import type { ListItem } from "../list/list-dialog.ts";
import { createPicker } from "../list/picker-dialog.ts";
import { createTextDialog } from "../text/text-dialog.ts";
import type { TreeRow } from "./tree-rows.ts";

export type TreeDialogProps = {
  /** The same array as long as nothing changed; undefined while the messages are read. */
  readonly rows: () => readonly TreeRow[] | undefined;
  readonly problem?: () => string | undefined;
  readonly theme: () => Theme;
  /** Closes nothing: whoever opened the dialog closes it. */
  readonly onChoose: (entryId: string) => void;
  /** Without a label the old one is taken away. */
  readonly onLabel: (entryId: string, label: string | undefined) => void;
  readonly query?: string;
};

/** Deeper branches are no further in, so that there is room for their words. */
const depthShownMax = 8;

/** Stands for the leaf, which is found when the rows are there. */
const theLeaf: TreeRow = { entryId: "", depth: 0, text: "", isOnPath: true, isLeaf: true, role: "user" };

export function createTreeDialog({ rows, problem, theme, onChoose, onLabel, query }: TreeDialogProps): Dialog {
  const remembered = createRemembered<readonly ListItem<TreeRow>[] | undefined>();
  const picker = createPicker<TreeRow>({
    title: treeTexts.title,
    theme,
    problem,
    query,
    items() {
      const known = rows();
      const { symbols } = theme();
      return remembered([known, symbols], () => known?.map((row) => treeItem(row, symbols)));
    },
    loadingText: treeTexts.loading,
    emptyText: treeTexts.empty,
    onChoose: ({ entryId }) => onChoose(entryId),
    keys: [
      { key: "ctrl+l", label: treeTexts.label, press: name },
      {
        key: "ctrl+d",
        label: treeTexts.removeLabel,
        press: ({ entryId, label }) => (label === undefined ? undefined : onLabel(entryId, undefined)),
      },
    ],
    sameAs: (left, right) => left.entryId === right.entryId || (right === theLeaf && left.isLeaf),
    selected: theLeaf,
  });

  function name({ entryId, label = "" }: TreeRow): void {
    picker.ask(
      createTextDialog({
        title: treeTexts.labelTitle,
        theme,
        sentence: treeTexts.askLabel,
        initial: cleanLine(label),
        onText(text) {
          picker.backToList();
          onLabel(entryId, text);
        },
        onEscape: picker.backToList,
      }),
    );
  }

  return picker.dialog;
}

function treeItem(row: TreeRow, symbols: Symbols): ListItem<TreeRow> {
  const { depth, isLeaf, isOnPath, label, role } = row;
  const mark = isLeaf ? symbols.arrow : isOnPath ? symbols.bullet : "";
  const indent = "  ".repeat(Math.min(depth, depthShownMax));
  const text = cleanLine(row.text);
  const name = label === undefined ? "" : `[${cleanLine(label)}] `;
  return {
    value: row,
    label: `${padText(mark, visibleWidth(symbols.arrow) + 1)}${indent}${name}${role === "user" ? treeTexts.you(text) : text}`,
    ...(isLeaf && { right: treeTexts.here }),
  };
}
