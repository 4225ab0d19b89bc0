/** A few choices, each with a key of its own: what stands below a question. */
import { cutText, padText } from "../../screen/cut-text.ts";
import { type Input, keyName } from "../../screen/input.ts";
import type { ForegroundToken, Theme } from "../../theme/theme.ts";
import { flowText, rowText } from "../text/dialog-text.ts";

export type Choice<Value> = {
  readonly value: Value;
  /** A letter or digit that takes it at once. */
  readonly key: string;
  readonly label: string;
  /** What it will do, in sight while it is the selected one. */
  readonly about?: string;
  readonly tone?: ForegroundToken;
};

export interface ChoiceMenu {
  handle(input: Input): boolean;
  /** One line per choice, then what the selected one will do; at most `height` lines. */
  render(place: { readonly width: number; readonly height: number; readonly theme: Theme }): readonly string[];
}

/** What stands before a label: the cursor and the key. */
export const choiceHeadColumns = 5;

/** The first one is selected first. */
export function createChoiceMenu<Value>(parts: {
  readonly choices: readonly Choice<Value>[];
  readonly onChoose: (value: Value) => void;
}): ChoiceMenu {
  const { choices, onChoose } = parts;
  let selectedAt = 0;
  let first = 0;
  let rows = choices.length;

  function choose(choice: Choice<Value> | undefined): boolean {
    if (choice !== undefined) onChoose(choice.value);
    return choice !== undefined;
  }

  function select(at: number): true {
    selectedAt = (at + choices.length) % choices.length;
    return true;
  }

  return {
    handle(input) {
      if (input.kind === "mouse") {
        const { type, y } = input.mouse;
        return type === "click" && y >= 0 && y < rows && choose(choices[first + y]);
      }
      if (input.kind !== "key") return false;
      const { name, ctrl, alt, meta } = input.key;
      switch (keyName(input.key)) {
        case "up":
        case "ctrl+p":
        case "shift+tab":
          return select(selectedAt - 1);
        case "down":
        case "ctrl+n":
        case "tab":
          return select(selectedAt + 1);
        case "enter":
          return choose(choices[selectedAt]);
        default:
          return !ctrl && !alt && !meta && choose(choices.find(({ key }) => key === name));
      }
    },
    render({ width, height, theme }) {
      rows = Math.min(choices.length, Math.max(1, height));
      first = Math.max(0, Math.min(selectedAt - Math.floor(rows / 2), choices.length - rows));
      const lines = choices
        .slice(first, first + rows)
        .map((choice, at) => choiceLine(choice, { isSelected: first + at === selectedAt, width, theme }));
      const about = choices[selectedAt]?.about;
      const sentence = about === undefined ? [] : flowText(about, width).map((line) => theme.fg("muted", line));
      return [...lines, ...(sentence.length > 0 ? ["", ...sentence] : [])].slice(0, height);
    },
  };
}

function choiceLine<Value>(
  { key, label, tone = "text" }: Choice<Value>,
  { isSelected, width, theme }: { readonly isSelected: boolean; readonly width: number; readonly theme: Theme },
): string {
  const mark = isSelected ? padText(theme.symbols.prompt, 2) : "  ";
  const head = `${mark}${key}  `;
  const text = cutText(rowText(label), width - choiceHeadColumns, theme.symbols.ellipsis);
  if (!isSelected) return theme.fg("dim", head) + theme.fg(tone, text);
  return theme.bg("selectedBg", theme.fg("accent", head) + theme.bold(theme.fg(tone, text)));
}
