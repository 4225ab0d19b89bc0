/** Draws an emulated screen as SVG: the same bytes for the same cells, on every machine. */
import type { Cell } from "@kedge/testing/screen-terminal";

export type PictureLook = {
  readonly title: string;
  readonly foreground: string;
  readonly background: string;
};

const cellWidth = 8.4;
const cellHeight = 18;
const fontSize = 14;
const baseline = 13.5;
const margin = 14;
const barHeight = 32;
const lineWidth = 1.2;
const dimOpacity = 0.6;
const fonts =
  "ui-monospace, 'SF Mono', 'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";

export function drawPicture(cells: readonly (readonly Cell[])[], look: PictureLook): string {
  const rows = cells.flatMap((row, index) => drawRow(row, index, look));
  return drawWindow(rows, { columns: cells[0]?.length ?? 0, rows: cells.length }, look);
}

/** The window around what was drawn of its rows. */
export function drawWindow(
  drawn: readonly string[],
  { columns, rows }: { readonly columns: number; readonly rows: number },
  look: PictureLook,
): string {
  const width = Math.ceil(columns * cellWidth + 2 * margin);
  const height = rows * cellHeight + barHeight + 2 * margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(look.title)}">`,
    `<rect width="${width}" height="${height}" rx="9" fill="${look.background}"/>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="9" fill="none" stroke="${look.foreground}" stroke-opacity="0.25"/>`,
    ...[0, 1, 2].map((dot) => {
      return `<circle cx="${margin + 6 + dot * 18}" cy="${barHeight / 2 + 2}" r="5" fill="${look.foreground}" fill-opacity="0.25"/>`;
    }),
    `<g font-family="${fonts}" font-size="${fontSize}" xml:space="preserve" style="white-space:pre">`,
    `<text x="${width / 2}" y="${barHeight / 2 + 7}" text-anchor="middle" fill="${look.foreground}" fill-opacity="0.6">${escaped(look.title)}</text>`,
    `<g transform="translate(${margin} ${barHeight + margin / 2})" fill="${look.foreground}">`,
    ...drawn,
    "</g>",
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

export function drawRow(row: readonly Cell[], index: number, look: PictureLook): readonly string[] {
  const top = index * cellHeight;
  const parts: string[] = [];
  for (const { cells, column } of runsOf(row, ({ background }) => background ?? "", look)) {
    const [first] = cells;
    if (first?.background === undefined) continue;
    const size = `width="${number(widthOf(cells))}" height="${cellHeight}"`;
    parts.push(`<rect x="${number(column * cellWidth)}" y="${top}" ${size} fill="${first.background}"/>`);
  }
  for (const { cells, column } of runsOf(row, textKey, look)) {
    const [first] = cells;
    const text = cells.map((cell) => cell.text).join("");
    if (first === undefined || text.trim() === "") continue;
    const place = { left: column * cellWidth, top };
    parts.push(isLine(first) ? drawLines(cells, place) : drawText(cells, place));
  }
  return parts;
}

/** What two neighbours share to be drawn as one piece of text. Wide characters and symbols stand alone, in their own cell. */
function textKey(cell: Cell): string {
  const style = [cell.foreground, cell.isBold, cell.isDim, cell.isItalic, cell.isUnderlined, cell.isStruck];
  const kind = isLine(cell) ? "line" : "text";
  const alone = cell.width !== 1 || (kind === "text" && !/^[\u0020-\u024f]*$/.test(cell.text));
  return `${kind} ${style.join(" ")} ${alone ? "alone" : ""}`;
}

type Run = { readonly column: number; readonly cells: Cell[] };

function runsOf(row: readonly Cell[], keyOf: (cell: Cell) => string, look: PictureLook): readonly Run[] {
  const runs: Run[] = [];
  let key: string | undefined;
  for (const [column, raw] of row.entries()) {
    const cell = raw.isInverse ? inverted(raw, look) : raw;
    const next = keyOf(cell);
    if (next === key && !next.endsWith("alone")) runs.at(-1)?.cells.push(cell);
    else if (cell.width > 0) runs.push({ column, cells: [cell] });
    key = cell.width > 0 ? next : undefined;
  }
  return runs;
}

function inverted(cell: Cell, look: PictureLook): Cell {
  return {
    ...cell,
    isInverse: false,
    foreground: cell.background ?? look.background,
    background: cell.foreground ?? look.foreground,
  };
}

/** Two blanks end a piece: viewers disagree about whether blanks inside a text are kept. */
function drawText(run: readonly Cell[], { left, top }: { left: number; top: number }): string {
  const text = run.map((cell) => cell.text).join("");
  if (run[0]?.isUnderlined === true || text.length !== run.length) return drawPiece(run, { left, top });
  return [...text.matchAll(/\S+(?: \S+)*/g)]
    .map(({ 0: piece, index }) => {
      return drawPiece(run.slice(index, index + piece.length), { left: left + index * cellWidth, top });
    })
    .join("");
}

function drawPiece(cells: readonly Cell[], { left, top }: { left: number; top: number }): string {
  const text = cells.map((cell) => cell.text).join("");
  const [first] = cells;
  const attributes = [
    ...(first?.foreground === undefined ? [] : [`fill="${first.foreground}"`]),
    ...(first?.isBold === true ? ['font-weight="bold"'] : []),
    ...(first?.isItalic === true ? ['font-style="italic"'] : []),
    ...(first?.isDim === true ? [`fill-opacity="${dimOpacity}"`] : []),
    ...(first?.isUnderlined === true ? ['text-decoration="underline"'] : []),
    ...(first?.isStruck === true ? ['text-decoration="line-through"'] : []),
  ];
  // The length makes every font fill its cells, whatever the width of its letters is.
  const length = `textLength="${number(widthOf(cells))}" lengthAdjust="spacingAndGlyphs"`;
  const place = `x="${number(left)}" y="${top + baseline}"`;
  return `<text ${[place, length, ...attributes].join(" ")}>${escaped(text)}</text>`;
}

/** Lines are drawn, not written: as letters they would leave gaps between rows. Directions: up, right, down, left. */
const lineArms: { readonly [character: string]: string } = {
  "─": "rl",
  "│": "ud",
  "╭": "rd*",
  "╮": "dl*",
  "╰": "ur*",
  "╯": "ul*",
  "┌": "rd",
  "┐": "dl",
  "└": "ur",
  "┘": "ul",
  "├": "urd",
  "┤": "udl",
  "┬": "rdl",
  "┴": "url",
  "┼": "urdl",
};

/** As shares of a cell: left, top, width, height. */
const blockParts: { readonly [character: string]: readonly [number, number, number, number] } = {
  "█": [0, 0, 1, 1],
  "▌": [0, 0, 0.5, 1],
  "▐": [0.5, 0, 0.5, 1],
  "▀": [0, 0, 1, 0.5],
  "▄": [0, 0.5, 1, 0.5],
  "▎": [0, 0, 0.25, 1],
  "▏": [0, 0, 0.125, 1],
};

function isLine({ text }: Cell): boolean {
  return lineArms[text] !== undefined || blockParts[text] !== undefined;
}

function drawLines(cells: readonly Cell[], { left, top }: { left: number; top: number }): string {
  const color = cells[0]?.foreground;
  const opacity = cells[0]?.isDim === true ? ` opacity="${dimOpacity}"` : "";
  const strokes: string[] = [];
  const blocks: string[] = [];
  for (const [index, { text }] of cells.entries()) {
    const block = blockParts[text];
    const x = left + index * cellWidth;
    if (block === undefined) strokes.push(armsPath(lineArms[text] ?? "", x, top));
    else {
      const [partLeft, partTop, partWidth, partHeight] = block;
      const start = `M${number(x + partLeft * cellWidth)} ${number(top + partTop * cellHeight)}`;
      blocks.push(
        `${start}h${number(partWidth * cellWidth)}v${number(partHeight * cellHeight)}h${number(-partWidth * cellWidth)}z`,
      );
    }
  }
  const stroke = color === undefined ? 'stroke="currentColor"' : `stroke="${color}"`;
  const fill = color === undefined ? "" : ` fill="${color}"`;
  return [
    ...(strokes.length > 0
      ? [`<path d="${strokes.join("")}" fill="none" ${stroke} stroke-width="${lineWidth}"${opacity}/>`]
      : []),
    ...(blocks.length > 0 ? [`<path d="${blocks.join("")}"${fill}${opacity}/>`] : []),
  ].join("");
}

function armsPath(arms: string, left: number, top: number): string {
  const [x, y] = [left + cellWidth / 2, top + cellHeight / 2];
  const ends: { readonly [arm: string]: readonly [number, number] } = {
    u: [x, top],
    r: [left + cellWidth, y],
    d: [x, top + cellHeight],
    l: [left, y],
  };
  const end = (arm: string) => (ends[arm] ?? [x, y]).map((value) => number(value)).join(" ");
  const [first = "", second = ""] = arms;
  if (arms.endsWith("*")) return `M${end(first)}Q${number(x)} ${number(y)} ${end(second)}`;
  return [...arms].map((arm) => `M${number(x)} ${number(y)}L${end(arm)}`).join("");
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0) * cellWidth;
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
