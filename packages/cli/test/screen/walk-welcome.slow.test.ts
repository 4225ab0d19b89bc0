/** The first start, where it does not go on at once: a key that is wrong, and a welcome that is left. */
import { expect, test } from "vitest";
import { closed, openStage, promptIs, startTimeoutMs, waitMs } from "./stage.ts";

const open = openStage();
const slow = { timeout: startTimeoutMs };

test("a key that cannot be checked is stored and told, and never shown", slow, async () => {
  const { terminal } = await open({
    script: [],
    settings: { model: undefined },
    // Nothing listens there, so nothing leaves this machine.
    environment: { HTTPS_PROXY: "http://127.0.0.1:9", https_proxy: "http://127.0.0.1:9" },
    firstShown: "╭─ Welcome to kedge",
  });
  terminal.type("openai");
  await terminal.shows("❯ OpenAI  API key needed", waitMs);
  terminal.press("enter");
  await terminal.shows("API key for OpenAI (stored on this machine)", waitMs);
  terminal.type("sk-secret-0123456789abcdef");
  terminal.press("enter");
  await terminal.shows("A project can contain its own settings", waitMs);
  expect(terminal.written()).not.toContain("secret");
  terminal.press("escape");
  await closed(terminal, "Welcome");
  await terminal.shows("Could not verify the key for OpenAI", waitMs);
  await terminal.shows("The key was stored anyway.", waitMs);
  terminal.type("Hello.");
  terminal.press("enter");
  await terminal.shows("Choose a model first with /model.", waitMs);
  // What was written is not lost.
  await promptIs(terminal, "Hello.");
});

test("every provider of the catalogue is found, the well-known ones first", slow, async () => {
  const { terminal } = await open({ script: [], settings: { model: undefined }, firstShown: "╭─ Welcome to kedge" });
  await terminal.shows(/9\d entries/, waitMs);
  await terminal.shows("Anthropic  API key needed", waitMs);
  terminal.type("cereb");
  await terminal.shows("❯ Cerebras  API key needed", waitMs);
});
