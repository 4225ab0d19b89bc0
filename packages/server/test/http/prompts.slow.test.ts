/** Prompts and answers over HTTP: who waits for what, who is told to come back, and whose answer counts. */
import type { MockScript } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { scriptedAnswers } from "./scripted-answers.ts";
import { at, openSite, type ServerSite } from "./server-site.ts";

let site: ServerSite | undefined;

afterEach(async () => {
  const bugs = site?.bugs;
  await site?.close();
  site = undefined;
  expect(bugs ?? []).toEqual([]);
});

async function open(script: MockScript = scriptedAnswers): Promise<ServerSite> {
  site = await openSite({ script });
  return site;
}

test("a prompt is answered with the end of its run and the last message", async () => {
  const { call, newSession } = await open([{ text: "Forty-two." }]);
  const sessionId = await newSession();
  const { status, json } = await call("POST", `/session/${sessionId}/prompt`, { body: { text: "What is it?" } });
  expect({ status, reason: at(json, "result", "reason"), text: at(json, "result", "text") }).toEqual({
    status: 200,
    reason: "completed",
    text: "Forty-two.",
  });
  const parts = at(json, "message", "parts") as readonly { readonly type: string; readonly text?: string }[];
  expect(parts.filter(({ type }) => type === "text").map(({ text }) => text)).toEqual(["Forty-two."]);
  const facts = (await call("GET", `/session/${sessionId}/fact?limit=500`)).json;
  const types = (at(facts, "facts") as readonly unknown[]).map((record) => at(record, "fact", "type"));
  // Behind it stands only what the run is remembered by.
  expect(types.slice(-2)).toEqual(["run.ended", "memory.lesson_extracted"]);
});

test("a command of the prompt line ends without a message", async () => {
  const { call, newSession } = await open();
  const sessionId = await newSession();
  const { status, json } = await call("POST", `/session/${sessionId}/prompt`, { body: { text: "/help" } });
  expect({ status, promptId: at(json, "promptId"), message: at(json, "message") }).toEqual({
    status: 200,
    promptId: "",
    message: undefined,
  });
});

test("a busy session takes a prompt in, or refuses it where that is wished", async () => {
  const held = Promise.withResolvers<void>();
  const { call, newSession, model } = await open([{ text: "First.", holdUntil: held.promise }, { text: "Second." }]);
  const sessionId = await newSession();
  const first = call("POST", `/session/${sessionId}/prompt`, { body: { text: "one" } });
  await model.waitForRequest(1);
  const rejected = await call("POST", `/session/${sessionId}/prompt_async?mode=reject`, { body: { text: "two" } });
  expect([rejected.status, at(rejected.json, "error", "code")]).toEqual([409, "session_busy"]);
  const idleOnly = { text: "two", onlyIfIdle: true };
  expect((await call("POST", `/session/${sessionId}/prompt`, { body: idleOnly })).status).toBe(409);
  const queued = await call("POST", `/session/${sessionId}/prompt_async`, { body: { text: "two" } });
  expect(queued.status).toBe(202);
  held.resolve();
  const { json } = await first;
  expect([at(json, "result", "text"), at(json, "runId") === at(queued.json, "runId")]).toEqual(["Second.", true]);
});

test("who breaks off does not stop the run", async () => {
  const held = Promise.withResolvers<void>();
  const { call, newSession, model, waitFor, server } = await open([{ text: "Late.", holdUntil: held.promise }]);
  const sessionId = await newSession();
  const leaving = new AbortController();
  const left = call("POST", `/session/${sessionId}/prompt`, { body: { text: "one" }, signal: leaving.signal });
  await model.waitForRequest(1);
  leaving.abort();
  await expect(left).rejects.toThrow();
  // The request is over for the server as well, while the model still thinks.
  for (let attempt = 0; attempt < 1000 && server.instances.list()[0]?.clients() !== 0; attempt++)
    await call("GET", "/global");
  expect(server.instances.list()[0]?.clients()).toBe(0);
  held.resolve();
  await waitFor(`/session/${sessionId}/message`, "messages", 1, "completedAt");
});

test("the first answer counts, and the later ones learn who gave it", async () => {
  const { call, newSession, waitFor } = await open();
  const sessionId = await newSession();
  const run = call("POST", `/session/${sessionId}/prompt`, { body: { text: "write it" } });
  const requestId = await waitFor("/permission", "requests", 0, "requestId");
  const path = `/permission/${requestId}`;
  const answers = await Promise.all([
    call("POST", path, { body: { reply: "once" } }),
    call("POST", path, { body: { reply: "reject" } }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const late = await call("POST", path, { body: { reply: "always", sessionId } });
  expect([late.status, at(late.json, "error", "code")]).toEqual([409, "already_answered"]);
  expect(at(late.json, "error", "message")).toMatch(/was already answered by a person with "(once|reject)"\.$/);
  const unknown = await call("POST", "/permission/per_unknown", { body: { reply: "once" } });
  expect([unknown.status, at(unknown.json, "error", "code")]).toEqual([404, "not_found"]);
  const asked = await call("POST", `/question/${requestId}`, { body: { answers: ["yes"] } });
  expect(asked.status).toBe(404);
  await run;
});

test("a question is answered once", async () => {
  const { call, newSession, waitFor } = await open();
  const sessionId = await newSession();
  const run = call("POST", `/session/${sessionId}/prompt`, { body: { text: "ask me" } });
  const requestId = await waitFor("/question", "requests", 0, "requestId");
  const answers = await Promise.all([
    call("POST", `/question/${requestId}`, { body: { answers: ["left"] } }),
    call("POST", `/question/${requestId}`, { body: { answers: ["right"] } }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(at((await run).json, "result", "reason")).toBe("completed");
});

test("a session that was closed is taken up again, and one that is open here can be deleted", async () => {
  const { call, newSession } = await open();
  const sessionId = await newSession();
  expect((await call("POST", `/session/${sessionId}/close`)).status).toBe(200);
  expect((await call("POST", `/session/${sessionId}/prompt`, { body: { text: "hello" } })).status).toBe(200);
  expect((await call("DELETE", `/session/${sessionId}`)).status).toBe(200);
  const gone = await call("POST", `/session/${sessionId}/prompt`, { body: { text: "hello" } });
  expect([gone.status, at(gone.json, "error", "code")]).toEqual([404, "not_found"]);
});

test("the same key carries a command out once, and another body under it is refused", async () => {
  const { call, advance } = await open();
  const headers = { "idempotency-key": "one" };
  const create = (body: object) => call("POST", "/session", { body, headers });
  const both = await Promise.all([create({}), create({})]);
  expect(new Set(both.map(({ text }) => text)).size).toBe(1);
  const again = await create({});
  expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([both[0].text, "true"]);
  const other = await create({ mode: "plan" });
  expect([other.status, at(other.json, "error", "code")]).toEqual([409, "idempotency_key"]);
  advance(10 * 60_000);
  expect((await create({})).text).not.toBe(both[0].text);
  expect((await call("POST", "/session", { body: {}, headers: { "idempotency-key": "x".repeat(256) } })).status).toBe(
    400,
  );
});

test("what failed under a key may be tried again with it", async () => {
  const { call, newSession } = await open();
  const sessionId = await newSession();
  const headers = { "idempotency-key": "two" };
  const path = `/session/${sessionId}/continue`;
  expect((await call("POST", path, { headers })).status).toBe(404);
  const second = await call("POST", path, { headers });
  expect([second.status, second.headers.get("idempotency-replayed")]).toEqual([404, null]);
});
