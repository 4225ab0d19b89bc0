/** Proves what the local commands say about a session. */
import { emptySession } from "@kedge/protocol";
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

const run = (name: string) => commands.find((command) => command.name === name)?.run("", state);

test("help lists every command", async () => {
  expect(await run("help")).toEqual({
    text: [
      "/help    lists these commands",
      "/cost    shows what this session has used and cost",
      "/status  shows session, model, mode and directory",
    ].join("\n"),
  });
});

test("cost", async () => {
  expect(await run("cost")).toEqual({
    text: [
      "cost          $0.1235 (estimated)",
      "model calls   2",
      "input tokens  100 (50 more read from the cache, 7 written to it)",
      "output tokens 20 (5 of them reasoning)",
    ].join("\n"),
    data: { usage: state.usage, cost: state.cost, turns: 2 },
  });
});

test("status without a model", async () => {
  expect(await run("status")).toMatchObject({
    data: {
      version: "1.2.3",
      session: "ses_1",
      title: "a title",
      model: "none configured",
      mode: "default",
      directory: "/code",
      home: "/home/ada/.kedge",
    },
  });
});
