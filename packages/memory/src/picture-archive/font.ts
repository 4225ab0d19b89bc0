/** The pixel fonts: their drawings are text files of dots and hashes, read when something is printed. */
import { textBeside } from "@kedge/protocol/text-file";

export type FontName = "7x13" | "5x8" | "4x8";

/** One number for each row from the top; its highest bit of `Font.width` is the leftmost pixel. */
export type Glyph = readonly number[];

export type Font = {
  readonly width: number;
  readonly height: number;
  /** A letter with marks is put together from drawings where there is none of its own. */
  readonly glyph: (character: string) => Glyph | undefined;
};

/** Marks are drawn for small letters; above tall ones they move up by so many rows. */
const tallLetterRise = 2;
const firstBelowMark = "\u0316";
const dotless: { readonly [letter: string]: string } = { i: "\u0131", j: "\u0237" };

export function loadFont(name: FontName): Font {
  switch (name) {
    case "7x13":
      return readFont(textBeside(import.meta.url, "./font-7x13.txt"));
    case "5x8":
      return readFont(textBeside(import.meta.url, "./font-5x8.txt"));
    case "4x8":
      return readFont(textBeside(import.meta.url, "./font-4x8.txt"));
  }
}

/** Bands of drawings side by side: a line of code points, below each of them its rows. An empty line ends a band. */
function readFont(text: string): Font {
  const drawn = new Map<string, Glyph>();
  let width = 0;
  let height = 0;
  for (const band of text.split("\n\n")) {
    const [names = "", ...rows] = band.split("\n");
    const columns = rows.map((row) => row.split(" "));
    height = rows.length;
    for (const [index, name] of names.split(/ +/).entries()) {
      const pixels = columns.map((cells) => cells[index] ?? "");
      width = pixels[0]?.length ?? 0;
      drawn.set(
        String.fromCodePoint(Number.parseInt(name, 16)),
        pixels.map((row) => Number.parseInt(row.replaceAll(".", "0").replaceAll("#", "1"), 2)),
      );
    }
  }
  drawn.set(
    " ",
    Array.from({ length: height }, () => 0),
  );
  return { width, height, glyph: (character) => drawn.get(character) ?? composed(character, drawn) };
}

function composed(character: string, drawn: ReadonlyMap<string, Glyph>): Glyph | undefined {
  const [letter = "", ...marks] = character.normalize("NFD");
  if (marks.length === 0) return undefined;
  const isAbove = marks.some((mark) => mark < firstBelowMark);
  const base = drawn.get(isAbove ? (dotless[letter] ?? letter) : letter);
  const shapes = marks.map((mark) => drawn.get(mark));
  if (base === undefined || shapes.includes(undefined)) return undefined;
  const isTall = base.findIndex((row) => row !== 0) <= tallLetterRise;
  const rows = [...base];
  for (const [index, shape = []] of shapes.entries()) {
    const rise = isTall && (marks[index] ?? "") < firstBelowMark ? tallLetterRise : 0;
    for (const [row, bits] of shape.entries()) if (bits !== 0) rows[row - rise] = (rows[row - rise] ?? 0) | bits;
  }
  return rows;
}
