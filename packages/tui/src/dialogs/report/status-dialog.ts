/** Shows how things stand: labels and values by group, with what is wrong marked. */

import type { Dialog } from "../../screen/view.ts";
import { statusTexts } from "../../texts/reports.ts";
import type { Theme } from "../../theme/theme.ts";
import { type GroupedRow, groupedLines, matchingRows } from "./grouped-rows.ts";
import { createReadingDialog } from "./reading-dialog.ts";

export type StatusDialogProps = {
  /** Undefined while nothing is known; the same array as long as nothing changed. */
  readonly rows: () => readonly GroupedRow[] | undefined;
  readonly problem?: () => string | undefined;
  readonly theme: () => Theme;
};

export function createStatusDialog({ rows, problem, theme }: StatusDialogProps): Dialog {
  return createReadingDialog<readonly GroupedRow[]>({
    title: statusTexts.title,
    theme,
    content: rows,
    problem,
    loadingText: statusTexts.loading,
    isFiltered: true,
    draw: (all, { width, theme: colours, query }) => groupedLines(matchingRows(all, query), width, colours),
  });
}
