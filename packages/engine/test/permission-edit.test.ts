/** An input that a person wrote in the place of the model's: what runs, what is judged again, and what is refused. */
import type { JsonObject, RuleSet } from "@kedge/protocol";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, say } from "./harness.ts";
import { answerAll, bash, openWorksite, story, type WorksiteOptions, working } from "./worksite.ts";

async function editing(command: string, options: Partial<WorksiteOptions> = {}) {
  const { harness, ran } = openWorksite({ turns: working(bash("make a")), interactive: true, ...options });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  const { requestId } = await harness.waitForFact("permission.asked");
  const updatedInput = { command };
  await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "once", updatedInput });
  return { harness, ran, sessionId, done };
}

const question = (command: string) => ({
  callId: "c1",
  patterns: [command],
  always: [command],
  reason: `no rule covers ${command}`,
});
const rules = (source: RuleSet["source"], pattern: string, action: "ask" | "allow" | "deny"): readonly RuleSet[] => [
  { source, rules: [{ permission: "bash", pattern, action }] },
];

test("what the user wrote runs, is recorded, and is told to the model", async () => {
  const { harness, ran, done } = await editing("make b");
  await done;
  expect(ran).toEqual(["make b"]);
  expect(story(harness.facts()).slice(3, 7)).toEqual([
    question("make a"),
    { answerTo: "c1", reply: "once", source: "user" },
    "c1 allowed by user: allowed once, as the user wrote it",
    "c1 completed",
  ]);
  const started = harness.facts().find((fact) => fact.type === "tool.started");
  const answered = harness.facts().find((fact) => fact.type === "permission.answered");
  expect([started?.inputText, answered?.updatedInputText]).toEqual(['{"command":"make b"}', '{"command":"make b"}']);
  const last = harness.requests[1]?.messages.at(-1);
  expect(JSON.stringify(last)).toContain("The user changed the input of this call.");
  expect(JSON.stringify(last)).toContain("make b");
});

test("a rule that denies it denies it", async () => {
  const { harness, ran, done } = await editing("rm x", { rules: rules("user", "rm *", "deny") });
  await done;
  expect(ran).toEqual([]);
  expect(story(harness.facts()).slice(4, 6)).toEqual([
    { answerTo: "c1", reply: "once", source: "user" },
    { call: "c1", refused: 'the user rule bash "rm *" denies rm x', by: "rule" },
  ]);
});

test("a rule that allows it leaves nothing to ask", async () => {
  const { harness, done } = await editing("make b", { rules: rules("user", "make b", "allow") });
  await done;
  expect(story(harness.facts())[5]).toBe('c1 allowed by rule: the user rule bash "make b" allows make b');
});

const anew: readonly (readonly [what: string, command: string, options: Partial<WorksiteOptions>, reason: string])[] = [
  [
    "a rule asks about it",
    "deploy now",
    { rules: rules("user", "deploy *", "ask") },
    'the user rule bash "deploy *" asks about deploy now',
  ],
  ["it is not understood", "make $X", {}, "make $X: it has more than plain words"],
];

test.each(anew)("it is asked about anew when %s", async (_, command, options, reason) => {
  const { harness, ran, sessionId, done } = await editing(command, options);
  const second = await harness.waitForFact("permission.asked", 2);
  expect({ reason: second.reason, patterns: second.patterns, ran }).toEqual({ reason, patterns: [command], ran: [] });
  const { requestId } = second;
  await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "reject", message: "no" });
  await done;
  expect(ran).toEqual([]);
});

const picky = createTool({ name: "put", readOnly: false, required: ["text"], permission: "edit" });

const refusals: readonly (readonly [reply: "once" | "session" | "reject", input: JsonObject, message: string])[] = [
  ["session", { text: "b" }, "Edited input can only be allowed once."],
  ["reject", { text: "b" }, "Edited input can only be allowed once."],
  ["once", { words: "b" }, "text: required"],
];

test.each(refusals)(
  "an edit with %s of %j is not taken, and the question goes on to wait",
  async (reply, input, message) => {
    const turns = [calls(call("c1", "put", { text: "a" })), say("Done.")];
    const harness = createHarness({ turns, tools: [picky], interactive: true });
    const sessionId = await harness.open();
    const done = harness.prompt(sessionId, "go");
    const { requestId } = await harness.waitForFact("permission.asked");
    const command = { type: "permission.answer", sessionId, requestId, reply, updatedInput: input } as const;
    const failure = { code: "invalid_command", message, retryable: false };
    expect(await harness.engine.send(command)).toEqual({ ok: false, failure });
    await answerAll(harness, sessionId, ["once"]);
    await done;
    expect(harness.facts().find((fact) => fact.type === "tool.started")?.inputText).toBe('{"text":"a"}');
  },
);

test("it is validated like an input of the model", async () => {
  const validate = async (input: unknown) => ((input as { text: string }).text === "b" ? "b not found." : undefined);
  const put = createTool({ name: "put", readOnly: false, permission: "edit", validate });
  const turns = [calls(call("c1", "put", { text: "a" })), say("Done.")];
  const harness = createHarness({ turns, tools: [put], interactive: true });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  const { requestId } = await harness.waitForFact("permission.asked");
  const updatedInput = { text: "b" };
  await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "once", updatedInput });
  await done;
  expect(harness.facts().some((fact) => fact.type === "tool.started")).toBe(false);
  expect(harness.facts().find((fact) => fact.type === "tool.ended")).toMatchObject({
    outcome: "failed",
    output: expect.stringContaining("b not found."),
  });
});

test("a call that runs beside others cannot become one that must run alone", async () => {
  const fetch = {
    ...createTool({ name: "fetch", permission: "webfetch" }),
    concurrencySafe: (input: unknown) => !("alone" in (input as object)),
  };
  const turns = [calls(call("c1", "fetch", { page: "a" })), say("Done.")];
  const harness = createHarness({ turns, tools: [fetch], interactive: true });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  const { requestId } = await harness.waitForFact("permission.asked");
  const updatedInput = { alone: true };
  const sent = await harness.engine.send({
    type: "permission.answer",
    sessionId,
    requestId,
    reply: "once",
    updatedInput,
  });
  expect(sent).toMatchObject({ ok: false, failure: { code: "invalid_command" } });
  await answerAll(harness, sessionId, ["once"]);
  await done;
});
