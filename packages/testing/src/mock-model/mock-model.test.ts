/** Proves that the mock says what its script says and fails as it is told to, seen by a plain HTTP client. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, expect, test } from "vitest";
import { type MockModel, startMockModel } from "./mock-model.ts";
import type { MockScript } from "./script.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start(script: MockScript): Promise<MockModel> {
  const mock = await startMockModel({ script });
  closers.push(mock.close);
  return mock;
}

function ask(mock: { readonly baseUrl: string }, body: object = { stream: true }): Promise<Response> {
  return fetch(`${mock.baseUrl}/chat/completions`, { method: "POST", body: JSON.stringify(body) });
}

const saying = (content: string) => ({ choices: [{ message: { content } }] });

const dataOf = (wire: string) =>
  wire
    .split("\n\n")
    .filter((event) => event.startsWith("data: {"))
    .map((event) => JSON.parse(event.slice("data: ".length)));

test("streams text in deltas, then the reason, the usage and the closing mark", async () => {
  const mock = await start([{ text: "abcde", deltaCharacters: 2 }]);
  const response = await ask(mock, { model: "m", stream: true });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const wire = await response.text();
  expect(wire.endsWith("data: [DONE]\n\n")).toBe(true);
  const deltas = dataOf(wire).flatMap((frame) => frame.choices.map((choice: { delta: object }) => choice.delta));
  expect(deltas).toEqual([
    { role: "assistant", content: "" },
    { content: "ab" },
    { content: "cd" },
    { content: "e" },
    {},
  ]);
  expect(dataOf(wire).at(-1).usage).toEqual({ prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 });
});

test("answers whole when no stream is asked for", async () => {
  const mock = await start([{ toolCalls: [{ name: "read", input: { a: 1 } }] }]);
  expect(await (await ask(mock, { model: "m" })).json()).toMatchObject({
    model: "m",
    choices: [
      {
        message: {
          content: null,
          tool_calls: [{ id: "call_1_0", type: "function", function: { name: "read", arguments: '{"a":1}' } }],
        },
        finish_reason: "tool_calls",
      },
    ],
  });
});

test("says Done. after the last turn, and records every request", async () => {
  const mock = await start([]);
  const arrived = mock.waitForRequest(2);
  await (await ask(mock, { stream: false, messages: [{ role: "user", content: "one" }] })).text();
  const second = await (await ask(mock, { messages: [{ role: "user", content: "two" }] })).json();
  expect(second).toMatchObject(saying("Done."));
  expect((await arrived).body).toEqual({ messages: [{ role: "user", content: "two" }] });
  expect(mock.requests.map((request) => request.raw.toString())).toEqual([
    '{"stream":false,"messages":[{"role":"user","content":"one"}]}',
    '{"messages":[{"role":"user","content":"two"}]}',
  ]);
});

test("a script may look at the conversation", async () => {
  const mock = await start((request, turnIndex) => ({
    text: `${turnIndex}: ${request.body.messages?.at(-1)?.content}`,
  }));
  await (await ask(mock)).text();
  const answer = await (await ask(mock, { messages: [{ role: "user", content: "echo" }] })).json();
  expect(answer).toMatchObject(saying("1: echo"));
});

test("error answers carry status, body and headers", async () => {
  const mock = await start([{ status: 429, body: '{"error":{}}', headers: { "retry-after": "3" } }]);
  const response = await ask(mock);
  expect([response.status, response.headers.get("retry-after"), await response.text()]).toEqual([
    429,
    "3",
    '{"error":{}}',
  ]);
});

test("dropped answers break off after the bytes they were given", async () => {
  const mock = await start([{ text: "abc", dropAfterBytes: 40, splitEveryBytes: 7 }]);
  const response = await ask(mock);
  const reader = response.body?.getReader();
  let bytes = 0;
  const readAll = async () => {
    for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read())
      bytes += part.value.length;
  };
  await expect(readAll()).rejects.toThrow();
  expect(bytes).toBe(40);
  await mock.waitForSocketsAtMost(0);
});

test("holds the answer until it is let go", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const mock = await start([{ text: "late", holdUntil: promise }]);
  let answered = false;
  const asked = ask(mock).then((response) => {
    answered = true;
    return response.text();
  });
  await mock.waitForRequest(1);
  expect(answered).toBe(false);
  resolve();
  expect(await asked).toContain("late");
});

test("lists its model and knows no other route", async () => {
  const mock = await start([]);
  expect(await (await fetch(`${mock.baseUrl}/models`)).json()).toMatchObject({ data: [{ id: "mock-model" }] });
  expect((await fetch(`${mock.baseUrl}/other`)).status).toBe(404);
});

test("runs as a process of its own", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mock-model-"));
  closers.push(() => rm(folder, { recursive: true }));
  const script = join(folder, "turns.json");
  await writeFile(script, JSON.stringify([{ text: "From a file." }]));
  const main = new URL("./main.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [main, "--script", script], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  try {
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    const answer = await ask({ baseUrl: `http://127.0.0.1:${JSON.parse(String(line)).port}/v1` }, {});
    expect(await answer.json()).toMatchObject(saying("From a file."));
  } finally {
    child.kill();
    await exited;
  }
  const failed = await new Promise((resolve) => execFile(process.execPath, [main], (error) => resolve(error?.code)));
  expect(failed).toBe(1);
});
