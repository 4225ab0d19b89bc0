/** Proves how long a run that nobody watches waits for a vendor, on a clock that only waiting moves. */
import type { Failure } from "@kedge/protocol";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { collect, type Rig, type RigOptions, startMs, startRig, status } from "./retry-rig.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start(options: RigOptions): Promise<Rig> {
  const rig = await startRig({ unattended: true, ...options });
  closers.push(rig.mock.close);
  return rig;
}

const fine: MockTurn = { text: "Fine." };
const answered = ["Fine.", "end"];
const hourMs = 3_600_000;
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

test.each([
  [429, "rate_limit"],
  [529, "server_overload"],
])("status %i is repeated without limit", async (code, expected) => {
  const rig = await start({ script: [...Array.from({ length: 12 }, () => status(code)), fine] });
  const delays = [500, 1_000, 2_000, 4_000, 8_000, 16_000, ...Array.from({ length: 6 }, () => 30_000)];
  expect(await collect(rig)).toEqual([
    ...delays.map((delayMs, index) => `retrying ${index + 1}/∞ in ${delayMs}: ${expected}`),
    ...answered,
  ]);
  expect(rig.waits).toEqual(delays);
});

test("other failures keep their limit, whatever came between", async () => {
  const script = (_request: unknown, index: number) => (index < 12 ? status(429) : status(500));
  const rig = await start({ script });
  expect((await collect(rig)).slice(12)).toEqual([
    ...Array.from({ length: 9 }, (_, index) => `retrying ${13 + index}/10 in 30000: server_error`),
    "failed: server_error, retryable",
  ]);
});

test("long sleeps are split, and each piece tells how much is left", async () => {
  const amend = (failure: Failure) => ({ ...failure, retryAfterMs: 70_000 });
  const rig = await start({ script: [status(429), fine], amend });
  expect(await collect(rig)).toEqual([
    "retrying 1/∞ in 70000: rate_limit",
    "retrying 1/∞ in 40000: rate_limit",
    "retrying 1/∞ in 10000: rate_limit",
    ...answered,
  ]);
  expect(rig.waits).toEqual([30_000, 30_000, 10_000]);
});

test("a single delay is five minutes at most", async () => {
  const amend = (failure: Failure) => ({ ...failure, retryAfterMs: hourMs });
  const rig = await start({ script: [status(429), fine], amend });
  expect((await collect(rig))[0]).toBe("retrying 1/∞ in 300000: rate_limit");
  expect(rig.waits).toEqual(Array.from({ length: 10 }, () => 30_000));
});

test("a limit that is lifted in hours is waited for", async () => {
  const amend = (failure: Failure) => ({ ...failure, resetAtMs: startMs + 5 * hourMs });
  const rig = await start({ script: [status(429), fine], amend });
  expect((await collect(rig)).slice(-2)).toEqual(answered);
  expect(rig.waits).toEqual(Array.from({ length: 600 }, () => 30_000));
});

test("a quota is waited for when it is known when it is filled", async () => {
  const quota = { code: "quota_exhausted", retryable: false, resetAtMs: startMs + hourMs } as const;
  const rig = await start({ script: [status(429), fine], amend: (failure) => ({ ...failure, ...quota }) });
  const lines = await collect(rig);
  expect([lines[0], ...lines.slice(-2)]).toEqual([`retrying 1/∞ in ${hourMs}: quota_exhausted`, ...answered]);
  expect(sum(rig.waits)).toBe(hourMs);
});

test("all waiting for one request is six hours at most", async () => {
  const amend = (failure: Failure) => ({ ...failure, retryAfterMs: 290_000 });
  const rig = await start({ script: () => status(429), amend });
  const lines = await collect(rig);
  expect(lines.at(-1)).toBe("failed: rate_limit, retryable");
  expect(sum(rig.waits)).toBe(6 * hourMs);
  expect(rig.mock.requests).toHaveLength(Math.ceil((6 * hourMs) / 290_000) + 1);
});

test("the next request may wait as long again", async () => {
  const amend = (failure: Failure) => ({ ...failure, resetAtMs: startMs + 100 * hourMs });
  const rig = await start({ script: () => status(429), amend });
  for (let turn = 1; turn <= 2; turn++) {
    expect((await collect(rig)).at(-1)).toBe("failed: rate_limit, retryable");
    expect(sum(rig.waits)).toBe(turn * 6 * hourMs);
  }
});

test("a source that nobody waits for still does not add to an overload", async () => {
  const rig = await start({ script: [status(529), fine] });
  expect(await collect(rig, { source: "background" })).toEqual(["failed: server_overload, retryable"]);
});

test("an abort between two pieces ends the wait", async () => {
  const controller = new AbortController();
  const amend = (failure: Failure) => ({ ...failure, retryAfterMs: 70_000 });
  const rig: Rig = await start({
    script: [status(429), fine],
    amend,
    onWait: () => {
      if (rig.waits.length === 2) controller.abort();
    },
  });
  expect(await collect(rig, { signal: controller.signal })).toEqual([
    "retrying 1/∞ in 70000: rate_limit",
    "retrying 1/∞ in 40000: rate_limit",
    "failed: aborted",
  ]);
  expect(rig.mock.requests).toHaveLength(1);
});
