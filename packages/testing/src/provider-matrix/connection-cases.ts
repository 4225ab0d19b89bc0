/** The part of the provider matrix about connections: aborted, refused, dropped, stalled, and always let go of. */
import assert from "node:assert/strict";
import type { ModelEvent, ModelRequest } from "@kedge/protocol";
import { startMockModel } from "../mock-model/mock-model.ts";
import type { MockTurn } from "../mock-model/script.ts";
import {
  collect,
  lastFailure,
  type MatrixCase,
  type MatrixSubject,
  matrixApiKey,
  matrixRequest,
  merged,
  usualUsage,
  withMock,
} from "./matrix-case.ts";

const longText = "A text of some length, so that it is on its way for a while. ".repeat(20);
const stalled: MockTurn = { text: longText, stallAfterBytes: 1_500 };

/** Short, because the test waits for it; long enough for a loopback connection on a busy machine. */
const idleTimeoutMs = 500;

export function connectionCases(subject: MatrixSubject): readonly MatrixCase[] {
  return [
    ...abortCases(subject),
    ...brokenCases(subject),
    silentHead(subject),
    whole(subject),
    reuse(subject),
    manyTurns(subject),
  ];
}

function abortCases(subject: MatrixSubject): readonly MatrixCase[] {
  return [
    {
      name: "abort before the request",
      run: () =>
        withMock([{ text: "Never asked." }], subject, async (mock, provider) => {
          const events = await collect(provider, undefined, AbortSignal.abort());
          lastFailure(events, "aborted");
          assert.equal(events.length, 1);
          assert.equal(mock.requests.length, 0);
        }),
    },
    {
      name: "abort before the first byte",
      run: () =>
        withMock([{ holdUntil: new Promise(() => {}) }], subject, async (mock, provider) => {
          const controller = new AbortController();
          const collected = collect(provider, undefined, controller.signal);
          await mock.waitForRequest(1);
          controller.abort();
          const events = await collected;
          lastFailure(events, "aborted");
          assert.equal(events.length, 1);
          await mock.waitForSocketsAtMost(0);
        }),
    },
    {
      name: "abort in the middle",
      run: () =>
        withMock([stalled], subject, async (mock, provider) => {
          const controller = new AbortController();
          lastFailure(await collect(provider, () => controller.abort(), controller.signal), "aborted");
          await mock.waitForSocketsAtMost(0);
        }),
    },
    {
      name: "abort after the last byte, before the end was reported",
      run: () =>
        withMock([{ text: "All of it." }], subject, async (_mock, provider) => {
          const controller = new AbortController();
          const events = await collect(provider, () => controller.abort(), controller.signal);
          assert.deepEqual(events[0], { type: "text-delta", text: "All of it." });
          lastFailure(events, "aborted");
          assert.equal(events.length, 2);
        }),
    },
    {
      name: "abort after the end changes nothing",
      run: () =>
        withMock([{ text: "All of it." }], subject, async (_mock, provider) => {
          const controller = new AbortController();
          const abortAtEnd = (event: ModelEvent) => {
            if (event.type === "end") controller.abort();
          };
          const events = await collect(provider, abortAtEnd, controller.signal);
          assert.deepEqual(
            events.map((event) => event.type),
            ["text-delta", "end"],
          );
        }),
    },
    {
      name: "a complete answer whose connection is never closed",
      run: () =>
        withMock([{ text: "All of it.", stallAfterBytes: 1_000_000 }], subject, async (mock, provider) => {
          assert.equal((await collect(provider)).at(-1)?.type, "end");
          await mock.waitForSocketsAtMost(0);
        }),
    },
    {
      name: "a consumer that leaves early",
      run: () =>
        withMock([stalled], subject, async (mock, provider) => {
          for await (const event of provider.stream(matrixRequest, new AbortController().signal)) {
            assert.equal(event.type, "text-delta");
            break;
          }
          await mock.waitForSocketsAtMost(0);
        }),
    },
  ];
}

function brokenCases(subject: MatrixSubject): readonly MatrixCase[] {
  return [
    {
      name: "connection refused",
      async run() {
        const mock = await startMockModel({ script: [], wires: [subject.wire] });
        await mock.close();
        const provider = subject.make({ baseUrl: mock.baseUrl, apiKey: matrixApiKey });
        const failure = lastFailure(await collect(provider), "connection_error");
        assert.ok(failure.retryable);
        assert.ok(failure.message.startsWith(`Cannot reach 127.0.0.1:${mock.port}: `), failure.message);
      },
    },
    {
      name: "connection dropped before the head of the answer",
      run: () =>
        withMock([{ dropAfterBytes: 0 }], subject, async (_mock, provider) => {
          assert.ok(lastFailure(await collect(provider), "stale_connection").retryable);
        }),
    },
    {
      name: "connection dropped in the middle, after what had arrived",
      run: () =>
        withMock([{ text: longText, dropAfterBytes: 1_500 }], subject, async (mock, provider) => {
          const events = await collect(provider);
          assert.equal(events[0]?.type, "text-delta");
          assert.ok(lastFailure(events, "stale_connection").retryable);
          await mock.waitForSocketsAtMost(0);
        }),
    },
    {
      name: "a stream that stalls is reported, then given up",
      async run() {
        const mock = await startMockModel({ script: [stalled], wires: [subject.wire] });
        try {
          const provider = subject.make({ baseUrl: mock.baseUrl, apiKey: matrixApiKey, idleTimeoutMs });
          const events = await collect(provider);
          assert.equal(events[0]?.type, "text-delta");
          assert.deepEqual(merged(events).slice(1, -1), [{ type: "stalled", idleMs: idleTimeoutMs / 2 }]);
          const failure = lastFailure(events, "api_timeout");
          assert.ok(failure.retryable);
          assert.equal(failure.requestId, matrixRequest.requestId);
          await mock.waitForSocketsAtMost(0);
        } finally {
          await mock.close();
        }
      },
    },
  ];
}

/** The answer begins only after the silence was reported, and then it counts like any other. */
function silentHead(subject: MatrixSubject): MatrixCase {
  return {
    name: "a silence before the answer is reported, and the answer is still read",
    async run() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const script = [{ text: "At last.", holdUntil: promise }];
      const mock = await startMockModel({ script, wires: [subject.wire] });
      try {
        // Long, because a busy machine must not take the answer for missing once it was let go.
        const options = { baseUrl: mock.baseUrl, apiKey: matrixApiKey, idleTimeoutMs: 4 * idleTimeoutMs };
        const events = await collect(subject.make(options), (event) => {
          if (event.type === "stalled") resolve();
        });
        assert.deepEqual(merged(events), [
          { type: "stalled", idleMs: 2 * idleTimeoutMs },
          { type: "text-delta", text: "At last." },
          { type: "end", stopReason: "end", usage: usualUsage },
        ]);
      } finally {
        await mock.close();
      }
    },
  };
}

/** The same turn, asked for in one piece, is reported like a streamed one. */
function whole(subject: MatrixSubject): MatrixCase {
  const request: ModelRequest & { readonly whole: true } = { ...matrixRequest, whole: true };
  const turn: MockTurn = { text: "All at once.", toolCalls: [{ name: "read", input: { filePath: "a.txt" } }] };
  return {
    name: "an answer that was asked for in one piece",
    run: () =>
      withMock([turn, turn], subject, async (mock, provider) => {
        const events: ModelEvent[] = [];
        for await (const event of provider.stream(request, new AbortController().signal)) events.push(event);
        const streamed = await collect(provider);
        assert.deepEqual(
          mock.requests.map((seen) => subject.wire.isStreaming(seen)),
          [false, true],
        );
        assert.deepEqual(contentOf(events), contentOf(streamed));
      }),
  };
}

/** Without what may differ: inputs on their way, and ids of calls, which tell from which answer they are. */
function contentOf(events: readonly ModelEvent[]): readonly ModelEvent[] {
  return merged(events.filter(({ type }) => type !== "tool-input-delta")).map((event) =>
    event.type === "tool-call" ? { ...event, call: { ...event.call, callId: "" } } : event,
  );
}

/** Each answer's end comes only with the next request, as slow as it can: two connections then take turns. */
function reuse(subject: MatrixSubject): MatrixCase {
  let endPrevious = () => {};
  const script = () => {
    endPrevious();
    const { promise, resolve } = Promise.withResolvers<void>();
    endPrevious = resolve;
    return { text: "Fine.", holdEndUntil: promise };
  };
  return {
    name: "turns that end well share their connections",
    run: () =>
      withMock(script, subject, async (mock, provider) => {
        for (let turn = 0; turn < 50; turn++) await collect(provider);
        assert.ok(mock.acceptedSockets() <= 3, `${mock.acceptedSockets()} connections`);
        endPrevious();
      }),
  };
}

/** Every way an answer can end, in turn: none may leave a connection behind. */
function manyTurns(subject: MatrixSubject): MatrixCase {
  const turnsMax = 200;
  const ends: readonly MockTurn[] = [
    { text: "Fine." },
    { toolCalls: [{ name: "read", input: {} }] },
    { status: 500, body: "{}" },
    { text: longText, dropAfterBytes: 900 },
    { text: "Broken.", malformedFrame: true },
    { text: "Fine again.", omitDone: true },
  ];
  const script = (_request: unknown, turnIndex: number) => ends[turnIndex % ends.length] ?? {};
  return {
    name: `${turnsMax} turns without growing connections`,
    run: () =>
      withMock(script, subject, async (mock, provider) => {
        for (let turn = 0; turn < turnsMax; turn++) await collect(provider);
        assert.equal(mock.requests.length, turnsMax);
        await mock.waitForSocketsAtMost(1);
      }),
  };
}
