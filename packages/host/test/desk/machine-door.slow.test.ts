/** Proves through the door of an assembled kedge: keys are tried, servers found, usage and health told, waits ended. */
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Event, QueryAnswers } from "@kedge/protocol";
import { type MockModel, type MockScript, startMockModel } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import type { Kedge } from "../../src/index.ts";
import { openAssembled } from "../assembled-kedge.ts";

type Closer = () => unknown;
const closers: Closer[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Site = { readonly kedge: Kedge; readonly model: MockModel; readonly now: () => number };

type SiteOptions = {
  readonly script?: MockScript;
  readonly settings?: (baseURL: string) => object;
  readonly environment?: { readonly [name: string]: string };
};

async function openSite({ script = [], settings = own, environment = {} }: SiteOptions = {}): Promise<Site> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-machine-")));
  closers.push(() => rmSync(directory, { recursive: true, force: true }));
  const [home, project] = [join(directory, "home"), join(directory, "project")];
  mkdirSync(home);
  mkdirSync(project);
  const model = await startMockModel({ script });
  closers.push(model.close);
  const now = () => Date.UTC(2026, 0, 10, 12);
  writeFileSync(
    join(home, "config.json"),
    JSON.stringify({ model: "mock/mock-model", titles: { enabled: false }, ...settings(model.baseUrl) }),
  );
  const kedge = await openAssembled({
    ...{ project, userDirectory: directory, homeDirectory: home, interactive: true, now },
    environment: { PATH: process.env["PATH"] ?? "", KEDGE_KEYRING: "off", ...environment },
  });
  closers.push(kedge.close);
  return { kedge, model, now };
}

function own(baseURL: string): object {
  const models = { "mock-model": { cost: { input: 2, output: 8 }, reasoning: "effort", images: true } };
  return { provider: { mock: { api: "openai-chat", baseURL, models } } };
}

async function newSession({ door }: Kedge): Promise<string> {
  const created = await door.send<"session.create">({ type: "session.create" });
  if (!created.ok) throw new Error(created.failure.message);
  return created.value.sessionId;
}

async function startPrompt(kedge: Kedge, sessionId: string): Promise<void> {
  const sent = await kedge.door.send<"prompt.submit">({
    ...{ type: "prompt.submit", sessionId, text: "Begin.", delivery: "follow-up", options: {} },
  });
  if (!sent.ok) throw new Error(sent.failure.message);
}

/** Resolves with the first event of the session that is wanted. */
function waitFor(kedge: Kedge, sessionId: string, isWanted: (event: Event) => boolean): Promise<Event> {
  return new Promise((resolve) => {
    const stop = kedge.door.subscribe(sessionId, (event) => {
      if (!isWanted(event)) return;
      stop();
      resolve(event);
    });
  });
}

const isRetrying = (event: Event) => event.kind === "signal" && event.signal.type === "step.retrying";
const isEnd = (event: Event) => event.kind === "fact" && event.record.fact.type === "run.ended";

async function runPrompt(kedge: Kedge): Promise<void> {
  const sessionId = await newSession(kedge);
  const ended = waitFor(kedge, sessionId, isEnd);
  await startPrompt(kedge, sessionId);
  await ended;
}

/** Answers every request with this status, and counts them by what they carried. */
async function startVendor(statusOf: (key: string | undefined) => number, body = "{}") {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? "-"}`);
    response.writeHead(statusOf(request.headers.authorization), { "content-type": "application/json" }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return { asked, port, baseURL: `http://127.0.0.1:${port}/v1` };
}

test("a key is tried with one request, and nothing of it is stored", async () => {
  const vendor = await startVendor((key) => (key === "Bearer right" ? 200 : key === "Bearer odd" ? 500 : 401));
  const provider = { tried: { api: "openai-chat", baseURL: vendor.baseURL } };
  const { kedge } = await openSite({ settings: () => ({ provider }) });
  const check = (key?: string) =>
    kedge.door.send<"credential.check">({
      ...{ type: "credential.check", providerId: "tried", ...(key !== undefined && { key }) },
    });
  expect(await check("right")).toEqual({ ok: true, value: { isGood: true, sentence: "tried accepted the key." } });
  expect(await check("wrong")).toEqual({
    ok: true,
    value: { isGood: false, sentence: "tried rejected the key (status 401). Check it, or create a new one." },
  });
  expect(await check("odd")).toEqual({
    ok: true,
    value: {
      isGood: false,
      sentence: "Could not verify the key for tried: the answer has status 500.",
      isUnchecked: true,
    },
  });
  const before = vendor.asked.length;
  expect(await check()).toEqual({
    ok: false,
    failure: { code: "not_found", message: "No key for tried.", retryable: false },
  });
  expect(
    await kedge.door.send<"credential.set">({ type: "credential.set", providerId: "tried", key: "right" }),
  ).toEqual({ ok: true, value: {} });
  expect(await check()).toMatchObject({ ok: true, value: { isGood: true } });
  expect([before, vendor.asked.slice(before)]).toEqual([3, ["GET /v1/models Bearer right"]]);
});

test("a key that is stored counts from the next run on, in the place of the one before", async () => {
  const { kedge, model } = await openSite({ script: () => ({ text: "Fine." }) });
  for (const key of ["first-key", "second-key"]) {
    await kedge.door.send<"credential.set">({ type: "credential.set", providerId: "mock", key });
    await runPrompt(kedge);
  }
  await kedge.door.send<"credential.remove">({ type: "credential.remove", providerId: "mock" });
  await runPrompt(kedge);
  expect(model.requests.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer first-key",
    "Bearer second-key",
    undefined,
  ]);
});

test("a provider tells where its key comes from, and what is known of its models", async () => {
  const settings = (baseURL: string) => ({
    provider: {
      ...Object(Reflect.get(own(baseURL), "provider")),
      said: { api: "openai-chat", baseURL, apiKey: "words-one" },
    },
  });
  const { kedge, model } = await openSite({ settings, environment: { OPENAI_API_KEY: "words-two" } });
  await kedge.door.send<"credential.set">({ type: "credential.set", providerId: "mock", key: "words-three" });
  const answer = await kedge.door.ask<"provider.list">({ type: "provider.list" });
  if (!answer.ok) throw new Error(answer.failure.message);
  const sources = answer.value.providers.flatMap(({ providerId, keySource }) =>
    keySource === undefined ? [] : [[providerId, keySource]],
  );
  expect(sources).toEqual([
    ["mock", "stored key"],
    ["said", "configuration"],
    ["openai", "environment variable OPENAI_API_KEY"],
  ]);
  expect(answer.value.providers.find(({ providerId }) => providerId === "mock")?.models).toEqual([
    {
      model: "mock/mock-model",
      name: "mock/mock-model",
      contextTokens: 32_000,
      outputTokens: 4_096,
      inputUsdPerMillion: 2,
      outputUsdPerMillion: 8,
      hasTools: true,
      hasReasoning: true,
      hasVision: true,
    },
  ]);
  expect(JSON.stringify(answer)).not.toMatch(/words-/);
  expect(model.requests).toEqual([]);
});

test("a model server on this machine is found where it was set up", async () => {
  const server = await startVendor(() => 200, JSON.stringify({ models: [{ name: "small" }, { name: "large" }] }));
  const provider = { ollama: { baseURL: server.baseURL } };
  const { kedge } = await openSite({ settings: () => ({ provider }) });
  const answer = await kedge.door.ask<"server.find">({ type: "server.find" });
  if (!answer.ok) throw new Error(answer.failure.message);
  // Others may run on the machine of whoever tests.
  expect(answer.value.servers.filter(({ providerId }) => providerId === "ollama")).toEqual([
    {
      providerId: "ollama",
      name: "Ollama",
      url: `http://127.0.0.1:${server.port}/v1`,
      models: ["small", "large"],
    },
  ]);
});

test("usage of the last days and of all time", async () => {
  const { kedge } = await openSite({ script: () => ({ text: "Fine.", usage: { input: 10, output: 2 } }) });
  await runPrompt(kedge);
  const read = async (days?: number): Promise<QueryAnswers["usage.read"]> => {
    const answer = await kedge.door.ask<"usage.read">({ type: "usage.read", ...(days !== undefined && { days }) });
    if (!answer.ok) throw new Error(answer.failure.message);
    return answer.value;
  };
  const all = await read();
  expect(all).toMatchObject({
    sessions: 1,
    steps: 1,
    models: [{ model: "mock/mock-model", steps: 1 }],
    days: [{ day: "2026-01-10", steps: 1 }],
    tools: [],
    unreadable: [],
  });
  expect(await read(1)).toEqual(all);
});

test("what the doctor finds, as data", async () => {
  const { kedge } = await openSite();
  const answer = await kedge.door.ask<"doctor.run">({ type: "doctor.run" });
  if (!answer.ok) throw new Error(answer.failure.message);
  const { checks } = answer.value;
  expect(checks.map(({ name }) => name)).toEqual([
    ...["node", "directory", "model", "git", "ripgrep", "sandbox", "looks", "callers", "trust", "storage", "sessions"],
  ]);
  expect(checks.find(({ name }) => name === "model")).toEqual({
    name: "model",
    state: "ok",
    sentence: "mock/mock-model",
  });
});

test("what is missing is an error with its next step", async () => {
  const { kedge } = await openSite({ environment: { PATH: "/nowhere" } });
  const answer = await kedge.door.ask<"doctor.run">({ type: "doctor.run" });
  if (!answer.ok) throw new Error(answer.failure.message);
  expect(answer.value.checks.find(({ name }) => name === "git")).toEqual({
    name: "git",
    state: "error",
    sentence: "it does not start",
    next: "Required for undo. Install git.",
  });
});

test("a wait for the vendor is told of in the status, and ends at once when somebody wants it to", async () => {
  const limited = { status: 429, body: '{"error":{"message":"Slow down."}}', headers: { "retry-after": "90" } };
  const { kedge, model, now } = await openSite({ script: [limited, { text: "Fine." }] });
  const sessionId = await newSession(kedge);
  const hasten = () => kedge.door.send<"retry.hasten">({ type: "retry.hasten", sessionId });
  const nothingWaits = {
    ok: false,
    failure: {
      code: "not_found",
      message: `No provider waiting in session ${sessionId}.`,
      retryable: false,
    },
  };
  expect(await hasten()).toEqual(nothingWaits);
  const retrying = waitFor(kedge, sessionId, isRetrying);
  const ended = waitFor(kedge, sessionId, isEnd);
  await startPrompt(kedge, sessionId);
  await retrying;
  const statuses = await kedge.door.ask<"session.read">({ type: "session.read", sessionId });
  expect(statuses).toMatchObject({
    ok: true,
    value: {
      status: { state: "retry", until: now() + 90_000, attempt: 1, reason: expect.stringContaining("Slow down") },
    },
  });
  // Otherwise the test would end before the wait.
  expect(await hasten()).toEqual({ ok: true, value: {} });
  await ended;
  expect(model.requests.length).toBe(2);
  expect(await hasten()).toEqual(nothingWaits);
});
