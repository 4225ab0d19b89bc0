/** Proves what a person is asked for odd forms of servers, and that no answer is sent that the server did not ask for. */
import type { Question } from "@kedge/protocol";
import { expect, test } from "vitest";
import { askForm } from "../../src/mcp/offers/ask-person.ts";
import { createElicitationDesk } from "../../src/mcp/offers/elicitation-desk.ts";

/** Answers in order; what was asked is kept. */
function person(...answers: readonly (string | undefined)[]) {
  const asked: Question[] = [];
  const ask = async ([question]: readonly Question[]) => {
    if (question !== undefined) asked.push(question);
    const answer = answers[asked.length - 1];
    return answer === undefined ? undefined : [answer];
  };
  return { asked, dialogue: { ask } };
}

const form = (properties: object, required: readonly string[] = []) => ({
  server: "odd",
  message: "Fill in",
  requestedSchema: { type: "object", properties, required },
});

test("an enum whose values are the words of kedge's own answers can still be chosen", async () => {
  const { asked, dialogue } = person("Skip (2)", "Decline (2)");
  const answer = await askForm(
    form({ a: { type: "string", enum: ["Skip", "Go"] }, b: { type: "string", enum: ["Decline", "Accept"] } }),
    dialogue,
  );
  expect(asked[0]?.options?.map(({ label }) => label)).toEqual(["Skip (2)", "Go", "Skip", "Decline"]);
  expect(answer).toEqual({ action: "accept", content: { a: "Skip", b: "Decline" } });
});

test("two choices that look alike are told apart", async () => {
  const { asked, dialogue } = person("Same (2)");
  const field = {
    type: "string",
    oneOf: [
      { const: "x", title: "Same" },
      { const: "y", title: "Same" },
    ],
  };
  expect(await askForm(form({ a: field }, ["a"]), dialogue)).toEqual({ action: "accept", content: { a: "y" } });
  expect(asked[0]?.options?.map(({ label }) => label)).toEqual(["Same", "Same (2)", "Decline"]);
});

test("several choices may have commas in their names", async () => {
  const field = { type: "array", items: { type: "string", enum: ["red, green", "green", "red"] } };
  const { dialogue } = person("red, green, red");
  expect(await askForm(form({ a: field }, ["a"]), dialogue)).toEqual({
    action: "accept",
    content: { a: ["red, green", "red"] },
  });
});

test("what the server suggests is said, and is what is sent when the field is skipped", async () => {
  const { asked, dialogue } = person("Skip", "Skip", "Skip");
  const answer = await askForm(
    form({
      a: { type: "string", title: "Name", default: "Ada" },
      b: { type: "boolean", default: false },
      c: { type: "string" },
    }),
    dialogue,
  );
  expect(asked.map(({ options = [] }) => options.find(({ label }) => label === "Skip")?.description)).toEqual([
    "Use the suggested value: Ada",
    "Use the suggested value: false",
    "Leave it empty",
  ]);
  expect(answer).toEqual({ action: "accept", content: { a: "Ada", b: false } });
});

test("a suggestion of the wrong kind is not sent", async () => {
  const { dialogue } = person("Skip");
  const answer = await askForm(form({ a: { type: "integer", default: "DROP TABLE" } }), dialogue);
  expect(answer).toEqual({ action: "accept", content: {} });
});

test.each([
  ["a number that is too large", { type: "integer", maximum: 10 }, "11", "7", 7],
  ["a number that is none", { type: "number" }, "many", "1.5", 1.5],
  ["a text that is too short", { type: "string", minLength: 3 }, "ab", "abc", "abc"],
  ["an address that is none", { type: "string", format: "email" }, "nobody", "a@b.example", "a@b.example"],
  ["a link that is none", { type: "string", format: "uri" }, "nowhere", "https://a.example/", "https://a.example/"],
  ["a date that is none", { type: "string", format: "date" }, "2025-02-31", "2025-02-28", "2025-02-28"],
])("%s is asked for again, with what is wrong", async (_, field, wrong, right, value) => {
  const { asked, dialogue } = person(wrong, right);
  expect(await askForm(form({ a: field }, ["a"]), dialogue)).toEqual({ action: "accept", content: { a: value } });
  expect(asked).toHaveLength(2);
  expect(asked[1]?.question.length).toBeGreaterThan(asked[0]?.question.length ?? 0);
});

test("after three wrong answers the form is declined", async () => {
  const { asked, dialogue } = person("x", "y", "z", "1");
  expect(await askForm(form({ a: { type: "integer" } }, ["a"]), dialogue)).toEqual({ action: "decline" });
  expect(asked).toHaveLength(3);
});

test("more choices than are shown can be typed, and the question says how many there are", async () => {
  const values = Array.from({ length: 300 }, (_, at) => `choice ${at}`);
  const { asked, dialogue } = person("choice 250");
  expect(await askForm(form({ a: { type: "string", enum: values } }, ["a"]), dialogue)).toEqual({
    action: "accept",
    content: { a: "choice 250" },
  });
  expect(asked[0]?.question).toContain("300 choices");
  expect(asked[0]?.options?.length).toBeLessThanOrEqual(22);
});

test("a form with too many fields is declined, and the person is told why", async () => {
  const told: string[] = [];
  const desk = createElicitationDesk("odd", {
    onDeclined: (sentence) => told.push(sentence),
    openPage: async () => true,
  });
  const properties = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`f${at}`, { type: "string" }]));
  const { asked, dialogue } = person("yes");
  const call = { dialogue, artifacts: {}, callId: "1" };
  const answer = await desk.during(call as never, () =>
    desk.elicit({ mode: "form", message: "All of it", requestedSchema: { type: "object", properties } }, never),
  );
  expect([answer, asked.length]).toEqual([{ action: "decline" }, 0]);
  expect(told).toEqual(["Declined a question from MCP server odd: its form has more than 20 fields."]);
});

test("fields that are no fields, and a schema that is none, are asked for as texts or not at all", async () => {
  const { dialogue } = person("words");
  expect(await askForm(form({ a: null }, ["a"]), dialogue)).toEqual({ action: "accept", content: { a: "words" } });
  const yes = person("Accept");
  expect(await askForm({ server: "odd", message: "Sure?", requestedSchema: 7 }, yes.dialogue)).toEqual({
    action: "accept",
    content: {},
  });
});

test("a field named like a member of every object is a field", async () => {
  const { dialogue } = person("words");
  const properties = JSON.parse('{"__proto__": {"type": "string"}}') as object;
  const answer = await askForm(form(properties, ["__proto__"]), dialogue);
  expect(JSON.stringify(answer)).toBe('{"action":"accept","content":{"__proto__":"words"}}');
});

test("a question that the server takes back is taken from the screen", async () => {
  const back = new AbortController();
  const desk = createElicitationDesk("odd", { onDeclined: () => undefined, openPage: async () => true });
  let seen: AbortSignal | undefined;
  const dialogue = {
    ask: (_: readonly Question[], withdrawn?: AbortSignal) =>
      new Promise<undefined>((resolve) => {
        seen = withdrawn;
        withdrawn?.addEventListener("abort", () => resolve(undefined));
        back.abort();
      }),
  };
  const call = { dialogue, artifacts: {}, callId: "1" };
  const answer = await desk.during(call as never, () =>
    desk.elicit({ mode: "form", message: "Now?", requestedSchema: {} }, back.signal),
  );
  expect([seen?.aborted, answer.action]).toEqual([true, "cancel"]);
});

const never = new AbortController().signal;
