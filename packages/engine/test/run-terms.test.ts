/** What a command brings to its run: rules, a ceiling and a model that end with the run, looks, and how to write. */
import type { PermissionRule } from "@kedge/protocol";
import { expect, test } from "vitest";
import type { LocalCommand, RunTerms } from "../src/index.ts";
import { call, calls, say } from "./harness.ts";
import { openWorksite } from "./worksite.ts";

const allow = (pattern: string): PermissionRule => ({ permission: "bash", pattern, action: "allow" });

const command = (terms: RunTerms): LocalCommand => ({
  name: "go",
  summary: "x",
  run: async (argument) => ({ prompt: `Go ${argument}`, terms }),
});

function open(terms: RunTerms, commands: readonly string[], rules: readonly PermissionRule[] = []) {
  const shell = (round: string) =>
    calls(...commands.map((each, at) => call(`${round}${at}`, "bash", { command: each })));
  return openWorksite({
    turns: [shell("a"), say("Done."), shell("b"), say("Done.")],
    interactive: false,
    rules: [{ source: "user", rules }],
    parts: { addedCommands: async () => [command(terms)] },
  });
}

test("what a command allows runs unasked in its run, and not in the next one", async () => {
  const { harness, ran } = open({ name: "/go", allow: [allow("make *")] }, ["make all", "rm x"]);
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "/go on");
  expect(ran).toEqual(["make all"]);
  expect(harness.requests[0]?.messages.at(-1)).toMatchObject({ text: "Go on" });
  await harness.prompt(sessionId, "again");
  expect(ran).toEqual(["make all"]);
});

test("any rule of the user outranks what a command allows", async () => {
  const denied = { permission: "bash", pattern: "make *", action: "deny" } as const;
  const asked = { permission: "bash", pattern: "make b", action: "ask" } as const;
  const { harness, ran } = open({ name: "/go", allow: [allow("make *")] }, ["make b"], [asked]);
  await harness.prompt(await harness.open(), "/go");
  expect(ran).toEqual([]);
  const other = open({ name: "/go", allow: [allow("make *")] }, ["make a"], [denied]);
  await other.harness.prompt(await other.harness.open(), "/go");
  expect(other.ran).toEqual([]);
});

test("a ceiling denies everything above it, whatever rules allow, and ends with the run", async () => {
  const terms = { name: "/go", only: [allow("git add *")], allow: [allow("git add *")] };
  const { harness, ran } = open(terms, ["git add x", "make all", "git add x && make all"], [allow("*")]);
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "/go");
  expect(ran).toEqual(["git add x"]);
  const outputs = harness.facts().flatMap((fact) => (fact.type === "tool.ended" ? [fact.output] : []));
  expect(outputs[1]).toContain("/go limits this turn to reading and bash(git add *)");
  await harness.prompt(sessionId, "again");
  expect(ran).toEqual(["git add x", "git add x", "make all"]);
});

test("a phrase that is a whole prompt is the command it stands for, and a longer prompt is not", async () => {
  const brief: LocalCommand = {
    name: "brief",
    summary: "x",
    phrases: { "be brief": "full" },
    run: async (argument) => ({ text: argument, style: { brevity: { name: argument, text: "x" } } }),
  };
  const { harness } = openWorksite({ turns: [say("ok")], parts: { localCommands: [brief] } });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "Be brief.");
  expect(harness.facts().filter(({ type }) => type === "style.changed" || type === "command.ran")).toEqual([
    { type: "style.changed", brevity: { name: "full", text: "x" } },
    { type: "command.ran", command: "/brief", text: "full" },
  ]);
  await harness.prompt(sessionId, "be brief about the parser");
  expect(harness.requests).toHaveLength(1);
});

test("a look for a prompt runs only what changes nothing and needs no question", async () => {
  const looked: unknown[] = [];
  const look: LocalCommand = {
    name: "look",
    summary: "x",
    run: async (argument, _, __, services) => {
      looked.push(await services.look({ tool: "bash", input: { command: argument } }, [allow("make *")]));
      return { text: "" };
    },
  };
  const { harness, ran } = openWorksite({ turns: [], parts: { localCommands: [look] } });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "/look make all");
  await harness.prompt(sessionId, "/look rm x");
  expect(looked).toEqual([
    { ran: false, why: "it may change something" },
    { ran: false, why: expect.stringContaining("no rule covers rm x") },
  ]);
  expect(ran).toEqual([]);
  expect(harness.facts().some(({ type }) => type === "tool.started")).toBe(false);
});
