/** Which lines are commands, which are slips of the fingers, and which go to the model. */
import { FailureError } from "@kedge/protocol";
import { expect, test } from "vitest";
import { openBench, Refusal, sessionId } from "../../test/command-bench.ts";
import { slashCommands } from "./command-table.ts";
import { parseCommand } from "./parse-command.ts";
import { runCommandLine } from "./run-command-line.ts";

const listed = { "command.list": { commands: [{ name: "weather", summary: "shows the weather" }] } };
const asked = ["ask", { type: "command.list" }];

test.each([
  "/usr/bin/env is missing",
  "/usr/bin/env",
  "//a comment",
  "// a comment",
  "/",
  "/ help",
  "/Help",
  "/tmp/a",
  "/tmp is full",
  "/model2",
  "help",
  "what does /help do?",
])("%s is for the model", async (line) => {
  expect(await openBench().run(line)).toEqual([["prompt"]]);
});

test.each([
  ["/hlep", "Unknown command /hlep. Did you mean /help?"],
  ["/compcat now", "Unknown command /compcat. Did you mean /compact?"],
  ["/wether", "Unknown command /wether. Did you mean /weather?"],
  ["/zzzzzz", "Unknown command /zzzzzz. List commands with /help."],
  ["/nobody", "Unknown command /nobody. List commands with /help."],
])("%s is sent to nobody", async (line, sentence) => {
  expect(await openBench({ answers: listed }).run(line)).toEqual([asked, ["warning", sentence]]);
});

test("a command that only the engine knows is run there", async () => {
  const sent = { type: "command.run", sessionId, name: "weather", arguments: "in Rome" };
  expect(await openBench({ answers: listed }).run("/weather in Rome")).toEqual([asked, ["send", sent]]);
  const bare = { type: "command.run", sessionId, name: "weather" };
  expect(await openBench({ answers: listed }).run("/weather")).toEqual([asked, ["send", bare]]);
});

test("a command of the engine whose answer is a list to act on opens a dialog", async () => {
  const answers = { "command.list": { commands: [{ name: "memory", summary: "shows memory" }] } };
  expect(await openBench({ answers }).run("/memory inbox ")).toEqual([asked, ["open", "memory-inbox"]]);
  const sent = { type: "command.run", sessionId, name: "memory", arguments: "inbox accept a" };
  expect(await openBench({ answers }).run("/memory inbox accept a")).toEqual([asked, ["send", sent]]);
});

const deploy = {
  name: "deploy",
  summary: "deploys",
  parameters: [
    { name: "place", description: "Where to", isRequired: true, choices: ["staging", "live"] },
    { name: "note", isRequired: true, choices: [] },
    { name: "branch", isRequired: false, choices: [] },
  ],
};

test("what a command requires and was not given is asked for, and goes with it by name", async () => {
  const answers = { "command.list": { commands: [deploy] } };
  const sent = (argument: string) => ["send", { type: "command.run", sessionId, name: "deploy", arguments: argument }];
  const place = {
    question: "place: Where to",
    options: [
      { label: "staging", description: "" },
      { label: "live", description: "" },
    ],
  };
  const note = { question: "note?", options: [] };
  const both = openBench({ answers, questionAnswers: ["live", 'say "hi" \\ now'] });
  expect(await both.run("/deploy")).toEqual([
    asked,
    ["questions", [place, note]],
    sent('place=live note="say \\"hi\\" \\\\ now"'),
  ]);
  const one = openBench({ answers, questionAnswers: ["fine"] });
  expect(await one.run("/deploy staging")).toEqual([asked, ["questions", [note]], sent("staging note=fine")]);
  const named = openBench({ answers, questionAnswers: ["live"] });
  expect(await named.run('/deploy note="a b"')).toEqual([asked, ["questions", [place]], sent('note="a b" place=live')]);
  expect(await openBench({ answers }).run('/deploy live "all of it" main')).toEqual([
    asked,
    sent('live "all of it" main'),
  ]);
});

test("whoever leaves the question has run nothing", async () => {
  const bench = openBench({ answers: { "command.list": { commands: [deploy] } } });
  expect((await bench.run("/deploy live")).map(([what]) => what)).toEqual(["ask", "questions"]);
});

test("a namespace is part of a name, and the beginning of one name only stands for it", async () => {
  const commands = ["db:migrate", "db:reset", "deploy-site", "compose"].map((name) => ({ name, summary: "x" }));
  const answers = { "command.list": { commands } };
  const run = async (line: string) => (await openBench({ answers }).run(line)).at(-1);
  const sent = (name: string) => ["send", { type: "command.run", sessionId, name }];
  expect(await run("/db:migrate")).toEqual(sent("db:migrate"));
  expect(await run("/db:m")).toEqual(sent("db:migrate"));
  expect(await run("/deploy")).toEqual(sent("deploy-site"));
  expect(await run("/db")).toEqual(["warning", "/db may be /db:migrate, /db:reset."]);
  expect(await run("/comp")).toEqual(["warning", "/comp may be /compact, /compose."]);
});

test("an engine that does not answer changes nothing about a slip", async () => {
  expect(await openBench({ answers: { "command.list": new Refusal("No.") } }).run("/hlep")).toEqual([
    asked,
    ["warning", "Unknown command /hlep. Did you mean /help?"],
  ]);
});

test("the argument keeps its lines, and white space around it goes", () => {
  const parsed = parseCommand("  /compact \n keep\n  this \n", { commands: slashCommands, engineCommands: [] });
  expect(parsed.kind === "command" && [parsed.command.name, parsed.argument]).toEqual(["compact", "keep\n  this"]);
});

test("a connection that fails under a command is told; a bug is not hidden", async () => {
  const bench = openBench();
  const failing = (error: Error) => ({
    ...bench.context,
    client: { ...bench.context.client, sessions: () => Promise.reject(error) },
  });
  const failure = { code: "connection_error", message: "The server is gone.", retryable: true } as const;
  const context = failing(new FailureError(failure));
  expect(await runCommandLine("/resume a", { commands: slashCommands, context })).toBe("done");
  expect(bench.doings).toEqual([["error", "The server is gone."]]);
  const broken = failing(new TypeError("a bug"));
  await expect(runCommandLine("/resume a", { commands: slashCommands, context: broken })).rejects.toThrow("a bug");
});

test("what needs no engine works before it is up", async () => {
  const bench = openBench({ hasSession: false });
  const context = {
    ...bench.context,
    get desk(): never {
      throw new Error("the engine is not up yet");
    },
  };
  const run = (line: string) => runCommandLine(line, { commands: slashCommands, context });
  for (const line of ["/help", "/theme ember", "/model", "/mode", "/sessions", "/tree", "/checkpoint"]) await run(line);
  expect(bench.doings).toEqual([
    ["open", "help"],
    ["theme", "ember"],
    ["open", "models"],
    ["open", "modes"],
    ["open", "sessions"],
    ["open", "tree"],
    ["open", "rewind"],
  ]);
  bench.doings.length = 0;
  const lines = ["/undo", "/compact", "/plan go", "/agent plan", "/mode plan", "/handoff", "/label a", "/continue"];
  for (const line of lines) await run(line);
  const none = ["warning", "No session yet. Choose a model with /model to start one."];
  expect(bench.doings).toEqual(lines.map(() => none));
});
