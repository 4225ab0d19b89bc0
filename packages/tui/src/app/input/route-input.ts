/** Who gets what the user did: an open dialog, a named action, or the prompt. */
import type { DialogStack } from "../../dialogs/stack/dialog-stack.ts";
import type { Action } from "../../keys/actions.ts";
import type { KeyReader } from "../../keys/key-reader.ts";
import { escapeTarget } from "../../prompt/escape-routing.ts";
import type { Prompt } from "../../prompt/prompt-parts.ts";
import { type Input, type Key, keyName } from "../../screen/input.ts";

export type RouteParts = {
  readonly dialogs: DialogStack;
  readonly keys: KeyReader;
  readonly prompt: Prompt;
  readonly now: () => number;
  readonly isRunning: () => boolean;
  readonly perform: (action: Action) => void;
  readonly onFocus: (isFocused: boolean) => void;
  /** Escape twice while nothing runs. */
  readonly onDoubleEscape: () => void;
  /** Ctrl+C while a dialog is open. */
  readonly onDialogInterrupt: () => void;
  readonly onSequenceDropped: (keys: readonly string[]) => void;
};

const doubleEscapeMs = 500;

/** Actions that are the prompt's own business, by the key that it knows them by. */
const promptKeys: { readonly [Name in Action]?: Key } = {
  newline: { name: "enter", ctrl: false, alt: false, shift: true, meta: false },
  history_search: { name: "r", ctrl: true, alt: false, shift: false, meta: false },
};

/** Keys of these actions mean something to the prompt first, such as Tab for a completion. */
const promptFirst: ReadonlySet<Action> = new Set<Action>(["submit", "toggle_mode"]);

/** Keys that edit the prompt while there is text in it, and stand for an action in an empty one. */
const deletingKeys: { readonly [key: string]: Action } = { "ctrl+d": "exit", "ctrl+k": "palette" };

export function createInputRoute(parts: RouteParts): (input: Input) => void {
  const { dialogs, keys, prompt } = parts;
  let escapedAt = Number.NEGATIVE_INFINITY;

  function takeEscape(input: Input): void {
    const target = escapeTarget({
      isDialogOpen: false,
      isPopupOpen: prompt.isPopupOpen(),
      vimMode: prompt.vimMode(),
      isRunning: parts.isRunning(),
    });
    if (target === "prompt") return void prompt.handle(input);
    // Half a command of vim goes with it.
    prompt.handle(input);
    const reading = keys.read("escape", "prompt");
    const action = reading.kind === "action" ? reading.action : undefined;
    if (action !== undefined && (action !== "interrupt" || target === "interrupt")) {
      parts.perform(action);
      return;
    }
    // Whoever took the key away from the interruption does not want to be interrupted by it.
    if (target === "interrupt" || reading.kind === "pending") return;
    const time = parts.now();
    const isSecond = time - escapedAt < doubleEscapeMs;
    escapedAt = isSecond ? Number.NEGATIVE_INFINITY : time;
    if (isSecond) parts.onDoubleEscape();
  }

  function takeKey(input: Input, key: Key): void {
    const name = keyName(key);
    const isPending = keys.pending().length > 0;
    if (name === "escape" && isPending) {
      keys.cancel();
      return;
    }
    if (name === "escape") {
      takeEscape(input);
      return;
    }
    const isPlain = key.text !== undefined && !isPending;
    if (isPlain && key.text === "?" && prompt.isEmpty() && prompt.vimMode() !== "normal") {
      parts.perform("help");
      return;
    }
    if (!isPending && (isPlain || prompt.isPopupOpen()) && prompt.handle(input)) return;
    const reading = keys.read(name, "prompt");
    switch (reading.kind) {
      case "pending":
        return;
      case "dropped":
        parts.onSequenceDropped(reading.keys);
        return;
      case "none":
        return void prompt.handle(input);
      case "action": {
        const { action } = reading;
        const own = promptKeys[action];
        if (own !== undefined) return void prompt.handle({ kind: "key", key: own });
        if (promptFirst.has(action) && prompt.handle(input)) return;
        // These keys delete where there is something to delete.
        if (deletingKeys[name] === action && !prompt.isEmpty()) return void prompt.handle(input);
        parts.perform(action);
        return;
      }
    }
  }

  return (input) => {
    if (input.kind === "focus") return parts.onFocus(input.isFocused);
    if (!dialogs.isEmpty()) {
      const isInterrupt = input.kind === "key" && keyName(input.key) === "ctrl+c";
      if (!dialogs.handle(input) && isInterrupt) parts.onDialogInterrupt();
      return;
    }
    if (input.kind === "key") takeKey(input, input.key);
    else prompt.handle(input);
  };
}
