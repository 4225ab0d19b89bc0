/** Proves what a client over HTTP bears: broken connections, a wrong token, a server that is gone or comes back. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { addToken, hostAccess } from "@kedge/host/server";
import { type Client, collectView, type FactRecord, messagesOf } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createClient, query } from "../../src/sdk/index.ts";
import { asked, converse, newSession, sent } from "./conversation-steps.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";
import { openSdkBench, openServer, type SdkBench } from "./sdk-bench.ts";

let bench: SdkBench;
const closings: (() => Promise<void>)[] = [];

beforeEach(async () => {
  bench = await openSdkBench();
  closings.push(() => bench.close());
});
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function storedRecords(client: Client, sessionId: string): Promise<readonly FactRecord[]> {
  const records: FactRecord[] = [];
  for await (const record of client.facts(sessionId)) records.push(record);
  return records;
}

const { seed } = createSeededRandom();

test(`what is folded from streams that are cut again and again is what the server has (seed ${seed})`, async () => {
  const random = createSeededRandom(String(seed));
  const cutsMax = 12;
  let port = 0;
  const proxy = await startCuttingProxy(
    () => port,
    () => (proxy.cuts() < cutsMax ? 1_000 + random.below(12_000) : undefined),
  );
  closings.push(() => proxy.close());
  const server = await openServer(bench, { hosts: [proxy.host] });
  closings.push(() => server.close());
  port = server.port;
  const { token } = server;
  const direct = createClient(server);
  const cut = createClient({ url: proxy.url, token });
  const sessionId = await newSession(direct);
  const stop = new AbortController();
  const ofSession: FactRecord[] = [];
  const ofAll: string[] = [];
  const connected = Promise.withResolvers<void>();
  const reading = Promise.all([
    (async () => {
      for await (const event of cut.events(sessionId, 0, stop.signal)) {
        if (event.kind === "fact") ofSession.push(event.record);
      }
    })(),
    (async () => {
      for await (const frame of cut.follow({ signal: stop.signal })) {
        if (frame.type === "server.connected") connected.resolve();
        if (frame.sessionId === sessionId && frame.seq !== undefined) ofAll.push(`${frame.seq} ${frame.hash}`);
      }
    })(),
  ]);
  await connected.promise;
  const { lastSeq } = await asked(direct, { type: "session.read", sessionId });
  for (let round = 0; proxy.cuts() < cutsMax && round < 60; round += 1) {
    await converse(direct, sessionId, `round ${round} ${"and a long answer ".repeat(10 + random.below(60))}`);
  }
  const stored = await storedRecords(direct, sessionId);
  const last = stored.at(-1);
  await expect.poll(() => ofSession.at(-1)?.seq).toBe(last?.seq);
  await expect.poll(() => ofAll.at(-1)).toBe(`${last?.seq} ${last?.hash}`);
  stop.abort();
  await reading;
  expect(proxy.cuts()).toBeGreaterThanOrEqual(cutsMax);
  expect(ofSession).toEqual(stored);
  expect(messagesOf(collectView(sessionId, ofSession))).toEqual(
    (await direct.messages(sessionId, { limit: 500 })).messages,
  );
  const followed = stored.filter(({ seq }) => seq > lastSeq).map(({ seq, hash }) => `${seq} ${hash}`);
  expect(ofAll.filter((line) => Number(line.split(" ")[0]) > lastSeq)).toEqual(followed);
});

test("a query over a connection that breaks still ends with its result", async () => {
  let port = 0;
  let connections = 0;
  // Only streams go this way; the first three of them break early.
  const proxy = await startCuttingProxy(
    () => port,
    () => {
      connections += 1;
      return connections <= 3 ? 1_500 * connections : undefined;
    },
  );
  closings.push(() => proxy.close());
  const server = await openServer(bench, { hosts: [proxy.host] });
  closings.push(() => server.close());
  port = server.port;
  const direct = createClient(server);
  const streams = createClient({ url: proxy.url, token: server.token });
  const client: Client = { ...direct, events: streams.events };
  for await (const message of query(`say ${"much ".repeat(300)}`, { client })) {
    if (message.type === "result") expect(message.text.length).toBeGreaterThan(1_500);
  }
  expect(proxy.cuts()).toBe(3);
});

test("a wrong token is told by calls and streams, and a token that may do too little says what is missing", async () => {
  const server = await openServer(bench);
  closings.push(() => server.close());
  const wrong = createClient({ url: server.url, token: "kedge_wrong" });
  const failure = { code: "auth_error", retryable: false };
  expect(await wrong.ask<"project.read">({ type: "project.read" })).toMatchObject({ ok: false, failure });
  const frames = wrong.follow({ signal: new AbortController().signal })[Symbol.asyncIterator]();
  await expect(frames.next()).rejects.toMatchObject({ failure });
  const { token } = addToken(hostAccess({ home: bench.home, now: Date.now, environment: bench.environment }), {
    scope: "prompt",
    name: "small",
    lifetimeMs: 60_000,
  });
  const small = createClient({ url: server.url, token });
  const asking = (async () => {
    for await (const _ of query("write x.txt x", { client: small, canUseTool: () => ({ behavior: "allow" }) }));
  })();
  await expect(asking).rejects.toMatchObject({ failure: { ...failure, message: expect.stringContaining("approve") } });
});

test("a server that is gone is a connection error, and streams go on when it comes back", async () => {
  const { token } = addToken(hostAccess({ home: bench.home, now: Date.now, environment: bench.environment }), {
    scope: "approve",
    name: "lasting",
    lifetimeMs: 60_000,
  });
  const first = await openServer(bench);
  const client = createClient({ url: first.url, token });
  const sessionId = await newSession(client);
  const stop = new AbortController();
  const titles: (string | undefined)[] = [];
  const reading = (async () => {
    for await (const event of client.events(sessionId, 0, stop.signal)) {
      if (event.kind === "fact" && event.record.fact.type === "session.updated") titles.push(event.record.fact.title);
      if (titles.includes("second")) stop.abort();
    }
  })();
  await sent(client, { type: "session.update", sessionId, title: "first" });
  await expect.poll(() => titles).toEqual(["first"]);
  await first.close();
  expect(await client.ask<"project.read">({ type: "project.read" })).toMatchObject({
    failure: { code: "connection_error", retryable: true },
  });
  expect(await client.send<"session.create">({ type: "session.create" })).toMatchObject({
    failure: { code: "connection_error" },
  });
  const second = await openServer(bench, { port: first.port });
  closings.push(() => second.close());
  await sent(client, { type: "session.update", sessionId, title: "second" });
  await reading;
  expect(titles).toEqual(["first", "second"]);
});

test("a run that is interrupted by the end of its server is told as such when the server is back", async () => {
  const { token } = addToken(hostAccess({ home: bench.home, now: Date.now, environment: bench.environment }), {
    scope: "approve",
    name: "lasting",
    lifetimeMs: 60_000,
  });
  const first = await openServer(bench);
  const client = createClient({ url: first.url, token });
  const reasons: string[] = [];
  let restarted: Promise<void> | undefined;
  for await (const message of query("hang", { client })) {
    if (message.type === "result") reasons.push(message.reason);
    if (message.type !== "text" || restarted !== undefined) continue;
    restarted = (async () => {
      await first.close();
      const second = await openServer(bench, { port: first.port });
      closings.push(() => second.close());
    })();
  }
  await restarted;
  expect(reasons).toEqual(["aborted"]);
});

test("a run whose server was killed is over once another server is there", async () => {
  const { token } = addToken(hostAccess({ home: bench.home, now: Date.now, environment: bench.environment }), {
    scope: "approve",
    name: "lasting",
    lifetimeMs: 60_000,
  });
  const child = startServeProcess();
  const { url } = await firstLine(child);
  const client = createClient({ url, token });
  const results: unknown[] = [];
  let restarted: Promise<void> | undefined;
  for await (const message of query("hang", { client })) {
    if (message.type === "result") results.push([message.reason, message.failure?.message]);
    if (message.type !== "text" || restarted !== undefined) continue;
    restarted = (async () => {
      child.kill("SIGKILL");
      await once(child, "close");
      const second = await openServer(bench, { port: Number(new URL(url).port) });
      closings.push(() => second.close());
    })();
  }
  await restarted;
  expect(results).toEqual([["aborted", "kedge exited before the run ended."]]);
});

test("a signal ends a query whose server was killed", async () => {
  const { token } = addToken(hostAccess({ home: bench.home, now: Date.now, environment: bench.environment }), {
    scope: "approve",
    name: "lasting",
    lifetimeMs: 60_000,
  });
  const child = startServeProcess();
  const { url } = await firstLine(child);
  const stop = new AbortController();
  let isAborted = false;
  const reading = (async () => {
    for await (const message of query("hang", { client: createClient({ url, token }), signal: stop.signal })) {
      if (message.type !== "text" || isAborted) continue;
      child.kill("SIGKILL");
      await once(child, "close");
      isAborted = true;
      stop.abort();
    }
  })();
  await expect(reading).rejects.toMatchObject({ failure: { code: "aborted" } });
});

function startServeProcess(): ChildProcessWithoutNullStreams {
  const kedge = join(import.meta.dirname, "../../../../dist/kedge.js");
  const child = spawn(process.execPath, [kedge, "serve", "--json"], { cwd: bench.project, env: bench.environment });
  closings.push(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  });
  return child;
}

async function firstLine(child: ChildProcessWithoutNullStreams): Promise<{ readonly url: string }> {
  let text = "";
  for await (const piece of child.stdout) {
    text += piece;
    if (text.includes("\n")) break;
  }
  return JSON.parse(text);
}
