/** What tests of dialogs do and see: keys by their names, and lines without their styles. */
import { stripTerminalControls } from "@kedge/protocol";
import { frameDialog } from "../src/dialogs/stack/dialog-frame.ts";
import type { Input } from "../src/screen/input.ts";
import { cursorMark } from "../src/screen/text-width.ts";
import type { Dialog } from "../src/screen/view.ts";
import { bareTheme } from "./bare-theme.ts";

/** `ctrl+n`, `enter` or a letter; gives back whether it was taken. */
export function press(dialog: Pick<Dialog, "handle">, name: string): boolean {
  const parts = name === "+" ? ["+"] : name.split("+");
  const key = parts.at(-1) ?? "";
  const text = key === "space" ? " " : [...key].length === 1 && parts.length === 1 ? key : undefined;
  const input: Input = {
    kind: "key",
    key: {
      name: key.toLowerCase() === key || key.length > 1 ? key : key.toLowerCase(),
      ctrl: parts.includes("ctrl"),
      alt: parts.includes("alt"),
      shift: parts.includes("shift"),
      meta: parts.includes("meta"),
      ...(text !== undefined && { text }),
    },
  };
  return dialog.handle(input);
}

export function type(dialog: Pick<Dialog, "handle">, text: string): void {
  for (const character of text) press(dialog, character === " " ? "space" : character);
}

/** The whole dialog in its frame, as text; blanks at the ends of lines are gone. */
export function screenOf(dialog: Dialog, { width = 80, height = 24 } = {}): string {
  const lines = frameDialog(dialog, { width, height, theme: bareTheme() });
  return `\n${lines.map((line) => stripTerminalControls(line).trimEnd()).join("\n")}\n`;
}

/** Its inside, as text. */
export function insideOf(dialog: Dialog, { width = 76, height = 22 } = {}): readonly string[] {
  return dialog.render(width, height).map((line) => stripTerminalControls(line).trimEnd());
}

/** Characters that steer a terminal and are neither a style of the bare theme nor our cursor. */
export function foreignControls(line: string): readonly string[] {
  const styles = [1, 2, 3, 4, 7, 9, 22, 23, 24, 27, 29].map((code) => `\u001b[${code}m`);
  const rest = [cursorMark, ...styles].reduce((text, own) => text.replaceAll(own, ""), line);
  return rest.match(/\p{C}/gu) ?? [];
}
