/** The whole way by keys alone, from the first start on: a model, a prompt, an answer, a permission, a changed file, undo and redo, and back another day. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { editCall, paced, readCall } from "@kedge/testing/screen-terminal";
import { expect, test } from "vitest";
import { asked, openStage, promptIs, ready, send, startTimeoutMs, waitMs, write } from "./stage.ts";

const open = openStage();

const before = "export const price = 10;\nexport const name = 'tea';\n";
const after = "export const price = 12;\nexport const name = 'tea';\n";

test("from the first start to a changed file, undone and done again", { timeout: startTimeoutMs }, async () => {
  const scene = await open({
    model: "vllm/mock-model",
    settings: { model: undefined },
    firstShown: "╭─ Welcome to kedge",
    files: { "price.js": before },
    script: [
      { text: "I look at it first.", toolCalls: [readCall("price.js")] },
      { text: "Now I change it.", toolCalls: [editCall("price.js", "price = 10", "price = 12")] },
      paced({ text: "The price is **12** now.", deltaCharacters: 2 }, 100),
    ],
  });
  const { terminal, project, kedgeHome } = scene;
  const file = join(project, "price.js");
  terminal.type("vllm");
  await terminal.shows("❯ vLLM on this machine", waitMs);
  terminal.press("enter");
  for (const heading of ["Trust", "Modes", "Undo"]) {
    await terminal.shows(new RegExp(`│ ${heading} +│`), waitMs);
    terminal.press("enter");
  }
  await ready(terminal, "vllm/mock-model");
  expect(JSON.parse(readFileSync(join(kedgeHome, "config.json"), "utf8")).model).toBe("vllm/mock-model");
  await send(terminal, "Make the tea cost 12.");
  const question = (await asked(terminal, "Allow once")).join("\n");
  expect(question).toContain("I look at it first.");
  expect(question).toContain("1   - export const price = 10;");
  expect(question).toContain("  1 + export const price = 12;");
  expect(readFileSync(file, "utf8")).toBe(before);
  terminal.press("y");
  await terminal.shows("The price is 12 now.", waitMs);
  expect(readFileSync(file, "utf8")).toBe(after);
  await send(terminal, "/undo");
  await terminal.shows("Undone: 1 file changed: price.js (modified).");
  await promptIs(terminal, "Make the tea cost 12.");
  expect(readFileSync(file, "utf8")).toBe(before);
  await terminal.until((screen) => !screen.join("\n").includes("⎇ main *"), "a clean branch", waitMs);
  terminal.press("ctrl+c");
  await promptIs(terminal, "");
  await send(terminal, "/redo");
  await terminal.shows("Redone: ");
  await terminal.shows("⎇ main *1", waitMs);
  expect(readFileSync(file, "utf8")).toBe(after);
  await write(terminal, "/exit");
  terminal.press("enter");
  expect(await terminal.ended()).toBe(0);
  const farewell = terminal.screen().join("\n").trim();
  expect(farewell).toMatch(/^Resume with: kedge --resume (ses_\w+)$/);
  expect(terminal.state()).toMatchObject({
    isAlternateScreen: false,
    isBracketedPaste: false,
    isFocusTold: false,
    isMouseTaken: false,
    cursor: { isShown: true },
  });
  const again = await scene.restart(["--continue"]);
  await ready(again, "vllm/mock-model");
  await again.shows(/Make the tea cost 12\.[\s\S]*The price is 12 now\./, waitMs);
  const named = await scene.restart(["--resume", /ses_\w+/.exec(farewell)?.[0] ?? ""]);
  await named.shows("The price is 12 now.", waitMs);
});
