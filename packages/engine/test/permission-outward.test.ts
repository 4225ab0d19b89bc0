/** In auto mode, what acts outside of the machine is left to a model only if the user asked for it in this run. */
import type { AnalyseShell, Need, Tool } from "@kedge/protocol";
import { expect, test } from "vitest";
import { openAuto, running, yes } from "./classifier/auto-session.ts";
import { call, calls, say } from "./harness.ts";
import { readPlainCommands } from "./judge-cases.ts";

const analyseShell: AnalyseShell = (command, place) => {
  const { commands, ...rest } = readPlainCommands(command, place);
  const isPush = (text: string) => text.startsWith("git push");
  return {
    ...rest,
    commands: commands.map((one) => (isPush(one.text) ? { ...one, outward: "it is sent elsewhere" } : one)),
  };
};

const open = (turns: ReturnType<typeof running>) =>
  openAuto({ classifier: [yes, yes], turns, workspace: { analyseShell } });

const cases: readonly (readonly [said: string, command: string, ran: boolean])[] = [
  ["Fix it and git push", "git push", true],
  ["Fix it and git push", "git push elsewhere", false],
  ["Fix it and git push", "git push; git push elsewhere", false],
  ["Fix it", "git push", false],
  ["Fix it, but do not git push", "git push", false],
  ["Fix it", "npm test", true],
];

test.each(cases)("after %j: %s", async (said, command, isRun) => {
  const { harness, ran, asked } = open(running(command));
  const sessionId = await harness.open("auto");
  await harness.prompt(sessionId, said);
  expect({ ran, asked: asked.length }).toEqual({ ran: isRun ? [command] : [], asked: isRun ? 1 : 0 });
});

test("what was asked for in an earlier run is not asked for in this one", async () => {
  const { harness, ran, asked } = open([say("Later."), ...running("git push")]);
  const sessionId = await harness.open("auto");
  await harness.prompt(sessionId, "git push when I say so");
  await harness.prompt(sessionId, "Go on with the tests");
  expect({ ran, asked: asked.length }).toEqual({ ran: [], asked: 0 });
});

/** A tool of a server that posts somewhere. */
function openPosting(access: Need["access"]) {
  const posted: unknown[] = [];
  const post: Tool = {
    name: "mcp__chat__post",
    description: "posts",
    inputSchema: { type: "object" },
    resultCharactersMax: 1_000,
    parse: (input) => ({ ok: true, input }),
    needs: () => [{ permission: "mcp__chat__post", patterns: ["post@1"], always: ["post@1"], access }],
    readOnly: () => false,
    concurrencySafe: () => false,
    async run(input) {
      posted.push(input);
      return { output: "posted", title: "posted" };
    },
  };
  const turns = [calls(call("c1", post.name, { text: "hello" })), say("Done.")];
  return { ...openAuto({ classifier: [yes], turns, tools: [post] }), posted };
}

test("no model approves a tool that acts outside of the machine", async () => {
  for (const [access, count] of [
    ["outward", 0],
    ["execute", 1],
  ] as const) {
    const { harness, asked, posted } = openPosting(access);
    await harness.prompt(await harness.open("auto"), "Post hello to the chat");
    expect({ access, asked: asked.length, posted: posted.length }).toEqual({ access, asked: count, posted: count });
  }
});

test("where everything is allowed, such a call is recorded as one that leaves the machine", async () => {
  for (const access of ["outward", "execute"] as const) {
    const { harness, posted } = openPosting(access);
    await harness.prompt(await harness.open("bypass"), "Post hello to the chat");
    expect(posted).toEqual([{ text: "hello" }]);
    const started = harness.facts().find(({ type }) => type === "tool.started");
    const decision = started?.type === "tool.started" ? started.decision : undefined;
    expect([decision?.source, decision?.outward]).toEqual(["mode", access === "outward" ? true : undefined]);
  }
});
