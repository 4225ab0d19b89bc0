/** Proves who gets a key: a dialog, the prompt, or a named action. */
import { expect, test } from "vitest";
import { settled } from "../../../test/prompt-harness.ts";
import { bytes, openRouteBench, type RouteBenchParts } from "../../../test/route-bench.ts";
import { keyName } from "../../screen/input.ts";
import type { Dialog } from "../../screen/view.ts";

const { escape: esc, enter, tab, ctrlC, ctrlD, ctrlX } = bytes;

function dialogThat(takes: readonly string[], told: string[]): Dialog {
  return {
    ...{ title: "A dialog", widthWished: 40, render: () => [] },
    handle(input) {
      const name = input.kind === "key" ? keyName(input.key) : input.kind;
      told.push(name);
      return takes.includes(name);
    },
  };
}

test("a dialog gets everything, and the prompt nothing", () => {
  const { dialogs, send, type, prompt, done } = openRouteBench();
  const told: string[] = [];
  type("draft");
  dialogs.open(dialogThat(["a", "escape"], told));
  send("a", "b", "\u001b[200~pasted\u001b[201~", esc, ctrlC, ctrlX, "\u001b[I");
  expect(told).toEqual(["a", "b", "paste", "escape", "ctrl+c", "ctrl+x"]);
  expect(done).toEqual(["interrupt of a dialog", "focus"]);
  expect(prompt.text()).toBe("draft");
});

test("an Escape that the dialog does not want closes it, and nothing else", () => {
  const { dialogs, send, done } = openRouteBench({ isRunning: true, hasVim: true });
  dialogs.open(dialogThat([], []));
  send(esc);
  expect([dialogs.isEmpty(), done]).toEqual([true, []]);
  send(esc);
  expect(done).toEqual(["interrupt"]);
});

test.each<[string, string, readonly string[], readonly string[], string]>([
  ["Enter sends", "hi", [enter], ["submit"], "hi"],
  ["Enter after a backslash is a new line", "hi\\", [enter], [], "hi\n"],
  ["Shift+Enter is a new line", "hi", [bytes.shiftEnter], [], "hi\n"],
  ["Ctrl+J is a new line", "hi", [bytes.ctrlJ], [], "hi\n"],
  ["Alt+Enter sends for later", "hi", [bytes.altEnter], ["follow_up"], "hi"],
  ["Tab changes the mode", "hi", [tab], ["toggle_mode"], "hi"],
  ["Shift+Tab changes the permissions", "", [bytes.shiftTab], ["permission_cycle"], ""],
  ["Ctrl+D leaves when there is no text", "", [ctrlD], ["exit"], ""],
  ["Ctrl+D erases when there is some", "hi", [bytes.left, ctrlD], [], "h"],
  ["Ctrl+C is the app's", "hi", [ctrlC], ["clear_input"], "hi"],
  ["Page Up scrolls", "hi", [bytes.pageUp], ["scroll_page_up"], "hi"],
  ["Ctrl+K opens the palette in an empty prompt", "", [bytes.ctrlK], ["palette"], ""],
  ["Ctrl+K deletes to the end of the line", "hi", [bytes.left, bytes.ctrlK], [], "h"],
  ["Ctrl+P opens the palette", "hi", ["\u0010"], ["palette"], "hi"],
  ["? shows keys in an empty prompt", "", ["?"], ["help"], ""],
  ["? is typed in a text", "why", ["?"], [], "why?"],
  ["letters with shift", "", ["H", "?", "É"], [], "H?É"],
  ["a paste", "a", ["\u001b[200~b\nc\u001b[201~"], [], "ab\nc"],
  ["Backspace", "hi", [bytes.backspace], [], "h"],
  ["the leader and its key", "hi", [ctrlX, "m"], ["model_list"], "hi"],
  ["the leader and a symbol", "", [ctrlX, "?"], ["help"], ""],
  ["the leader and a symbol of another protocol", "", [ctrlX, "\u001b[47:63;2u"], ["help"], ""],
  ["the leader and a key that is not bound to anything", "hi", [ctrlX, "z", "z"], ["dropped ctrl+x z"], "hiz"],
  ["the leader and Escape", "hi", [ctrlX, esc, "m"], [], "him"],
])("%s", (_, text, sequences, expected, left) => {
  const { type, send, prompt, done } = openRouteBench();
  type(text);
  send(...sequences);
  expect([done, prompt.text()]).toEqual([expected, left]);
});

test("a leader waits, but not forever", () => {
  const { send, keys, wait, prompt, done } = openRouteBench();
  send(ctrlX);
  expect(keys.pending()).toEqual(["ctrl+x"]);
  wait(2_001);
  send("m");
  expect([prompt.text(), done]).toEqual(["m", []]);
});

test("completions have the keys first", async () => {
  const { type, send, prompt, done } = openRouteBench({ isRunning: true });
  type("/co");
  await settled();
  expect(prompt.isPopupOpen()).toBe(true);
  send(esc);
  expect([prompt.isPopupOpen(), done]).toEqual([false, []]);
  send(tab);
  expect([prompt.text(), done]).toEqual(["/co", ["toggle_mode"]]);
  prompt.clear();
  type("/com");
  await settled();
  send(tab);
  expect([prompt.text(), done]).toEqual(["/compact ", ["toggle_mode"]]);
  await settled();
  send(enter);
  expect(done).toEqual(["toggle_mode", "submit"]);
});

test("the search in the history has the keys first", () => {
  const { send, type, prompt, done } = openRouteBench({ entries: ["mend the parser", "ship it"], isRunning: true });
  send(bytes.ctrlR);
  type("mend");
  send(enter);
  expect([prompt.text(), done]).toEqual(["mend the parser", []]);
  send(bytes.ctrlR, esc);
  expect([prompt.text(), done]).toEqual(["mend the parser", []]);
  send(esc);
  expect(done).toEqual(["interrupt"]);
});

type EscapeRow = readonly [
  string,
  RouteBenchParts,
  readonly string[],
  readonly string[],
  "normal" | "insert" | undefined,
];

test.each<EscapeRow>([
  ["without vim, while it runs", { isRunning: true }, [esc], ["interrupt"], undefined],
  ["without vim, at rest", {}, [esc], [], undefined],
  ["a leader that is given up, then once", {}, [ctrlX, esc, esc], [], undefined],
  ["without vim, at rest, twice", {}, [esc, esc], ["rewind by escape"], undefined],
  ["INSERT, while it runs", { hasVim: true, isRunning: true }, ["i", esc], [], "normal"],
  ["INSERT, at rest", { hasVim: true }, ["i", esc], [], "normal"],
  ["INSERT, at rest, then twice", { hasVim: true }, ["i", esc, esc, esc], ["rewind by escape"], "normal"],
  ["NORMAL, while it runs", { hasVim: true, isRunning: true }, [esc], ["interrupt"], "normal"],
  ["NORMAL with half a command, while it runs", { hasVim: true, isRunning: true }, ["d", esc], ["interrupt"], "normal"],
  ["NORMAL, at rest", { hasVim: true }, [esc], [], "normal"],
  ["NORMAL, at rest, twice", { hasVim: true }, [esc, esc], ["rewind by escape"], "normal"],
  ["Ctrl+C in INSERT", { hasVim: true, isRunning: true }, ["i", ctrlC], ["clear_input"], "insert"],
  ["Ctrl+C in NORMAL", { hasVim: true, isRunning: true }, [ctrlC], ["clear_input"], "normal"],
  ["a key that was taken from it", { isRunning: true, keybinds: { interrupt: "none" } }, [esc], [], undefined],
  [
    "another meaning of the key",
    { isRunning: true, keybinds: { interrupt: "ctrl+g", editor_open: "none", help: "escape" } },
    [esc, "\u0007"],
    ["help", "interrupt"],
    undefined,
  ],
])("Escape: %s", (_, situation, sequences, expected, mode) => {
  const { send, done, prompt } = openRouteBench(situation);
  send(...sequences);
  expect([done, prompt.vimMode()]).toEqual([expected, mode]);
});

test("half a command of vim is dropped by Escape", () => {
  const { send, type, prompt } = openRouteBench({ hasVim: true });
  type("ione two");
  send(esc);
  type("0d");
  send(esc);
  type("w");
  expect(prompt.text()).toBe("one two");
});

test("two Escapes with a pause between them are two single ones", () => {
  const { send, wait, done } = openRouteBench();
  send(esc);
  wait(501);
  send(esc);
  expect(done).toEqual([]);
  wait(100);
  send(esc);
  expect(done).toEqual(["rewind by escape"]);
  send(esc);
  expect(done).toEqual(["rewind by escape"]);
});
