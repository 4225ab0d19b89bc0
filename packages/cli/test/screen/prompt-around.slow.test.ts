/** Around the prompt: the user's own shell and editor, and the keys that stop and leave. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStage, promptIs, send, startTimeoutMs, waitMs, write } from "./stage.ts";

const open = openStage();
const slow = { timeout: startTimeoutMs };

test("a line behind ! runs in the user's shell, and the model is not asked", slow, async () => {
  const { terminal, model } = await open({ files: { "notes.md": "Remember the milk.\n" }, script: [] });
  await send(terminal, "!cat notes.md");
  await terminal.shows("Remember the milk.", waitMs);
  await terminal.shows("$ cat notes.md");
  await send(terminal, "!exit 3");
  await terminal.shows("(exit code 3)", waitMs);
  expect(model.requests).toEqual([]);
});

test("a line behind # is saved in memory, and the model reads it with the next prompt", slow, async () => {
  const { terminal, model } = await open({ script: [{ text: "Understood." }] });
  await send(terminal, "# Use tabs for indentation");
  await terminal.shows("Saved: use-tabs-for-indentation.md", waitMs);
  expect(model.requests).toEqual([]);
  await send(terminal, "Go on.");
  await terminal.shows("Understood.", waitMs);
  expect(model.requests[0]?.raw.toString()).toContain("Use tabs for indentation");
});

test("the prompt is written on in the user's editor", slow, async () => {
  const folder = mkdtempSync(join(tmpdir(), "kedge-editor-"));
  const editor = join(folder, "editor.sh");
  writeFileSync(
    editor,
    '#!/bin/sh\necho "the editor has the terminal"\nprintf "%s, and\\nmore" "$(cat "$1")" > "$1"\n',
  );
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
  await terminal.shows("waiting for model", waitMs);
  terminal.press("ctrl+c");
  await terminal.shows("! interrupted", waitMs);
  terminal.press("ctrl+c");
  await terminal.shows("press ctrl+c again to exit");
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
