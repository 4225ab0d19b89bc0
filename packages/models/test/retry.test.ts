/** Proves, rule by rule and over real HTTP, what happens to a request whose attempts fail. */
import { getEventListeners } from "node:events";
import type { Failure, ModelEvent } from "@kedge/protocol";
import { chatMockWire, type MockTurn } from "@kedge/testing";
import { afterEach, describe, expect, test } from "vitest";
import { createRetryingProvider } from "../src/retry/retrying-provider.ts";
import { waitMs } from "../src/retry/wait.ts";
import { collect, lineOf, type Rig, type RigOptions, request, startMs, startRig, status } from "./retry-rig.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start(options: RigOptions): Promise<Rig> {
  const rig = await startRig(options);
  closers.push(rig.mock.close);
  return rig;
}

const fine: MockTurn = { text: "Fine." };
const answered = ["Fine.", "end"];
const repeat = (turn: MockTurn, count: number) => Array.from({ length: count }, () => turn);
const withFields = (fields: Partial<Failure>) => (failure: Failure) => ({ ...failure, ...fields });

describe("an attempt that failed", () => {
  test("is not repeated when the first one succeeds", async () => {
    const rig = await start({ script: [fine] });
    expect(await collect(rig)).toEqual(answered);
    expect([rig.waits, rig.asked]).toEqual([[], [request]]);
  });

  test("is repeated after delays that double up to half a minute, ten times at most", async () => {
    const rig = await start({ script: repeat(status(500), 20) });
    const delays = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000];
    expect(await collect(rig)).toEqual([
      ...delays.map((delayMs, index) => `retrying ${index + 1}/10 in ${delayMs}: server_error`),
      "failed: server_error, retryable",
    ]);
    expect([rig.waits, rig.mock.requests.length]).toEqual([delays, 10]);
  });

  test("is repeated with the same bytes, and a quarter of the delay left to chance", async () => {
    const rig = await start({ script: [status(500), status(502), fine], random: () => 0.8 });
    expect(await collect(rig)).toEqual([
      "retrying 1/10 in 600: server_error",
      "retrying 2/10 in 1200: server_error",
      ...answered,
    ]);
    const [first, ...others] = rig.mock.requests.map(({ raw }) => raw.toString());
    expect(others).toEqual([first, first]);
    expect(rig.mock.requests.map(({ headers }) => headers["x-client-request-id"])).toEqual(["req-1", "req-1", "req-1"]);
  });

  test.each([
    [400, "bad_request"],
    [404, "invalid_model"],
    [413, "request_too_large"],
  ])("with status %i is told at once", async (code, expected) => {
    const rig = await start({ script: [status(code), fine] });
    expect(await collect(rig)).toEqual([`failed: ${expected}`]);
    expect([rig.waits, rig.mock.requests.length]).toEqual([[], 1]);
  });

  test.each([408, 409, 429, 500, 503, 529])("with status %i is repeated", async (code) => {
    const rig = await start({ script: [status(code), fine] });
    expect((await collect(rig)).slice(1)).toEqual(answered);
    expect(rig.waits).toEqual([500]);
  });

  test("waits as long as the vendor asks", async () => {
    const rig = await start({ script: [status(429), fine], amend: withFields({ retryAfterMs: 7_000 }) });
    expect(await collect(rig)).toEqual(["retrying 1/10 in 7000: rate_limit", ...answered]);
    expect(rig.waits).toEqual([7_000]);
  });

  test.each([
    ["an hour, which nobody sits through", { retryAfterMs: 3_600_000 }],
    ["until a limit is lifted in more than a minute", { resetAtMs: startMs + 60_001 }],
  ])("is told when the vendor asks to wait %s", async (_name, fields) => {
    const rig = await start({ script: [status(429), fine], amend: withFields(fields) });
    expect(await collect(rig)).toEqual(["failed: rate_limit, retryable"]);
    expect(rig.waits).toEqual([]);
  });

  test("waits until the moment at which a limit is lifted, if it is near", async () => {
    const fields = { resetAtMs: startMs + 60_000, retryAfterMs: 1_000 };
    const rig = await start({ script: [status(429), fine], amend: withFields(fields) });
    expect(await collect(rig)).toEqual(["retrying 1/10 in 60000: rate_limit", ...answered]);
    expect(rig.waits).toEqual([60_000]);
  });

  test("of a quota is told, unless it is filled again within a minute", async () => {
    const code = "quota_exhausted";
    const amend = (failure: Failure, n: number): Failure =>
      n === 1
        ? { ...failure, code, retryable: false, resetAtMs: startMs + 9_000 }
        : { ...failure, code, retryable: false };
    const rig = await start({ script: repeat(status(429), 2), amend });
    expect(await collect(rig)).toEqual([`retrying 1/10 in 9000: ${code}`, `failed: ${code}`]);
  });

  test("reads how long to wait from real headers", async () => {
    const script = [{ ...status(429), headers: { "retry-after": "7" } }, fine];
    const rig = await start({ script });
    expect(await collect(rig)).toEqual(["retrying 1/10 in 7000: rate_limit", ...answered]);
  });

  test("after something of its answer was reported is told as it is", async () => {
    const rig = await start({ script: [{ text: "Half of a text. ".repeat(90), dropAfterBytes: 1_500 }, fine] });
    const lines = await collect(rig);
    expect(lines.at(-1)).toBe("failed: stale_connection, retryable");
    expect(lines.filter((line) => line.startsWith("retrying"))).toEqual([]);
    expect(rig.mock.requests).toHaveLength(1);
  });
});

describe("overload", () => {
  const first = "retrying 1/10 in 500: server_overload";
  const second = "retrying 2/10 in 1000: server_overload";

  test("is told as such the third time in a row", async () => {
    const rig = await start({ script: repeat(status(529), 9) });
    expect(await collect(rig)).toEqual([first, second, "failed: repeated_overload"]);
    expect(rig.mock.requests).toHaveLength(3);
    // Whoever asks again gets three attempts again.
    expect(await collect(rig)).toEqual([first, second, "failed: repeated_overload"]);
  });

  test("inside a stream that had begun well counts as well", async () => {
    const overloaded = chatMockWire.streamedError({ type: "overloaded_error", message: "Too busy." });
    const rig = await start({ script: repeat({ body: overloaded, contentType: "text/event-stream" }, 3) });
    expect(await collect(rig)).toEqual([first, second, "failed: repeated_overload"]);
  });

  test("is counted over requests, until one succeeds", async () => {
    const script = [status(529), status(529), fine, status(529), status(529), status(400), status(529)];
    const rig = await start({ script });
    expect(await collect(rig)).toEqual([first, second, ...answered]);
    expect(await collect(rig)).toEqual([first, second, "failed: bad_request"]);
    expect(await collect(rig)).toEqual(["failed: repeated_overload"]);
  });

  test("that several requests under way meet at once counts once", async () => {
    const all = Promise.withResolvers<void>();
    let asked = 0;
    const script = () => {
      asked += 1;
      if (asked === 5) all.resolve();
      return asked <= 5 ? { ...status(529), holdUntil: all.promise } : fine;
    };
    const rig = await start({ script });
    const ends = await Promise.all(Array.from({ length: 5 }, () => collect(rig)));
    expect(ends).toEqual(Array.from({ length: 5 }, () => [first, ...answered]));
  });

  test("of a source that nobody waits for is told at once", async () => {
    const rig = await start({ script: [status(529), fine] });
    expect(await collect(rig, { source: "background" })).toEqual(["failed: server_overload, retryable"]);
    expect(rig.mock.requests).toHaveLength(1);
  });

  test.each(["main", "subagent", "fork", "compaction"] as const)("of the source %s is repeated", async (source) => {
    const rig = await start({ script: [status(529), fine] });
    expect(await collect(rig, { source })).toEqual([first, ...answered]);
  });
});

describe("rejected credentials", () => {
  const rejected = "retrying 1/10 in 0: invalid_api_key";

  test("are refreshed, and the request is repeated", async () => {
    const seen: string[] = [];
    const refreshCredentials = async ({ code }: Failure) => seen.push(code) > 0;
    const rig = await start({ script: [status(401), fine], refreshCredentials });
    expect(await collect(rig)).toEqual([rejected, ...answered]);
    expect([seen, rig.waits]).toEqual([["invalid_api_key"], []]);
  });

  test.each(["token_revoked", "token_expired"] as const)("of the code %s are refreshed too", async (code) => {
    const options = { amend: withFields({ code }), refreshCredentials: async () => true };
    const rig = await start({ script: [status(403), fine], ...options });
    expect(await collect(rig)).toEqual([`retrying 1/10 in 0: ${code}`, ...answered]);
  });

  test("are refreshed once: the second time the user is asked to log in", async () => {
    const rig = await start({ script: repeat(status(401), 3), refreshCredentials: async () => true });
    const events: ModelEvent[] = [];
    for await (const event of rig.provider.stream(request, new AbortController().signal)) events.push(event);
    expect(events.map(lineOf)).toEqual([rejected, "failed: auth_error"]);
    expect(events.at(-1)).toMatchObject({ failure: { recovery: 'Run "kedge auth login".', status: 401 } });
  });

  test.each([
    ["cannot be refreshed", {}],
    ["were not refreshed", { refreshCredentials: async () => false }],
  ])("that %s are told as they are", async (_name, options) => {
    const rig = await start({ script: [status(401), fine], ...options });
    expect(await collect(rig)).toEqual(["failed: invalid_api_key"]);
  });
});

describe("connections", () => {
  test("that were reset are not kept any more, and the request is repeated at once", async () => {
    const rig = await start({ script: [fine, { dropAfterBytes: 0 }, fine, fine] });
    expect(await collect(rig)).toEqual(answered);
    expect(rig.mock.acceptedSockets()).toBe(1);
    expect(await collect(rig)).toEqual(["retrying 1/10 in 0: stale_connection", ...answered]);
    expect(await collect(rig)).toEqual(answered);
    expect(rig.mock.acceptedSockets()).toBe(3);
    await rig.mock.waitForSocketsAtMost(0);
    const said = rig.mock.requests.map(({ headers }) => headers.connection);
    expect(said).toEqual(["keep-alive", "keep-alive", "close", "close"]);
  });

  test("that fail twice lead to one request for the answer in one piece", async () => {
    const rig = await start({ script: [...repeat({ dropAfterBytes: 0 }, 3), fine] });
    expect(await collect(rig)).toEqual([
      "retrying 1/10 in 0: stale_connection",
      "retrying 2/10 in 1000: stale_connection",
      "retrying 3/10 in 2000: stale_connection",
      ...answered,
    ]);
    expect(rig.mock.requests.map(({ body }) => body.stream)).toEqual([true, true, false, true]);
  });

  test("whose streams stay empty count as failed too", async () => {
    const empty = { body: chatMockWire.emptyStream, contentType: "text/event-stream" };
    const rig = await start({ script: [empty, empty, fine] });
    expect((await collect(rig)).slice(2)).toEqual(answered);
    expect(rig.asked.map(({ whole }) => whole)).toEqual([undefined, undefined, true]);
  });

  test("that fall silent are reported, given up, and the answer is asked for in one piece", async () => {
    const script = [{ text: "Never seen.", stallAfterBytes: 0 }, fine];
    const rig = await start({ script, wire: { idleTimeoutMs: 300, idleWarningMs: 200 } });
    expect(await collect(rig)).toEqual(["stalled 200", "retrying 1/10 in 500: api_timeout", ...answered]);
    const [first, second] = rig.mock.requests;
    expect([first?.body.stream, second?.body.stream]).toEqual([true, false]);
    expect([first?.headers.accept, second?.headers.accept]).toEqual(["text/event-stream", "application/json"]);
    // Both ask for the same conversation, in the same bytes.
    expect(second?.body.messages).toEqual(first?.body.messages);
  });

  test("do not grow in number over many failing turns", async () => {
    const ends: readonly MockTurn[] = [fine, status(500), { dropAfterBytes: 0 }, status(529), fine];
    const rig = await start({ script: (_request, index) => ends[index % ends.length] ?? fine });
    for (let turn = 0; turn < 200; turn++) expect((await collect(rig)).slice(-2)).toEqual(answered);
    await rig.mock.waitForSocketsAtMost(0);
  });
});

describe("a conversation that leaves too little room for the answer", () => {
  const overflow = (inputTokens: number) => withFields({ overflow: { inputTokens, limitTokens: 200_000 } });

  test("is sent again with a shorter answer", async () => {
    const rig = await start({ script: [status(400), fine], amend: overflow(180_000) });
    expect(await collect(rig)).toEqual(["retrying 1/10 in 0: bad_request", ...answered]);
    expect(rig.mock.requests.map(({ body }) => body.max_tokens)).toEqual([32_000, 19_000]);
  });

  test("is recognised by what a real vendor says", async () => {
    const message =
      "input length and `max_tokens` exceed context limit: 180000 + 32000 > 200000, decrease input length";
    const rig = await start({ script: [status(400, { type: "invalid_request_error", message }), fine] });
    expect(await collect(rig)).toEqual(["retrying 1/10 in 0: prompt_too_long", ...answered]);
    expect(rig.asked.map(({ outputTokensMax }) => outputTokensMax)).toEqual([32_000, 19_000]);
  });

  test.each([
    ["for an answer of the least length", 196_000, {}, 3_000],
    ["for less than that", 196_001, {}, undefined],
    ["for no more than the thinking", 180_000, { reasoning: { tokensMax: 18_999 } }, undefined],
    ["for a little more than the thinking", 180_000, { reasoning: { tokensMax: 18_998 } }, 19_000],
    ["for what was asked already", 160_000, {}, undefined],
  ])("with room %s", async (_name, inputTokens, changes, expected) => {
    const rig = await start({ script: [status(400), fine], amend: overflow(inputTokens) });
    const lines = await collect(rig, changes);
    expect(lines.at(-1)).toBe(expected === undefined ? "failed: prompt_too_long" : "end");
    expect(rig.mock.requests.at(1)?.body.max_tokens).toBe(expected);
  });
});

describe("an abort", () => {
  test("while the pause lasts ends it at once", async () => {
    const controller = new AbortController();
    const rig = await start({ script: [status(500), fine], onWait: () => controller.abort() });
    expect(await collect(rig, { signal: controller.signal })).toEqual([
      "retrying 1/10 in 500: server_error",
      "failed: aborted",
    ]);
    expect(rig.mock.requests).toHaveLength(1);
  });

  test("before the pause sleeps nothing", async () => {
    const controller = new AbortController();
    const rig = await start({ script: [status(500), fine] });
    const lines: string[] = [];
    for await (const event of rig.provider.stream(request, controller.signal)) {
      lines.push(lineOf(event));
      controller.abort();
    }
    expect(lines).toEqual(["retrying 1/10 in 500: server_error", "failed: aborted"]);
    expect(rig.waits).toEqual([]);
  });

  test("of the request itself is not repeated", async () => {
    const controller = new AbortController();
    const rig = await start({ script: [{ holdUntil: new Promise(() => {}) }, fine] });
    const collected = collect(rig, { signal: controller.signal });
    await rig.mock.waitForRequest(1);
    controller.abort();
    expect(await collected).toEqual(["failed: aborted"]);
    await rig.mock.waitForSocketsAtMost(0);
  });

  test("wakes the real timer; neither timer nor listener is left behind", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const controller = new AbortController();
    const waiting = waitMs(3_600_000, controller.signal);
    expect(timers()).toBe(before + 1);
    controller.abort();
    await waiting;
    await waitMs(3_600_000, controller.signal);
    const { signal } = new AbortController();
    await waitMs(1, signal);
    expect([timers(), getEventListeners(signal, "abort")]).toEqual([before, []]);
  });
});

test("a consumer that leaves during the pause or the answer leaves no connection behind", async () => {
  const rig = await start({ script: [status(500), { text: "Half. ".repeat(400), stallAfterBytes: 1_500 }] });
  for await (const event of rig.provider.stream(request, new AbortController().signal)) {
    expect(event.type).toBe("retrying");
    break;
  }
  for await (const event of rig.provider.stream(request, new AbortController().signal)) {
    expect(event.type).toBe("text-delta");
    break;
  }
  await rig.mock.waitForSocketsAtMost(0);
});

test("notices come before the end, also before one that is repeated", async () => {
  const watchLimits = (headers: { readonly [name: string]: string | undefined }) => headers["x-notice"];
  const script = [
    { ...status(500), headers: { "x-notice": "Nearly used up." } },
    { ...fine, headers: { "x-notice": "Still so." } },
  ];
  const rig = await start({ script, wire: { watchLimits } });
  expect(await collect(rig)).toEqual([
    "notice: Nearly used up.",
    "retrying 1/10 in 500: server_error",
    "Fine.",
    "notice: Still so.",
    "end",
  ]);
});

test("a bug in the provider is thrown, not repeated", async () => {
  const provider = createRetryingProvider({
    provider: {
      stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("A bug.")) }) }),
      useFreshConnections: () => {},
    },
    clock: { now: () => startMs },
    random: () => 0,
    wait: async () => {},
    unattended: false,
  });
  await expect(collect({ provider })).rejects.toThrow("A bug.");
});
