/** A diff on the screen: numbers, signs, colours of the syntax, changed words marked, in one column or two. */

import { type DiffCounts, type DiffFile, diffCounts } from "@kedge/protocol";
import { cleanLine } from "../screen/clean-text.ts";
import type { View } from "../screen/view.ts";
import type { Highlighter } from "../syntax/highlighter.ts";
import { languageOfPath } from "../syntax/languages.ts";
import { type Line, paintLine, span } from "../syntax/styled-text.ts";
import { wrapAnywhere, wrapWords } from "../syntax/wrap-line.ts";
import { diffTexts, transcriptTexts } from "../texts/conversation.ts";
import type { Theme } from "../theme/theme.ts";
import { type RowContext, splitRows, unifiedRows } from "./diff-rows.ts";
import { type ShownDiff, type ShownFile, shownDiff } from "./shown-diff.ts";

export type DiffLayout = "unified" | "split" | "auto";

export type DiffViewParts = {
  readonly diff: readonly DiffFile[];
  /** From the path of each file where it is not given. */
  readonly language?: string;
  readonly theme: () => Theme;
  readonly highlight: Highlighter;
  readonly layout: DiffLayout;
  /** Lines of the diff that are shown; how many were left out stands below them. */
  readonly linesMax?: number;
};

export type DiffView = View & { readonly counts: DiffCounts };

const linesMaxUsual = 400;
const splitWidthMin = 120;

export function createDiffView(parts: DiffViewParts): DiffView {
  const { diff, theme, highlight, layout, linesMax = linesMaxUsual } = parts;
  const languageOf = ({ path }: ShownFile) => parts.language ?? languageOfPath(path);
  let prepared: ShownDiff | undefined;
  let shown:
    | { readonly width: number; readonly theme: Theme; readonly isColoured: boolean; readonly lines: readonly string[] }
    | undefined;

  return {
    counts: diffCounts(diff),
    render(widthOffered) {
      const width = Math.max(1, widthOffered);
      prepared ??= shownDiff(diff, linesMax);
      const isColoured = prepared.files.every((file) => highlight.ready(languageOf(file)));
      const currentTheme = theme();
      if (shown?.width === width && shown.theme === currentTheme && shown.isColoured === isColoured) return shown.lines;
      const isSplit = layout === "split" || (layout === "auto" && width >= splitWidthMin);
      const { symbols } = currentTheme;
      const digits = `${prepared.numberMax}`.length;
      const hasNames = prepared.files.length > 1;
      const rows = prepared.files.flatMap((file, index): readonly Line[] => {
        const context: RowContext = { width, symbols, highlight, language: languageOf(file), digits };
        const names = hasNames ? fileRows(file, { width, isFirst: index === 0 }) : [];
        return [
          ...names,
          ...file.hunks.flatMap((hunk) => (isSplit ? splitRows : unifiedRows)(hunk, context)),
          ...binaryRows(file, width),
        ];
      });
      const all = [...rows, ...leftOutRows(prepared.leftOut, { width, ellipsis: symbols.ellipsis })];
      // Where even a sign has hardly room, a row is cut.
      const lines = all.map((row) => paintLine(wrapAnywhere(row, width)[0] ?? [], currentTheme));
      shown = { width, theme: currentTheme, isColoured, lines };
      return lines;
    },
  };
}

function fileRows(
  { path }: ShownFile,
  { width, isFirst }: { readonly width: number; readonly isFirst: boolean },
): readonly Line[] {
  const name = wrapAnywhere(
    [span(cleanLine(path) || diffTexts.unnamedFile, { color: "toolTitle", isBold: true })],
    width,
  );
  return isFirst ? name : [[], ...name];
}

function binaryRows({ isBinary }: ShownFile, width: number): readonly Line[] {
  return isBinary ? wrapWords([span(diffTexts.binaryFile, { color: "dim" })], width) : [];
}

function leftOutRows(
  count: number,
  { width, ellipsis }: { readonly width: number; readonly ellipsis: string },
): readonly Line[] {
  if (count === 0) return [];
  return wrapWords([span(`${ellipsis} ${transcriptTexts.moreLines(count)}`, { color: "dim" })], width);
}
