/** The first start: nothing is set up, a model server of this machine is found, and the first prompt is answered. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStage, ready, send, startTimeoutMs, waitMs } from "./stage.ts";

const open = openStage();
const slow = { timeout: startTimeoutMs };

test("a server of this machine is chosen, and remembered", slow, async () => {
  const scene = await open({
    model: "vllm/mock-model",
    settings: { model: undefined },
    script: [{ text: "Welcome aboard." }],
    firstShown: "╭─ Welcome to kedge",
  });
  const { terminal, kedgeHome } = scene;
  console.log((await terminal.shows("on this machine", waitMs)).join("\n"));
  terminal.type("vllm");
  await terminal.shows(/❯ vLLM on this machine/, waitMs);
  terminal.press("enter");
  for (const heading of ["Trust", "Modes", "Undo"]) {
    await terminal.shows(new RegExp(`│ ${heading} +│`), waitMs);
    terminal.press("enter");
  }
  await ready(terminal, "vllm/mock-model");
  await send(terminal, "Hello.");
  await terminal.shows("Welcome aboard.", waitMs);
  expect(JSON.parse(readFileSync(join(kedgeHome, "config.json"), "utf8")).model).toBe("vllm/mock-model");
  const again = await scene.restart();
  await ready(again, "vllm/mock-model");
});

test("a key is checked before it is kept, and never shown", slow, async () => {
  const scene = await open({
    model: "openai/gpt-4.1",
    settings: { model: undefined },
    script: [{ text: "Welcome aboard." }],
    firstShown: "╭─ Welcome to kedge",
  });
  const { terminal } = scene;
  console.log(terminal.screen().join("\n"));
});
