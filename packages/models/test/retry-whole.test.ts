/** Proves how requests for answers in one piece differ from streams, and what headers requests carry. */
import { type MockModel, type MockScript, startMockModel } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import type { WireRequest } from "../src/wire/request-body.ts";
import { createWireProvider } from "../src/wire/wire-provider.ts";
import { chatWire, lineOf, request } from "./retry-rig.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function startMock(script: MockScript): Promise<MockModel> {
  const mock = await startMockModel({ script });
  closers.push(mock.close);
  return mock;
}

type Streaming = Pick<ReturnType<typeof createWireProvider>, "stream">;

async function collect({ stream }: Streaming, asked: WireRequest): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const event of stream(asked, new AbortController().signal)) lines.push(lineOf(event));
  return lines;
}

test("an answer in one piece may stay silent for longer than a stream", async () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const mock = await startMock(({ body }) =>
    body.stream === true ? { stallAfterBytes: 0 } : { text: "Fine.", holdUntil: held },
  );
  const provider = createWireProvider(chatWire, { baseUrl: mock.baseUrl, idleTimeoutMs: 150, idleWarningMs: 100 });
  const whole = collect(provider, { ...request, whole: true });
  await mock.waitForRequest(1);
  expect(await collect(provider, request)).toEqual(["stalled 100", "failed: api_timeout, retryable"]);
  letGo();
  expect(await whole).toEqual(["Fine.", "end"]);
});

test("an answer in one piece is not waited for without end", async () => {
  const mock = await startMock([{ holdUntil: new Promise(() => {}) }]);
  const provider = createWireProvider(chatWire, { baseUrl: mock.baseUrl, overallTimeoutMs: 100 });
  expect(await collect(provider, { ...request, whole: true })).toEqual(["failed: api_timeout, retryable"]);
  await mock.waitForSocketsAtMost(0);
});

test("a wire may choose its headers by the request; those of the user come first", async () => {
  const plain = { "x-mode": "plain", "x-team": "none" };
  const long = { "x-mode": "long", "x-team": "none" };
  const wire = { ...chatWire, headers: ({ outputTokensMax }: WireRequest) => (outputTokensMax > 1000 ? long : plain) };
  const mock = await startMock([]);
  const provider = createWireProvider(wire, { baseUrl: mock.baseUrl, headers: { "X-Team": "blue" } });
  for (const outputTokensMax of [10, 2000, 2000, 10]) await collect(provider, { ...request, outputTokensMax });
  const sent = mock.requests.map(({ headers }) => `${headers["x-mode"]} ${headers["x-team"]}`);
  expect(sent).toEqual(["plain blue", "long blue", "long blue", "plain blue"]);
});
