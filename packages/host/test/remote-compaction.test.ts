/** Compactions by others in the whole program: the vendor's own over its wire, and the address of the user. */
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fact, FactOf } from "@kedge/protocol";
import { type MockModel, type MockScript, startMockModel } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Kedge } from "../src/index.ts";
import { openAssembled } from "./assembled-kedge.ts";

let place = "";
let model: MockModel | undefined;
let kedge: Kedge | undefined;
let server: Server | undefined;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "kedge-remote-")));
  mkdirSync(join(place, "w"));
  mkdirSync(join(place, "home/.kedge"), { recursive: true });
});

afterEach(async () => {
  await kedge?.close();
  await model?.close();
  server?.close();
  server?.closeAllConnections();
  server = undefined;
  rmSync(place, { recursive: true, force: true });
});

const summary = "## Goal\nMend the parser.";
const secret = `sk-ant-api03-${"a1B2".repeat(24)}`;
const long = `Done. ${"words and words ".repeat(2_000)}`;
const seal = "gAAAA sealed";

/** A vendor that answers by place: sealed, summed up, or with a number. */
const answering: MockScript = ({ path, body }, index) => {
  if (path.endsWith("/compact")) return { text: seal, usage: { input: 5_000, output: 90, reasoning: 50 } };
  const isSummary = JSON.stringify(body).includes("## Failed approaches");
  return { text: isSummary ? summary : index === 0 ? long : `Answer ${index}.` };
};

type Told = { readonly compaction?: object; readonly canShorten?: boolean; readonly script?: MockScript };

async function open({ compaction = {}, canShorten = true, script = answering }: Told) {
  model = await startMockModel({ script });
  const mock = { api: "openai-responses", baseURL: model.baseUrl, apiKey: "key-of-the-mock", compaction: canShorten };
  const other = { ...mock, compaction: false };
  const settings = { provider: { mock, other }, compaction: { keepRecentTokens: 1, ...compaction } };
  const userDirectory = join(place, "home");
  const homeDirectory = join(userDirectory, ".kedge");
  writeFileSync(join(homeDirectory, "config.json"), JSON.stringify(settings));
  const environment = { HOME: userDirectory, PATH: process.env["PATH"] ?? "" };
  kedge = await openAssembled({
    project: join(place, "w"),
    userDirectory,
    homeDirectory,
    environment,
    interactive: false,
  });
  const { engine } = kedge;
  const created = await engine.send({ type: "session.create", mode: "default", model: "mock/gpt-5.1" });
  if (!created.ok) throw new Error(created.failure.message);
  const { sessionId } = created.value;
  const facts: Fact[] = [];
  const notices: string[] = [];
  let ended = Promise.withResolvers<void>();
  engine.subscribe(sessionId, (event) => {
    if (event.kind === "signal" && event.signal.type === "notice") notices.push(event.signal.text);
    if (event.kind !== "fact") return;
    facts.push(event.record.fact);
    if (event.record.fact.type === "run.ended") ended.resolve();
  });
  return {
    facts,
    notices,
    requests: model.requests,
    async prompt(text: string) {
      ended = Promise.withResolvers();
      await engine.send({ type: "prompt.submit", sessionId, text, delivery: "steer", options: {} });
      await ended.promise;
    },
    compact: () => engine.send({ type: "context.compact", sessionId }),
    useModel: (name: string) => engine.send({ type: "model.change", sessionId, model: name }),
  };
}

const compactionsOf = (facts: readonly Fact[]) =>
  facts.filter((fact): fact is FactOf<"context.compacted"> => fact.type === "context.compacted");

test("the vendor's own history stands in for the summary at that vendor, and nowhere else", async () => {
  const session = await open({});
  await session.prompt(`One. The key is ${secret}.`);
  await session.prompt("Two");
  expect(await session.compact()).toMatchObject({ ok: true });
  const [compacted] = compactionsOf(session.facts);
  const encrypted = Buffer.from(seal).toString("base64");
  expect(compacted).toMatchObject({
    strategy: "summary",
    summary: expect.stringContaining("Mend the parser."),
    vendorHistory: { provider: "mock", family: "gpt-5", json: expect.stringContaining(encrypted) },
    boundary: { shortenedBy: "mock" },
    usage: { input: 5_100, output: 110, reasoning: 50 },
  });
  expect(JSON.stringify(compacted)).not.toContain("a1B2a1B2");
  const types = session.facts.map(({ type }) => type).filter((type) => !type.startsWith("session."));
  const turn = ["prompt.admitted", "step.started", "step.ended", "run.ended"];
  expect(types).toEqual([...turn, ...turn, "context.compacted"]);

  await session.prompt("Three");
  const [shortened] = session.requests.at(-1)?.body.input?.filter(({ type }) => type === "compaction") ?? [];
  expect(shortened).toMatchObject({ encrypted_content: encrypted });
  expect(JSON.stringify(session.requests.at(-1)?.body)).not.toContain("Mend the parser.");

  expect(await session.useModel("other/gpt-5.1")).toMatchObject({ ok: true });
  await session.prompt("Four");
  const elsewhere = JSON.stringify(session.requests.at(-1)?.body);
  expect(elsewhere).toContain("Mend the parser.");
  expect(elsewhere).not.toContain(encrypted);
});

test("a vendor without such a place is asked once, and the conversation is summed up all the same", async () => {
  const script: MockScript = (request, index) =>
    request.path.endsWith("/compact") ? { status: 404, body: "{}" } : answering(request, index);
  const session = await open({ script });
  for (const text of ["One", "Two"]) await session.prompt(text);
  await session.compact();
  for (const text of [long, "Four"]) await session.prompt(text);
  await session.compact();
  expect(compactionsOf(session.facts).map(({ vendorHistory }) => vendorHistory)).toEqual([undefined, undefined]);
  expect(session.requests.filter(({ path }) => path.endsWith("/compact"))).toHaveLength(1);
  expect(session.notices.filter((text) => text.startsWith("mock could not compact"))).toHaveLength(1);
});

async function serveSummaries(status: number) {
  const received: string[] = [];
  server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    received.push(Buffer.concat(chunks).toString());
    response.writeHead(status);
    response.end(JSON.stringify({ summary: "## Goal\nFrom elsewhere." }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo;
  return { received, remoteEndpoint: `http://127.0.0.1:${port}/`, remoteAllowedHosts: [`127.0.0.1:${port}`] };
}

test("the address of the user sums up, without secrets; where it fails a model does, and the user is told", async () => {
  for (const status of [200, 503]) {
    const { received, ...compaction } = await serveSummaries(status);
    const session = await open({ compaction, canShorten: false });
    for (const text of [`One. The key is ${secret}.`, "Two"]) await session.prompt(text);
    expect(await session.compact()).toMatchObject({ ok: true });
    const [sent] = received.map((body) => JSON.parse(body) as { systemPrompt: string; prompt: string });
    expect(Object.keys(sent ?? {})).toEqual(["systemPrompt", "prompt"]);
    expect(sent?.prompt).toContain("words and words");
    expect(sent?.prompt).not.toContain("a1B2a1B2");
    const told = session.notices.filter((text) => text.startsWith("Remote compaction failed"));
    if (status === 200) {
      expect(compactionsOf(session.facts)).toMatchObject([{ summary: "## Goal\nFrom elsewhere." }]);
      expect([told, session.requests.length]).toEqual([[], 2]);
    } else {
      expect(compactionsOf(session.facts)).toMatchObject([{ summary }]);
      expect(told).toEqual(["Remote compaction failed: The response has status 503. Using a model instead."]);
    }
    await kedge?.close();
    await model?.close();
  }
});
