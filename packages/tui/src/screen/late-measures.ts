/**
 * How wide text is, without the tables of Unicode as long as no text needs them. The library makes a segmenter and an
 * expression over all emoji as soon as it is loaded, and asks them about every sign that is no letter: 60 of the 170 ms to
 * the first frame. So text of characters that take one cell each is measured here, and the library is loaded for all
 * other. The build puts this module in the place of the library's own, for the library itself as well.
 */
import { createRequire } from "node:module";
import type * as Measures from "@earendil-works/pi-tui/dist/utils.js";

let loaded: typeof Measures | undefined;

function measures(): typeof Measures {
  // The bundler follows the first one; the sources run as modules, which have no `require`.
  loaded ??=
    typeof require === "function"
      ? require("@earendil-works/pi-tui/dist/utils.js")
      : createRequire(import.meta.url)("@earendil-works/pi-tui/dist/utils.js");
  return loaded as typeof Measures;
}

/** Latin without marks, punctuation, arrows, boxes, blocks, shapes, Braille, and the few signs of our symbol sets. */
const singleCells =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff\u22ef\u2387\u2500-\u25a9\u25ac-\u25b5\u25b7-\u25bf\u25c1-\u25fa\u25ff\u2610\u2713\u2717\u276f\u2800-\u28ff]*$/;
/** Styles, links and the mark of the cursor, as the library takes them out. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with one.
const sequences = /\u001b(?:\[[^mGKHJ]*[mGKHJ]|[\]_][\s\S]*?(?:\u0007|\u001b\\))/g;
const widthsMax = 512;
const widths = new Map<string, number>();

export function visibleWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  const known = widths.get(text);
  if (known !== undefined) return known;
  const plain = text.includes("\u001b") ? text.replace(sequences, "") : text;
  const width = singleCells.test(plain) ? plain.length : measures().visibleWidth(text);
  if (widths.size >= widthsMax) widths.clear();
  widths.set(text, width);
  return width;
}

export const truncateToWidth: typeof Measures.truncateToWidth = (text, columns, ellipsis, isPadded) => {
  const isWhole = isPadded !== true && columns > 0 && visibleWidth(text) <= columns;
  return isWhole ? text : measures().truncateToWidth(text, columns, ellipsis, isPadded);
};

export const normalizeTerminalOutput: typeof Measures.normalizeTerminalOutput = (text) =>
  /[\t\u0e33\u0eb3]/.test(text) ? measures().normalizeTerminalOutput(text) : text;

/** The library asks for these while it is loaded, and uses them much later. */
export function getGraphemeSegmenter(): Pick<Intl.Segmenter, "segment"> {
  return { segment: (text) => measures().getGraphemeSegmenter().segment(text) };
}

export function getWordSegmenter(): Pick<Intl.Segmenter, "segment"> {
  return { segment: (text) => measures().getWordSegmenter().segment(text) };
}

/** The library's, for its search line. */
export const PUNCTUATION_REGEX = /[(){}[\]<>.,;:'"!?+\-=*/\\|&%^$#@~`]/;

export const applyBackgroundToLine: typeof Measures.applyBackgroundToLine = (...given) =>
  measures().applyBackgroundToLine(...given);
export const extractAnsiCode: typeof Measures.extractAnsiCode = (...given) => measures().extractAnsiCode(...given);
export const extractSegments: typeof Measures.extractSegments = (...given) => measures().extractSegments(...given);
export const getActiveBackgroundAnsi: typeof Measures.getActiveBackgroundAnsi = (...given) =>
  measures().getActiveBackgroundAnsi(...given);
export const getGraphemeCellRange: typeof Measures.getGraphemeCellRange = (...given) =>
  measures().getGraphemeCellRange(...given);
export const getOsc8LinkAtColumn: typeof Measures.getOsc8LinkAtColumn = (...given) =>
  measures().getOsc8LinkAtColumn(...given);
export const isWhitespaceChar: typeof Measures.isWhitespaceChar = (...given) => measures().isWhitespaceChar(...given);
export const sliceByColumn: typeof Measures.sliceByColumn = (...given) => measures().sliceByColumn(...given);
export const sliceWithWidth: typeof Measures.sliceWithWidth = (...given) => measures().sliceWithWidth(...given);
export const stripTerminalSequences: typeof Measures.stripTerminalSequences = (...given) =>
  measures().stripTerminalSequences(...given);
export const wrapTextWithAnsi: typeof Measures.wrapTextWithAnsi = (...given) => measures().wrapTextWithAnsi(...given);
