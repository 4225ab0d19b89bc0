/** Paints a fenced block as it grows: each line when it comes, each chunk once when it is whole, and the block at its end. */
import type { Highlighter } from "../syntax/highlighter.ts";
import { type Line, paintLine, plainStyle, span } from "../syntax/styled-text.ts";
import type { Theme } from "../theme/theme.ts";
import type { CodeFence } from "./code-fence.ts";
import { codeBottom, codeLines, codeTop } from "./code-lines.ts";

export interface CodePainter {
  /** Brings the lines up to date; they begin where they ended when the painter was made. */
  paint(): void;
  /** The line that is being written, which changes with every delta. */
  openLines(): readonly string[];
  /** It was painted without the colours of its language, which are still being loaded. */
  readonly isWaiting: boolean;
}

/** Coloured as one, so that comments and strings of several lines come out right. */
const chunkLinesMax = 60;
/** Up to it a whole block is coloured again at its end; a longer one keeps the colours of its chunks. */
const wholeLinesMax = 1000;

export type CodePainterParts = {
  readonly fence: CodeFence;
  readonly hasTop: boolean;
  readonly width: number;
  readonly theme: Theme;
  readonly highlight: Highlighter;
  /** Grows by what is painted. */
  readonly lines: string[];
};

export function createCodePainter({ fence, hasTop, width, theme, highlight, lines }: CodePainterParts): CodePainter {
  const frame = { width, symbols: theme.symbols };
  const { label } = fence;
  let chunk = { line: 0, row: 0 };
  let painted = 0;
  let isDone = false;
  let isWaiting = false;

  const push = (code: readonly Line[]): void => {
    for (const line of codeLines(code, width)) lines.push(paintLine(line, theme));
  };
  const paintRange = (from: number, to: number, isKept: boolean): void => {
    if (from < to) push(highlight.spans(fence.lines.slice(from, to).join("\n"), label, { isKept }));
    painted = to;
  };

  if (hasTop) lines.push(paintLine(codeTop(label, frame), theme));
  const firstRow = lines.length;
  chunk = { line: 0, row: firstRow };

  return {
    get isWaiting() {
      return isWaiting;
    },
    paint() {
      if (isDone) return;
      isWaiting = !highlight.ready(label);
      const count = fence.lines.length;
      if (fence.isClosed && count <= wholeLinesMax) {
        lines.length = firstRow;
        paintRange(0, count, true);
      } else {
        while (count - chunk.line >= chunkLinesMax) {
          lines.length = chunk.row;
          paintRange(chunk.line, chunk.line + chunkLinesMax, false);
          chunk = { line: painted, row: lines.length };
        }
        paintRange(painted, count, false);
      }
      if (!fence.isClosed) return;
      lines.push(paintLine(codeBottom(frame), theme));
      isDone = true;
    },
    openLines() {
      if (isDone || fence.openLine === "") return [];
      return codeLines([[span(fence.openLine, plainStyle)]], width).map((line) => paintLine(line, theme));
    },
  };
}
