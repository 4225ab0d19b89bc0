/** The input that a permission question shows is that of the very call that runs, also when calls share an id. */
import { expect, test } from "vitest";
import { call, calls, say } from "./harness.ts";
import { answerAll, openWorksite, working } from "./worksite.ts";

test("two calls with one id are two calls: each is asked about, runs and has its own result", async () => {
  const turn = calls(
    call("c1", "bash", { command: "make a" }),
    call("c1-2", "bash", { command: "make b" }),
    call("c1", "bash", { command: "rm b" }),
  );
  const shell = (command: string) => ({ output: `ran ${command}`, exitCode: 0 });
  const { harness, ran } = openWorksite({ turns: [turn, say("Done.")], interactive: true, shell });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  await answerAll(harness, sessionId, ["once", "once", "once"]);
  await done;
  const asked = harness.facts().flatMap((fact) => {
    if (fact.type !== "permission.asked") return [];
    return [{ callId: fact.callId, patterns: fact.patterns, inputText: fact.inputText }];
  });
  expect(asked).toEqual([
    { callId: "c1", patterns: ["make a"], inputText: '{"command":"make a"}' },
    { callId: "c1-2", patterns: ["make b"], inputText: '{"command":"make b"}' },
    { callId: "c1-3", patterns: ["rm b"], inputText: '{"command":"rm b"}' },
  ]);
  expect(ran).toEqual(["make a", "make b", "rm b"]);
  const [answer, ...results] = harness.requests[1]?.messages.slice(-4) ?? [];
  expect(answer?.role === "assistant" && answer.content).toMatchObject([
    { callId: "c1", inputText: '{"command":"make a"}' },
    { callId: "c1-2", inputText: '{"command":"make b"}' },
    { callId: "c1-3", inputText: '{"command":"rm b"}' },
  ]);
  expect(results).toMatchObject([
    { role: "tool", callId: "c1", output: "ran make a" },
    { role: "tool", callId: "c1-2", output: "ran make b" },
    { role: "tool", callId: "c1-3", output: "ran rm b" },
  ]);
});

test("a later answer may count its calls anew", async () => {
  const turn = (command: string) => calls(call("c1", "bash", { command }));
  const turns = [turn("make a"), turn("make b"), say("Done.")];
  const { harness, ran } = openWorksite({ turns, interactive: true });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  await answerAll(harness, sessionId, ["once", "once"]);
  await done;
  const asked = harness.facts().flatMap((fact) => (fact.type === "permission.asked" ? [fact.inputText] : []));
  expect([asked, ran]).toEqual([
    ['{"command":"make a"}', '{"command":"make b"}'],
    ["make a", "make b"],
  ]);
});

async function askedInput(inputText: string): Promise<string | undefined> {
  const event = { type: "tool-call", call: { type: "tool-call", callId: "c1", tool: "bash", inputText } } as const;
  const { harness } = openWorksite({ turns: [calls(event), say("Done.")], interactive: true });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  const asked = await harness.waitForFact("permission.asked");
  await answerAll(harness, sessionId, ["once"]);
  await done;
  return asked.inputText;
}

test("the input is shown as it was read: without stray commas, and of two members with one name the one that counts", async () => {
  expect(await askedInput('{"command":"ls",}')).toBe('{"command":"ls"}');
  expect(await askedInput('{"command":"ls","command":"rm b"}')).toBe('{"command":"rm b"}');
});

test("an input that is too long to be judged is left out", async () => {
  const written = (length: number) => JSON.stringify({ command: "ls", note: "x".repeat(length) });
  const rest = written(0).length;
  expect((await askedInput(written(200_000 - rest)))?.length).toBe(200_000);
  expect(await askedInput(written(200_001 - rest))).toBe(undefined);
});

test("after a person changed the input, a further question shows what they wrote", async () => {
  const { harness } = openWorksite({ turns: working(["bash", { command: "make a" }]), interactive: true });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  const { requestId } = await harness.waitForFact("permission.asked");
  const updatedInput = { command: "make $X" };
  await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "once", updatedInput });
  const second = await harness.waitForFact("permission.asked", 2);
  expect(second.inputText).toBe('{"command":"make $X"}');
  const answer = { requestId: second.requestId, reply: "once" } as const;
  await harness.engine.send({ type: "permission.answer", sessionId, ...answer });
  await done;
});
