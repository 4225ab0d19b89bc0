/** Proves that what no kedge sends is one sentence of the client, and what a newer one sends is none. */
import { type EventFrame, FailureError, type MessageView, type QueryOf, type QueryType } from "@kedge/protocol";
import { afterEach, expect, test } from "vitest";
import { createClient } from "../src/index.ts";
import { type LoopbackServer, startLoopbackServer } from "./loopback-server.ts";

let server: LoopbackServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function clientOf(body: string, contentType = "application/json") {
  server = await startLoopbackServer((response) => {
    response.writeHead(200, { "content-type": contentType });
    response.write(body);
    if (contentType === "application/json") response.end();
  });
  return createClient(server);
}

const usage = { input: 1, output: 2, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
const session = {
  ...{ id: "ses_1", projectId: "prj", directory: "/w", title: "", model: "m", mode: "default", isRunning: false },
  ...{
    isArchived: false,
    todos: [],
    labels: [],
    usage,
    cost: { usd: 0, estimated: false },
    createdAt: 1,
    updatedAt: 1,
  },
};
const provider = { providerId: "p", name: "P", hasKey: true, models: [{ model: "p/m", name: "m" }] };

test.each<[QueryType, unknown]>([
  ["provider.list", { providers: 5 }],
  ["provider.list", { providers: [null] }],
  ["provider.list", { providers: [{ ...provider, models: {} }] }],
  ["provider.list", { providers: [{ ...provider, name: ["P"] }] }],
  ["provider.list", null],
  ["provider.list", []],
  ["session.read", { session: { ...session, todos: "none" }, status: { state: "idle" }, lastSeq: 1 }],
  ["session.read", { session, status: "idle", lastSeq: 1 }],
  [
    "session.read",
    { session: { ...session, cost: { usd: "much", estimated: false } }, status: { state: "idle" }, lastSeq: 1 },
  ],
  ["session.status", { sessions: { ses_1: 3 } }],
  ["session.cost", { total: session.cost, usage, byModel: { m: null }, turns: 1 }],
  ["task.list", { tasks: [{ taskId: 1 }] }],
  ["vcs.read", { files: "" }],
  ["config.read", { settings: {}, entries: [{ key: 1, value: 1, layer: "user" }], warnings: [] }],
])("a wrong type in the answer to %s is one sentence: %j", async (type, body) => {
  const client = await clientOf(JSON.stringify(body));
  const answer = await client.ask({ type, sessionId: "ses_1" } as unknown as QueryOf<typeof type>);
  expect(answer).toEqual({
    ok: false,
    failure: {
      code: "malformed_response",
      message: expect.stringMatching(/^What the server at http:\S+ sent for GET \/\S* is invalid\.$/),
      recovery: expect.any(String),
      retryable: false,
    },
  });
});

test("reads of lists throw the same sentence", async () => {
  const failure = { code: "malformed_response" };
  await expect((await clientOf('{"sessions":[{}]}')).sessions({ limit: 1 })).rejects.toMatchObject({ failure });
  await server?.close();
  await expect((await clientOf('{"messages":[7]}')).messages("s", { limit: 1 })).rejects.toMatchObject({ failure });
});

const text = { id: "p1", messageId: "m1", time: 1, type: "text", text: "Hi" };
const message = { id: "m1", sessionId: "ses_1", role: "user", createdAt: 1, parts: [text] };

test("fields, words and kinds of parts that a newer server knows are no harm", async () => {
  const hologram = { id: "p2", messageId: "m1", time: 2, type: "hologram", beams: 3 };
  const newer = { ...message, mood: "good", stopReason: "bored", parts: [text, hologram] };
  const client = await clientOf(JSON.stringify({ messages: [newer], more: true }));
  const { messages } = await client.messages("ses_1", { limit: 1 });
  expect(messages).toEqual([newer as unknown as MessageView]);
});

test.each([
  ["one without its place", { type: "hologram", beams: 3 }],
  ["a known one with a wrong type", { ...text, text: null }],
  [
    "a call without its state",
    { id: "p", messageId: "m", time: 1, type: "tool", callId: "c", tool: "t", state: "done" },
  ],
])("a part that is %s is refused", async (_, part) => {
  const client = await clientOf(JSON.stringify({ messages: [{ ...message, parts: [part] }] }));
  await expect(client.messages("ses_1", { limit: 1 })).rejects.toBeInstanceOf(FailureError);
});

const frameText = (frame: object) =>
  `data: ${JSON.stringify({ id: "1", directory: "/w", sessionId: "ses_1", ...frame })}\n\n`;

test.each([
  { type: "message.part.updated", properties: { part: null } },
  { type: "message.updated", properties: { message: { ...message, id: 4 } } },
  { type: "session.updated", properties: {} },
  { type: "message.part.delta", properties: { messageId: "m", partId: "p", field: "text", delta: {} } },
  { type: "permission.asked", properties: { id: "per_1", patterns: "ls" } },
  { type: "todo.updated", properties: { todos: [null] } },
])("an event with a wrong type ends the stream with one sentence: %j", async (frame) => {
  const good = { type: "notification", properties: { kind: "notice", text: "Hello." } };
  const newer = { type: "mood.changed", properties: { mood: 1 } };
  const client = await clientOf(frameText(good) + frameText(newer) + frameText(frame), "text/event-stream");
  const seen: EventFrame["type"][] = [];
  const reading = async () => {
    for await (const { type } of client.follow({ view: "parts", signal: AbortSignal.timeout(5_000) })) seen.push(type);
  };
  await expect(reading()).rejects.toMatchObject({
    failure: { code: "malformed_response", message: expect.stringContaining("sent for an event is invalid") },
  });
  expect(seen).toEqual(["notification", "mood.changed"]);
});
