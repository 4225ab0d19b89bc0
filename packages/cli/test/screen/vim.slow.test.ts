/** The keys of vim in the prompt: turned on, used, and kept for the next start. */
import { expect, test } from "vitest";
import { openStage, promptIs, ready, send, startTimeoutMs, userTexts, waitMs } from "./stage.ts";

const open = openStage();

test("vim keys edit the prompt, and are on again after a restart", { timeout: startTimeoutMs }, async () => {
  const scene = await open({ script: [{ text: "Read." }] });
  const { terminal, model } = scene;
  await send(terminal, "/vim");
  await terminal.shows("Vim mode on", waitMs);
  await terminal.shows("-- NORMAL --");
  terminal.type("ithe quick brown fox");
  await promptIs(terminal, "the quick brown fox");
  terminal.press("escape");
  await terminal.shows("-- NORMAL --", waitMs);
  terminal.type("0dwcwslow");
  await promptIs(terminal, "slow brown fox");
  await terminal.shows("-- INSERT --");
  terminal.press("escape");
  await terminal.shows("-- NORMAL --", waitMs);
  // The space before the cursor stays.
  terminal.type("wDAcat");
  await promptIs(terminal, "slow cat");
  terminal.press("enter");
  await terminal.shows("Read.", waitMs);
  expect(userTexts(await model.waitForRequest(1)).at(-1)).toBe("slow cat");
  const again = await scene.restart();
  await ready(again);
  await again.shows("-- NORMAL --", waitMs);
  again.type("i/vim off");
  await promptIs(again, "/vim off");
  again.press("enter");
  await again.shows("Vim mode off.", waitMs);
});
