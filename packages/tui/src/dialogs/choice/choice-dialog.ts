/** A question with choices below it: what is to be judged scrolls, the choices always stay in sight. */
import { keyName } from "../../screen/input.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog, View } from "../../screen/view.ts";
import type { Theme } from "../../theme/theme.ts";
import { createScrollArea } from "../text/scroll-area.ts";
import { type Choice, createChoiceMenu } from "./choice-menu.ts";

export type ChoiceDialogProps<Value> = {
  readonly title: string;
  readonly theme: () => Theme;
  readonly body: View;
  /** The safe one first, since it is selected first. */
  readonly choices: readonly Choice<Value>[];
  readonly onChoose: (value: Value) => void;
  /** Without it, Escape closes the dialog. */
  readonly onEscape?: () => void;
  readonly onClosed?: () => void;
  readonly widthWished?: number;
};

const widthUsual = 80;
/** What the body has at least, where the screen is very low. */
const bodyHeightMin = 3;

export function createChoiceDialog<Value>(props: ChoiceDialogProps<Value>): Dialog {
  const { body, choices, onChoose, onEscape } = props;
  const menu = createChoiceMenu({ choices, onChoose });
  const area = createScrollArea();
  const cached = createRemembered<readonly string[]>();
  let changes = 0;
  let menuAt = 0;

  function draw(lines: readonly string[], width: number, height: number): readonly string[] {
    const theme = props.theme();
    const menuLines = menu.render({ width, theme, height: Math.max(1, height - bodyHeightMin - 1) });
    const shown = area.render(lines, { width, theme, height: Math.max(1, height - menuLines.length - 1) });
    menuAt = shown.length + 1;
    return [...shown, "", ...menuLines].slice(0, height);
  }

  return {
    title: props.title,
    widthWished: props.widthWished ?? widthUsual,
    render(width, height) {
      const lines = body.render(width);
      return cached([width, height, lines, props.theme(), changes], () => draw(lines, width, height));
    },
    handle(input) {
      changes += 1;
      if (input.kind === "key" && keyName(input.key) === "escape") {
        onEscape?.();
        return onEscape !== undefined;
      }
      if (area.handle(input)) return true;
      if (input.kind !== "mouse") return menu.handle(input);
      const { mouse } = input;
      menu.handle({ kind: "mouse", mouse: { ...mouse, y: mouse.y - menuAt } });
      return true;
    },
    closed: () => props.onClosed?.(),
  };
}
