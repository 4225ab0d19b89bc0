/** Draws a page as a picture. */
import type { Font } from "./font.ts";
import { paletteOf } from "./inks.ts";
import { type Cell, gridOf, marginPx, type Page, secondColumnAt } from "./pages.ts";
import { encodePng } from "./png.ts";
import type { Shape } from "./shape.ts";

/** A finished picture of a page. */
export type Frame = { readonly png: Uint8Array; readonly width: number; readonly height: number };

export function drawFrame({ rows }: Page, shape: Shape, font: Font): Frame {
  const { advancePx, pitchPx, copies, widthPx: width, ink } = shape;
  const grid = gridOf(shape);
  const rowsTall = Math.min(rows.length, grid.rowsPerColumn) * copies;
  const height = rowsTall * pitchPx + 2 * marginPx;
  const pixels = new Uint8Array(width * height);
  const insetX = Math.max(0, Math.floor((advancePx - font.width) / 2));
  const insetY = Math.floor((pitchPx - font.height) / 2);
  for (const [index, cells] of rows.entries()) {
    const column = Math.floor(index / grid.rowsPerColumn);
    const left = marginPx + column * secondColumnAt(grid) * advancePx + insetX;
    for (let copy = 0; copy < copies; copy += 1) {
      const row = (index % grid.rowsPerColumn) * copies + copy;
      const top = marginPx + row * pitchPx + insetY;
      for (const [place, cell] of cells.entries()) {
        stamp(cell, { pixels, width, at: top * width + left + place * advancePx, glyphWidth: font.width });
      }
    }
  }
  return { png: encodePng({ width, height, pixels, palette: paletteOf(ink) }), width, height };
}

type Place = {
  readonly pixels: Uint8Array;
  readonly width: number;
  /** The upper left pixel of the glyph. */
  readonly at: number;
  readonly glyphWidth: number;
};

function stamp({ glyph, ink }: Cell, { pixels, width, at, glyphWidth }: Place): void {
  for (const [y, bits] of glyph.entries()) {
    for (let x = 0; x < glyphWidth; x += 1) {
      if ((bits >> (glyphWidth - 1 - x)) & 1) pixels[at + y * width + x] = ink;
    }
  }
}
