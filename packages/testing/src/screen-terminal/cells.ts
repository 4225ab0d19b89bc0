/** The cells of an emulated screen: what stands in each, and how it looks. */
import type { IBufferCell, Terminal } from "@xterm/headless";

type CellStyle = {
  /** As `#rrggbb`; undefined for the colour of the terminal itself. */
  readonly foreground: string | undefined;
  readonly background: string | undefined;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
  readonly isInverse: boolean;
  readonly isStruck: boolean;
};

export type Cell = CellStyle & {
  /** Empty for the second half of a wide character. */
  readonly text: string;
  readonly width: number;
};

/** Row by row, every row as wide as the screen. */
export function readCells(terminal: Terminal): readonly (readonly Cell[])[] {
  const buffer = terminal.buffer.active;
  return Array.from({ length: terminal.rows }, (_, row) => {
    const line = buffer.getLine(buffer.baseY + row);
    return Array.from({ length: terminal.cols }, (_, column) => {
      const cell = line?.getCell(column);
      return cell === undefined ? emptyCell : cellOf(cell);
    });
  });
}

const plainStyle: CellStyle = {
  foreground: undefined,
  background: undefined,
  isBold: false,
  isDim: false,
  isItalic: false,
  isUnderlined: false,
  isInverse: false,
  isStruck: false,
};
const emptyCell: Cell = { ...plainStyle, text: " ", width: 1 };

function cellOf(cell: IBufferCell): Cell {
  const width = cell.getWidth();
  return {
    text: width === 0 ? "" : cell.getChars() || " ",
    width,
    foreground: colorText(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()),
    background: colorText(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()),
    isBold: cell.isBold() !== 0,
    isDim: cell.isDim() !== 0,
    isItalic: cell.isItalic() !== 0,
    isUnderlined: cell.isUnderline() !== 0,
    isInverse: cell.isInverse() !== 0,
    isStruck: cell.isStrikethrough() !== 0,
  };
}

function colorText(isRgb: boolean, isPalette: boolean, value: number): string | undefined {
  if (isRgb) return `#${value.toString(16).padStart(6, "0")}`;
  return isPalette ? paletteColor(value) : undefined;
}

/** The first sixteen as xterm has them. */
const namedColors = [
  "#000000",
  "#cd0000",
  "#00cd00",
  "#cdcd00",
  "#0000ee",
  "#cd00cd",
  "#00cdcd",
  "#e5e5e5",
  "#7f7f7f",
  "#ff0000",
  "#00ff00",
  "#ffff00",
  "#5c5cff",
  "#ff00ff",
  "#00ffff",
  "#ffffff",
];
const cubeSteps = [0, 95, 135, 175, 215, 255];
const grayFrom = 232;

function paletteColor(index: number): string {
  const named = namedColors[index];
  if (named !== undefined) return named;
  const place = index - namedColors.length;
  const parts =
    index >= grayFrom
      ? Array.from({ length: 3 }, () => 8 + 10 * (index - grayFrom))
      : [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map((step) => cubeSteps[step] ?? 0);
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
