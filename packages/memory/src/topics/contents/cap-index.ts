/** Cuts the index to what every session may load, and says what was cut. */
import { startWithinBytes } from "../../fence/fence-item.ts";

export const indexLinesMax = 200;
export const indexBytesMax = 25_000;

export type CappedIndex = {
  readonly text: string;
  /** A line for the model, with the sizes of the whole file. */
  readonly warning?: string;
};

/** `shown` is the text of the file as it may be shown; sizes are told of the file itself. */
export function capIndex(file: string, shown = file): CappedIndex {
  const trimmed = shown.trim();
  const lines = trimmed.split("\n");
  const byLines = lines.length > indexLinesMax ? lines.slice(0, indexLinesMax).join("\n") : trimmed;
  const text = withinBytes(byLines);
  if (text === trimmed) return { text };
  const hitLines = lines.length > indexLinesMax;
  const hitBytes = text !== byLines;
  const cap = hitLines && hitBytes ? "both" : hitLines ? "lines" : "bytes";
  return { text, warning: warningText(cap, file.trim().split("\n").length, Buffer.byteLength(file)) };
}

/** At the last line end within the cap; a giant line is cut between two characters. */
function withinBytes(text: string): string {
  const start = startWithinBytes(text, indexBytesMax);
  if (start === text) return text;
  // A line that ends exactly at the cap is whole.
  const end = text.charAt(start.length) === "\n" ? start.length : start.lastIndexOf("\n");
  return end <= 0 ? start : text.slice(0, end);
}

const capTexts = {
  lines: `lines (${indexLinesMax})`,
  bytes: `bytes (${count(indexBytesMax)})`,
  both: `both lines (${indexLinesMax}) and bytes (${count(indexBytesMax)})`,
} as const;

function warningText(cap: keyof typeof capTexts, lines: number, bytes: number): string {
  return `[MEMORY.md is cut. Cap: ${capTexts[cap]}. The whole file has ${count(lines)} lines and ${count(bytes)} bytes; INDEX.full.md names every topic.]`;
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}
