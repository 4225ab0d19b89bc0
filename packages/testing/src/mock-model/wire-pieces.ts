/** What the mock wires have in common: how answers are cut into pieces, and what they are said to have used. */
import type { MockUsage } from "./script.ts";

export const deltaCharactersDefault = 16;
export const usageDefault: MockUsage = { input: 100, output: 20 };

/** One message of an event stream that names no event. */
export function frame(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Cuts between characters, never inside one. */
export function cut(text: string, size: number): readonly string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += size)
    pieces.push(characters.slice(start, start + size).join(""));
  return pieces;
}
