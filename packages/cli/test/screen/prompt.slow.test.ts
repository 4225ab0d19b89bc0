/** What is written before it is sent: lines, history, drafts, pastes and completions. */
import { expect, test } from "vitest";
import { openStage, promptIs, ready, send, startTimeoutMs, userTexts, waitMs, write } from "./stage.ts";

const open = openStage();
const slow = { timeout: startTimeoutMs };

test("lines are broken by ctrl+j, shift+enter and a backslash, and sent as they stand", slow, async () => {
  const { terminal, model } = await open({ script: [{ text: "Understood." }] });
  terminal.type("one");
  terminal.press("ctrl+j");
  // As terminals with the newer protocol of keys send shift+enter.
  terminal.type("two\u001b[13;2uthree\\");
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
  await terminal.shows(/\/theme.*Choose a color theme/);
  terminal.press("tab");
  await terminal.shows(/❯ \/theme/);
});
