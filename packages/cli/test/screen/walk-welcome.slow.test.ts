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
  await terminal.shows("❯ OpenAI  enter a key", waitMs);
  terminal.press("enter");
  await terminal.shows("It stays on this machine.", waitMs);
  terminal.type("sk-secret-0123456789abcdef");
  terminal.press("enter");
  await terminal.shows("A project can bring settings", waitMs);
  expect(terminal.written()).not.toContain("secret");
  terminal.press("escape");
  await closed(terminal, "Welcome");
  await terminal.shows("could not be checked", waitMs);
  await terminal.shows("It is stored as it is.", waitMs);
  terminal.type("Hello.");
  terminal.press("enter");
  await terminal.shows("Choose a model first with /model.", waitMs);
  // What was written is not lost.
  await promptIs(terminal, "Hello.");
});
