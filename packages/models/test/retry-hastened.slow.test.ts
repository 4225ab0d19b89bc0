/** Proves that a wait before the next attempt ends when somebody wants it to, and that nothing else changes by it. */
import type { Failure } from "@kedge/protocol";
import { afterEach, expect, test } from "vitest";
import { createRetryWaits } from "../src/retry/retry-waits.ts";
import { waitMs } from "../src/retry/wait.ts";
import { lineOf, request, startRig, status } from "./retry-rig.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const hourMs = 3_600_000;
const amend = (failure: Failure) => ({ ...failure, retryAfterMs: hourMs / 10 });

async function start(options: { readonly unattended: boolean }) {
  const waits = createRetryWaits();
  const script = [status(429), { text: "Fine." }];
  const rig = await startRig({ script, amend, waits, wait: waitMs, ...options });
  closers.push(rig.mock.close);
  return { rig, waits };
}

test.each([
  [{ unattended: false }, "retrying 1/10 in 360000: rate_limit"],
  // All pieces of a long wait end, not only the one that is slept just now.
  [{ unattended: true }, "retrying 1/∞ in 300000: rate_limit"],
])("the whole wait ends at once: %o", async (options, retrying) => {
  const { rig, waits } = await start(options);
  const events = rig.provider.stream(request, new AbortController().signal)[Symbol.asyncIterator]();
  const first = await events.next();
  expect(first.done === true ? "" : lineOf(first.value)).toBe(retrying);
  const second = events.next();
  expect([waits.hasten("ses_2"), waits.hasten("ses_1"), waits.hasten("ses_1")]).toEqual([false, true, false]);
  const answer = await second;
  expect(answer.done === true ? "" : lineOf(answer.value)).toBe("Fine.");
  await events.return?.();
  expect(rig.mock.requests.length).toBe(2);
});

test("a wait can be ended from the moment it is announced", async () => {
  const { rig, waits } = await start({ unattended: false });
  const lines: string[] = [];
  for await (const event of rig.provider.stream(request, new AbortController().signal)) {
    lines.push(lineOf(event));
    if (event.type === "retrying") expect(waits.hasten("ses_1")).toBe(true);
  }
  expect(lines).toEqual(["retrying 1/10 in 360000: rate_limit", "Fine.", "end"]);
});

test("nothing waits after an abort, after somebody left, or once the attempt has begun", async () => {
  const aborted = await start({ unattended: false });
  const controller = new AbortController();
  const lines: string[] = [];
  for await (const event of aborted.rig.provider.stream(request, controller.signal)) {
    lines.push(lineOf(event));
    controller.abort();
  }
  expect(lines).toEqual(["retrying 1/10 in 360000: rate_limit", "failed: aborted"]);
  expect([aborted.waits.hasten("ses_1"), aborted.rig.mock.requests.length]).toEqual([false, 1]);

  const left = await start({ unattended: false });
  for await (const event of left.rig.provider.stream(request, new AbortController().signal)) {
    if (event.type === "retrying") break;
  }
  expect([left.waits.hasten("ses_1"), left.rig.mock.requests.length]).toEqual([false, 1]);

  const begun = await start({ unattended: false });
  for await (const event of begun.rig.provider.stream(request, new AbortController().signal)) {
    expect(begun.waits.hasten("ses_1")).toBe(event.type === "retrying");
  }
});
