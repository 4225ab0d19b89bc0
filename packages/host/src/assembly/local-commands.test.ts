/** Proves what the local commands say about a session. */
import type { LocalServices } from "@kedge/engine";
import { emptySession, type Json, type ReasoningWish, type RunOptions, type SessionState } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createLocalCommands } from "./local-commands.ts";

const commands = createLocalCommands({ kedgeVersion: "1.2.3", home: "/home/ada/.kedge" });
const state = {
  ...emptySession("ses_1"),
  directory: "/code",
  title: "a title",
  turns: 2,
  usage: { input: 100, output: 20, reasoning: 5, cacheRead: 50, cacheWrite: 7 },
  cost: { usd: 0.12345, estimated: true },
};

/** With the options that a prompt would run with, which not every caller gives. */
type Run = (
  argument: string,
  state: SessionState,
  options?: RunOptions,
  services?: LocalServices,
) => Promise<{ readonly data?: Json }>;

// Every command takes at least the first two and none relies on the third.
const run = (name: string) => (commands.find((command) => command.name === name)?.run as Run | undefined)?.("", state);

test("help lists every command", async () => {
  expect(await run("help")).toEqual({
    text: [
      "/help    List these commands",
      "/cost    Show token usage and cost of this session",
      "/status  Show session, model, mode and directory",
    ].join("\n"),
  });
});

test("cost", async () => {
  expect(await run("cost")).toEqual({
    text: [
      "cost              $0.1235 + unknown",
      "model calls       2",
      "input tokens      100 (50 more read from the cache, 7 written to it)",
      "output tokens     20",
      "reasoning tokens  5 (part of the output)",
    ].join("\n"),
    data: { usage: state.usage, cost: state.cost, turns: 2, backgroundUsd: 0 },
  });
});

test("status without a model", async () => {
  expect(await run("status")).toEqual({
    text: [
      "version    1.2.3",
      "session    ses_1",
      "title      a title",
      "model      none",
      "mode       default",
      "directory  /code",
      "home       /home/ada/.kedge",
    ].join("\n"),
    data: {
      version: "1.2.3",
      session: "ses_1",
      title: "a title",
      model: "none",
      mode: "default",
      directory: "/code",
      home: "/home/ada/.kedge",
    },
  });
});

test.each<[ReasoningWish | undefined, string]>([
  [undefined, "model default"],
  [{}, "model default"],
  [{ effort: "high" }, "effort high"],
  [{ tokensMax: 4_000 }, "at most 4000 tokens"],
  [{ effort: "low", tokensMax: 4_000 }, "effort low, at most 4000 tokens"],
  [{ effort: "off", tokensMax: 4_000 }, "off"],
  [{ effort: "high", tokensMax: 0 }, "off"],
])("status names the origin of the key and how much is thought: %j", async (reasoning, thinking) => {
  const facts = { kedgeVersion: "1.2.3", home: "/home/ada/.kedge", keySource: (model: string) => `for ${model}` };
  const status = createLocalCommands(facts).find(({ name }) => name === "status");
  // The command of that name exists, and takes the options as a third argument.
  const runStatus = status?.run as Run;
  const shown = await runStatus("", { ...state, model: "openai/gpt" }, reasoning === undefined ? {} : { reasoning });
  expect(shown.data).toMatchObject({ model: "openai/gpt", key: "for openai/gpt", thinking });
});
