/** What a terminal sends for what a person does with it besides typing: paste, click, turn the wheel, look elsewhere. */
import type { EmulatorState } from "./emulator.ts";

const escapeCharacter = "\u001b";

/** Between the marks of a paste where the program asked for them. */
export function pasteSequence(text: string, { isBracketedPaste }: EmulatorState): string {
  return isBracketedPaste ? `${escapeCharacter}[200~${text}${escapeCharacter}[201~` : text;
}

/** Column and row are counted from 0. */
export function clickSequence(column: number, row: number): string {
  const place = `${column + 1};${row + 1}`;
  return `${escapeCharacter}[<0;${place}M${escapeCharacter}[<0;${place}m`;
}

/** Over the middle of the screen; downwards when positive. */
export function wheelSequence(notches: number, size: { readonly columns: number; readonly rows: number }): string {
  const place = `${Math.ceil(size.columns / 2)};${Math.ceil(size.rows / 2)}`;
  return `${escapeCharacter}[<${notches < 0 ? 64 : 65};${place}M`.repeat(Math.abs(notches));
}

/** Nothing for a program that did not ask to be told. */
export function focusSequence(isIn: boolean, { isFocusTold }: EmulatorState): string {
  if (!isFocusTold) return "";
  return isIn ? `${escapeCharacter}[I` : `${escapeCharacter}[O`;
}
