/** What is written before it is sent: lines, history, drafts, pastes, completions, the user's own shell and editor. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStage, promptIs, ready, send, startTimeoutMs, userTexts, waitMs, write } from "./stage.ts";

const open = openStage();
const slow = { timeout: startTimeoutMs };

test("lines are broken by shift+enter and a backslash, and sent as they stand", slow, async () => {
  const { terminal, model } = await open({ script: [{ text: "Understood." }] });
  // As terminals with the newer protocol of keys send shift+enter.
  terminal.type("one\u001b[13;2utwo\u001b[13;2uthree\\");
  await promptIs(terminal, "one\ntwo\nthree\\");
  terminal.press("enter");
  await promptIs(terminal, "one\ntwo\nthree\n");
  terminal.type("four");
  await promptIs(terminal, "one\ntwo\nthree\nfour");
  terminal.press("enter");
  await terminal.shows("Understood.", waitMs);
  expect(userTexts(await model.waitForRequest(1)).at(-1)).toBe("one\ntwo\nthree\nfour");
});

test("earlier prompts come back by up and by ctrl+r, also after a restart", slow, async () => {
  const scene = await open({ script: [] });
  await send(scene.terminal, "paint the door green");
  await send(scene.terminal, "oil the hinges");
  await scene.terminal.shows(/Done\.[\s\S]*Done\./, waitMs);
  const terminal = await scene.restart();
  await ready(terminal);
  terminal.press("up");
  await promptIs(terminal, "oil the hinges");
  terminal.press("up");
  await promptIs(terminal, "paint the door green");
  terminal.press("down");
  await promptIs(terminal, "oil the hinges");
  terminal.press("down");
  await promptIs(terminal, "");
  terminal.press("ctrl+r");
  terminal.type("door");
  await terminal.shows("paint the door green");
  terminal.press("enter");
  await promptIs(terminal, "paint the door green");
});

test("a draft survives the death of the program", slow, async () => {
  const scene = await open({ script: [] });
  await write(scene.terminal, "half a thought");
  await scene.terminal.settled(600);
  scene.terminal.kill("SIGKILL");
  expect(await scene.terminal.ended()).toBe(137);
  const terminal = await scene.restart();
  await promptIs(terminal, "half a thought");
  await ready(terminal);
  terminal.press("enter");
  await terminal.shows("Done.", waitMs);
  const later = await scene.restart();
  await ready(later);
  await promptIs(later, "");
});

test("a long paste is one token on the screen and whole for the model", slow, async () => {
  const { terminal, model } = await open({ script: [{ text: "Read." }] });
  const pasted = Array.from({ length: 30 }, (_, index) => `line ${index + 1} of the log`).join("\n");
  terminal.type("Why? ");
  terminal.paste(pasted);
  await terminal.shows(/Why\? \[.*30 lines.*\]/);
  expect(terminal.screen().join("\n")).not.toContain("of the log");
  terminal.type(" Tell me.");
  await terminal.shows("Tell me.");
  terminal.press("enter");
  await terminal.shows("Read.", waitMs);
  const text = userTexts(await model.waitForRequest(1)).at(-1) ?? "";
  expect(text).toContain(pasted);
  expect(text).toMatch(/^Why\? [\s\S]* Tell me\.$/);
});

test("files are completed behind @ and commands behind /", slow, async () => {
  const { terminal, model } = await open({
    files: { "src/teapot.ts": "export {};\n", "src/kettle.ts": "export {};\n", "notes.md": "Notes.\n" },
    script: [{ text: "Seen." }],
  });
  terminal.type("Look at @teap");
  await terminal.shows(/src\/teapot\.ts/);
  terminal.press("tab");
  await promptIs(terminal, "Look at @src/teapot.ts");
  terminal.press("enter");
  await terminal.shows("Seen.", waitMs);
  expect(userTexts(await model.waitForRequest(1)).at(-1)).toContain("@src/teapot.ts");
  terminal.type("/the");
  await terminal.shows(/\/theme.*chooses the colours/);
  terminal.press("tab");
  await terminal.shows(/❯ \/theme/);
});

test("a line behind ! runs in the user's shell, and the model is not asked", slow, async () => {
  const { terminal, model } = await open({ files: { "notes.md": "Remember the milk.\n" }, script: [] });
  await send(terminal, "!cat notes.md");
  await terminal.shows("Remember the milk.", waitMs);
  await terminal.shows("$ cat notes.md");
  await send(terminal, "!exit 3");
  await terminal.shows("(exit code 3)", waitMs);
  expect(model.requests).toEqual([]);
});

test("the prompt is written on in the user's editor", slow, async () => {
  const folder = mkdtempSync(join(tmpdir(), "kedge-editor-"));
  const editor = join(folder, "editor.sh");
  writeFileSync(editor, '#!/bin/sh\necho "the editor has the terminal"\nprintf "%s, and\\nmore" "$(cat "$1")" > "$1"\n');
  chmodSync(editor, 0o755);
  try {
    const { terminal } = await open({ script: [], environment: { EDITOR: editor } });
    await write(terminal, "A beginning");
    terminal.press("ctrl+g");
    await promptIs(terminal, "A beginning, and\nmore");
    expect(terminal.written()).toContain("the editor has the terminal");
    expect(terminal.state()).toMatchObject({ isAlternateScreen: true, isBracketedPaste: true, isFocusTold: true });
    terminal.type(".");
    await promptIs(terminal, "A beginning, and\nmore.");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("ctrl+c clears, then interrupts, then asks, then leaves", slow, async () => {
  const { terminal, model } = await open({ script: [{ text: "Never heard.", holdUntil: new Promise(() => {}) }] });
  await send(terminal, "Wait for it.");
  await model.waitForRequest(1);
  await write(terminal, "something else");
  terminal.press("ctrl+c");
  await promptIs(terminal, "");
  await terminal.shows("waiting for the model", waitMs);
  terminal.press("ctrl+c");
  await terminal.shows("! interrupted", waitMs);
  terminal.press("ctrl+c");
  await terminal.shows("ctrl+c again leaves kedge");
  terminal.press("ctrl+c");
  expect(await terminal.ended()).toBe(130);
});

test("ctrl+d deletes in a text and leaves an empty prompt", slow, async () => {
  const { terminal } = await open({ script: [] });
  await write(terminal, "abc");
  terminal.press("home");
  terminal.press("ctrl+d");
  await promptIs(terminal, "bc");
  terminal.press("ctrl+c");
  await promptIs(terminal, "");
  terminal.press("ctrl+d");
  expect(await terminal.ended()).toBe(0);
  expect(terminal.state()).toMatchObject({ isAlternateScreen: false, isBracketedPaste: false });
});
