/** The whole way of a key for tests: bytes of a terminal, decoded, routed, to the real prompt with the real vim engine. */
import { createInputRoute } from "../src/app/input/route-input.ts";
import { createDialogStack } from "../src/dialogs/stack/dialog-stack.ts";
import { createKeyReader } from "../src/keys/key-reader.ts";
import { createKeybinds, type KeybindConfig } from "../src/keys/keybinds.ts";
import { decodeInput } from "../src/screen/decode-input.ts";
import { createVimEngine } from "../src/vim/vim-engine.ts";
import { completeFrom, setUpPrompt } from "./prompt-harness.ts";

export type RouteBenchParts = KeybindConfig & {
  readonly hasVim?: boolean;
  readonly isRunning?: boolean;
  readonly entries?: readonly string[];
};

export function openRouteBench({ hasVim = false, isRunning = false, entries = [], ...config }: RouteBenchParts = {}) {
  const done: string[] = [];
  let time = 0;
  const now = () => time;
  const { prompt } = setUpPrompt({
    ...{ now, entries },
    complete: completeFrom(
      [
        { value: "compact", label: "/compact" },
        { value: "cost", label: "/cost" },
      ],
      [],
    ),
    vim: () => createVimEngine({}),
  });
  prompt.setVim(hasVim);
  const dialogs = createDialogStack();
  const { keybinds } = createKeybinds(config);
  const keys = createKeyReader({ keybinds: () => keybinds, now });
  const route = createInputRoute({
    ...{ dialogs, keys, prompt, now },
    isRunning: () => isRunning,
    perform: (action) => done.push(action),
    onFocus: (isFocused) => done.push(isFocused ? "focus" : "no focus"),
    onDoubleEscape: () => done.push("rewind by escape"),
    onDialogInterrupt: () => done.push("interrupt of a dialog"),
    onSequenceDropped: (dropped) => done.push(`dropped ${dropped.join(" ")}`),
  });
  return {
    ...{ prompt, dialogs, keys, done },
    wait(ms: number) {
      time += ms;
    },
    /** Each is one sequence of the terminal. */
    send(...sequences: readonly string[]) {
      for (const sequence of sequences) {
        const input = decodeInput(sequence);
        if (input !== undefined) route(input);
      }
    },
    /** As a person types it: sign by sign. */
    type(text: string) {
      for (const sign of text) {
        const input = decodeInput(sign);
        if (input !== undefined) route(input);
      }
    },
  };
}

export const bytes = {
  ...{ escape: "\u001b", enter: "\r", tab: "\t", shiftTab: "\u001b[Z", up: "\u001b[A", altEnter: "\u001b\r" },
  ...{ ctrlC: "\u0003", ctrlD: "\u0004", ctrlJ: "\n", ctrlK: "\u000b", ctrlR: "\u0012", ctrlX: "\u0018" },
  ...{ shiftEnter: "\u001b[13;2u", backspace: "\u007f", pageUp: "\u001b[5~", left: "\u001b[D" },
} as const;
