/** Proves that something is read until it was read, whatever its attempts come to. */

import { type Failure, FailureError } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { createRereading } from "./rereading.ts";

const passing: Failure = { code: "connection_error", message: "It was cut.", retryable: true };
const lasting: Failure = { code: "not_found", message: "It is gone.", retryable: false };

type Attempt = PromiseWithResolvers<void> & { readonly signal: AbortSignal };

function bench(isOver: () => boolean = () => false) {
  const attempts: Attempt[] = [];
  const failures: string[] = [];
  const timers = new Map<() => void, number>();
  const rereading = createRereading({
    read(signal) {
      const attempt = { ...Promise.withResolvers<void>(), signal };
      attempts.push(attempt);
      return attempt.promise;
    },
    onFailed: ({ message }) => failures.push(message),
    isOver,
    after(ms, call) {
      const own = () => call();
      timers.set(own, ms);
      return () => timers.delete(own);
    },
  });
  /** The shortest of those that run: a pause, or the limit of an attempt. */
  function passTime(): number {
    const [next] = [...timers].sort(([, one], [, other]) => one - other);
    if (next === undefined) throw new Error("nothing waits for time to pass");
    timers.delete(next[0]);
    next[0]();
    return next[1];
  }
  return { rereading, attempts, failures, timers, passTime };
}

async function turns(): Promise<void> {
  for (let count = 0; count < 20; count += 1) await Promise.resolve();
}

async function outcome(promise: Promise<void>): Promise<string> {
  return promise.then(
    () => "read",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

test("an attempt that fails and may pass is followed by another one, after pauses that grow", async () => {
  const { rereading, attempts, failures, timers, passTime } = bench();
  const done = outcome(rereading.demand());
  const pauses: number[] = [];
  for (let count = 0; count < 7; count += 1) {
    attempts.at(-1)?.reject(new FailureError(passing));
    await turns();
    pauses.push(passTime());
    await turns();
  }
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  attempts.at(-1)?.resolve();
  expect([await done, attempts.length, failures.length, timers.size]).toEqual(["read", 8, 7, 0]);
});

test("one that fails for good ends it, and the next demand begins anew", async () => {
  const { rereading, attempts, timers } = bench();
  const first = outcome(rereading.demand());
  attempts[0]?.reject(new FailureError(lasting));
  expect([await first, timers.size]).toEqual(["It is gone.", 0]);
  const second = outcome(rereading.demand());
  attempts[1]?.resolve();
  expect(await second).toBe("read");
});

test("an attempt that hangs is broken off, and what it reads later does not count; each further one has twice the time", async () => {
  const { rereading, attempts, passTime } = bench();
  const done = outcome(rereading.demand());
  const limits: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    limits.push(passTime());
    await turns();
    passTime();
    await turns();
  }
  expect(limits).toEqual([20_000, 40_000, 80_000, 160_000, 160_000]);
  expect(attempts.map(({ signal }) => signal.aborted)).toEqual([true, true, true, true, true, false]);
  attempts[0]?.resolve();
  await turns();
  attempts[5]?.resolve();
  expect(await done).toBe("read");
});

test("who asks while something is read gets a read that began after the question", async () => {
  const { rereading, attempts } = bench();
  const first = outcome(rereading.demand());
  const second = outcome(rereading.demand());
  attempts[0]?.resolve();
  await turns();
  expect(attempts).toHaveLength(2);
  attempts[1]?.resolve();
  expect([await first, await second, attempts.length]).toEqual(["read", "read", 2]);
});

test("a lost connection breaks the attempt off, one that is back ends the pause", async () => {
  const { rereading, attempts, timers } = bench();
  const done = outcome(rereading.demand());
  rereading.breakOff();
  await turns();
  expect([attempts[0]?.signal.aborted, attempts.length]).toEqual([true, 1]);
  rereading.hasten();
  await turns();
  attempts[1]?.resolve();
  expect([await done, timers.size]).toEqual(["read", 0]);
});

test("nothing is tried again where nothing passes any more", async () => {
  const { rereading, attempts } = bench(() => true);
  const done = outcome(rereading.demand());
  attempts[0]?.reject(new FailureError(passing));
  expect(await done).toBe("It was cut.");
});

test("whoever waits is let go when it is stopped, in an attempt or in a pause", async () => {
  for (const isPausing of [false, true]) {
    const { rereading, attempts, timers } = bench();
    const done = outcome(rereading.demand());
    if (isPausing) attempts[0]?.reject(new FailureError(passing));
    await turns();
    rereading.stop();
    expect([await done, timers.size, attempts.length]).toEqual(["read", 0, 1]);
    expect(await outcome(rereading.demand())).toBe("read");
    expect(attempts).toHaveLength(1);
  }
});

const seed = process.env["KEDGE_TEST_SEED"] ?? "1";

test(`whatever happens in whatever order, every demand is met by a read that began after it (seed ${seed})`, async () => {
  const random = createSeededRandom(seed);
  for (let round = 0; round < 200; round += 1) {
    const { rereading, attempts, timers, passTime } = bench();
    const demands: { readonly after: number; readonly done: Promise<string> }[] = [];
    const read = new Set<number>();
    const open = () => attempts.findIndex(({ signal }) => !signal.aborted);
    for (let step = 0; step < 30; step += 1) {
      const at = open();
      const kind = random.below(6);
      if (kind === 0) demands.push({ after: attempts.length, done: outcome(rereading.demand()) });
      if (kind === 1 && at >= 0) {
        read.add(at);
        attempts[at]?.resolve();
      }
      if (kind === 2 && at >= 0) attempts[at]?.reject(new FailureError(passing));
      if (kind === 3) rereading.breakOff();
      if (kind === 4) rereading.hasten();
      if (kind === 5 && timers.size > 0) passTime();
      await turns();
    }
    // From here on everything succeeds.
    for (let at = open(); at >= 0 || timers.size > 0; at = open()) {
      if (at < 0) rereading.hasten();
      else {
        read.add(at);
        attempts[at]?.resolve();
      }
      await turns();
    }
    for (const { after, done } of demands) {
      expect(await done).toBe("read");
      expect([...read].some((at) => at >= after)).toBe(true);
    }
    expect([timers.size, attempts.every(({ signal }) => signal.aborted)]).toEqual([0, true]);
  }
});
