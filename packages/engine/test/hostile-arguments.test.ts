/** Arguments that JSON can say and no tool takes: each is one failed call with one sentence, and the run goes on. */
import type { JsonObject, ModelEvent, Tool } from "@kedge/protocol";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, say } from "./harness.ts";
import { answerAll, openWorksite } from "./worksite.ts";

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;

const hostile: readonly (readonly [name: string, inputText: string, report: RegExp])[] = [
  ["deep arrays", `{"a":${nested(100_000, "[", "]")}}`, /nested more than 128 levels deep/],
  ["deep objects", nested(100_000, '{"a":', "}"), /nested more than 128 levels deep/],
  ["deep arrays without end", `{"a":${"[".repeat(100_000)}`, /cut off/],
  ["deep arrays with stray commas", `{"a":${nested(50_000, "[", ",]")}}`, /nested more than 128 levels deep/],
  ["more text than any call needs", `{"a":"${"x".repeat(20_000_000)}"}`, /longer than 20,000,000 characters/],
  ["a member named __proto__", '{"a":{"__proto__":{"b":1}}}', /__proto__/],
  ["half a character", '{"a":["\\ud800"]}', /surrogate/],
  ["a number that is too large", '{"a":1e400}', /number that is too large/],
  ["a negative one", '{"a":[-1e400]}', /number that is too large/],
  ["no number", '{"a":NaN}', /not valid JSON/],
  ["a list", "[1]", /not a JSON object/],
  ["a bare number, of which more may have come", "12", /not a JSON object/],
  ["null", "null", /not a JSON object/],
];

const event = (inputText: string): ModelEvent => ({
  type: "tool-call",
  call: { type: "tool-call", callId: "c1", tool: "look", inputText },
});

test.each(hostile)("%s", async (_, inputText, report) => {
  const ran: unknown[] = [];
  const look = createTool({
    name: "look",
    run: async (input) => {
      ran.push(input);
      return { output: "", title: "" };
    },
  });
  const harness = createHarness({
    tools: [look],
    turns: [calls(event(inputText), call("c2", "look", { fine: true })), say("Done.")],
  });
  const ended = await harness.prompt(await harness.open("bypass"), "Go");
  expect(ended.fact).toMatchObject({ reason: "completed", text: "Done." });
  expect(ran).toEqual([{ fine: true }]);
  const results = harness.requests[1]?.messages.flatMap((message) => (message.role === "tool" ? [message] : []));
  expect(results).toMatchObject([{ callId: "c1", isError: true, output: expect.stringMatching(report) }, {}]);
});

test.each(["", "  ", "{}"])("%j where the tool requires something, whatever its parser takes", async (inputText) => {
  const ran: unknown[] = [];
  const look: Tool = {
    ...createTool({ name: "look" }),
    inputSchema: { type: "object", required: ["path", "text"] },
    run: async (input) => ({ output: `${ran.push(input)}`, title: "" }),
  };
  const harness = createHarness({ tools: [look], turns: [calls(event(inputText)), say("Done.")] });
  await harness.prompt(await harness.open("bypass"), "Go");
  expect(ran).toEqual([]);
  expect(harness.requests[1]?.messages.at(-1)).toMatchObject({
    isError: true,
    output: "The call arrived without its arguments, so nothing ran. Send it again with them: path, text.",
  });
});

test("of members with one name the last counts, and zero may be negative", async () => {
  const ran: unknown[] = [];
  const tool: Tool = {
    ...createTool({ name: "look" }),
    run: async (input) => ({ output: `${ran.push(input)}`, title: "" }),
  };
  const harness = createHarness({ tools: [tool], turns: [calls(event('{"a":1,"b":-0,"a":2}')), say("Done.")] });
  await harness.prompt(await harness.open("bypass"), "Go");
  expect(ran).toEqual([{ a: 2, b: -0 }]);
});

function deep(depth: number): JsonObject {
  let value: JsonObject = {};
  for (let level = 0; level < depth; level += 1) value = { value };
  return value;
}

test("an input of a person is held to the same, and the question goes on to wait", async () => {
  const { harness, ran } = openWorksite({
    turns: [calls(call("c1", "bash", { command: "make a" })), say("Done.")],
    interactive: true,
  });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  const { requestId } = await harness.waitForFact("permission.asked");
  const answer = { type: "permission.answer", sessionId, requestId, reply: "once" } as const;
  const refused = await harness.engine.send({ ...answer, updatedInput: deep(100_000) });
  expect(refused).toMatchObject({ ok: false, failure: { message: expect.stringContaining("128 levels") } });
  await answerAll(harness, sessionId, ["once"]);
  await done;
  expect(ran).toEqual(["make a"]);
});
