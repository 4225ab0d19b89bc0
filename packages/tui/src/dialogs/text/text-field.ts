/** Text that is typed in a dialog: one line or several, with a cursor that moves by what a reader takes for a character. */
import { stripTerminalControls } from "@kedge/protocol";
import { type Input, type Key, keyName } from "../../screen/input.ts";
import type { Theme } from "../../theme/theme.ts";
import { graphemesOf } from "./dialog-text.ts";
import { fieldLine, fieldRows, rowOf, rowsOf } from "./text-field-rows.ts";

export interface TextField {
  text(): string;
  /** True when it was a key of the field, whether or not the text changed. Enter and Escape are not. */
  handle(input: Input): boolean;
  /** One line that follows the cursor, or as many as the text has, at most `rowsMax` around the cursor. */
  render(place: { readonly width: number; readonly theme: Theme; readonly rowsMax?: number }): readonly string[];
}

export type TextFieldProps = {
  readonly initial?: string;
  /** Line ends come by paste and with shift+enter, alt+enter or ctrl+j. */
  readonly isMultiline?: boolean;
  /** Shows a dot for each character. */
  readonly isSecret?: boolean;
};

export function createTextField({ initial = "", isMultiline = false, isSecret = false }: TextFieldProps): TextField {
  const oneLine = (text: string) => (isMultiline ? text : text.replaceAll("\n", " "));
  let cells = cellsOf(oneLine(initial));
  let cursor = cells.length;
  let widthSeen = 0;

  function replace(from: number, to: number, text: string): boolean {
    const before = cells.slice(0, from).join("") + text;
    const after = cells.slice(to).join("");
    cells = cellsOf(before + after);
    // A mark that joins what stands before it makes fewer characters; the cursor stays behind what was typed.
    cursor = Math.min(cellsOf(before).length, cells.length);
    return true;
  }

  function insert(text: string): boolean {
    return replace(cursor, cursor, oneLine(stripTerminalControls(text)));
  }

  function move(to: number): boolean {
    cursor = Math.max(0, Math.min(cells.length, to));
    return true;
  }

  function wordFrom(at: number, step: -1 | 1): number {
    const isBlank = (index: number) => /^\s*$/.test(cells[step < 0 ? index - 1 : index] ?? "x");
    let index = at;
    while (index + step >= 0 && index + step <= cells.length && isBlank(index)) index += step;
    while (index + step >= 0 && index + step <= cells.length && !isBlank(index)) index += step;
    return index;
  }

  const lineStart = () => cells.lastIndexOf("\n", cursor - 1) + 1;
  const lineEnd = () => (cells.indexOf("\n", cursor) < 0 ? cells.length : cells.indexOf("\n", cursor));
  const startOfLine = () => (cursor === 0 ? 0 : lineStart());

  function moveRow(step: -1 | 1): boolean {
    if (!isMultiline) return false;
    const rows = rowsOf({ cells, cursor, isSecret }, widthSeen);
    const at = rowOf(rows, cursor);
    const [row, next] = [rows[at], rows[at + step]];
    if (row === undefined || next === undefined) return true;
    const isLast = at + step === rows.length - 1;
    return move(Math.min(next.from + cursor - row.from, isLast ? next.to : next.to - 1));
  }

  function handleKey(key: Key): boolean {
    switch (keyName(key)) {
      case "left":
      case "ctrl+b":
        return move(cursor - 1);
      case "right":
      case "ctrl+f":
        return move(cursor + 1);
      case "up":
        return moveRow(-1);
      case "down":
        return moveRow(1);
      case "home":
      case "ctrl+a":
        return move(startOfLine());
      case "end":
      case "ctrl+e":
        return move(lineEnd());
      case "alt+left":
      case "ctrl+left":
      case "alt+b":
        return move(wordFrom(cursor, -1));
      case "alt+right":
      case "ctrl+right":
      case "alt+f":
        return move(wordFrom(cursor, 1));
      case "backspace":
      case "shift+backspace":
        return cursor === 0 || replace(cursor - 1, cursor, "");
      case "delete":
        return cursor === cells.length || replace(cursor, cursor + 1, "");
      case "ctrl+w":
      case "alt+backspace":
        return replace(wordFrom(cursor, -1), cursor, "");
      case "ctrl+u":
        return replace(startOfLine(), cursor, "");
      case "ctrl+k":
        return replace(cursor, lineEnd(), "");
      case "shift+enter":
      case "alt+enter":
      case "ctrl+j":
        return isMultiline && insert("\n");
      default:
        return key.text !== undefined && !key.ctrl && !key.alt && !key.meta && insert(key.text);
    }
  }

  return {
    text: () => cells.join(""),
    handle(input) {
      if (input.kind === "paste") return insert(input.text);
      return input.kind === "key" && handleKey(input.key);
    },
    render({ width, theme, rowsMax = Number.POSITIVE_INFINITY }) {
      widthSeen = width;
      const typed = { cells, cursor, isSecret };
      return isMultiline ? fieldRows(typed, { width, theme, rowsMax }) : [fieldLine(typed, { width, theme })];
    },
  };
}

/** A line end is always a cell of its own, so that none is drawn. */
function cellsOf(text: string): readonly string[] {
  return graphemesOf(text).flatMap((cell) => (cell === "\r\n" ? ["\r", "\n"] : [cell]));
}
