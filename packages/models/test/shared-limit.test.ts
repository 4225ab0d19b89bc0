/** What several requests to one model share of a limit: one of them is told of it, and all wait. */
import { afterEach, describe, expect, test } from "vitest";
import { createRetryWaits } from "../src/retry/retry-waits.ts";
import { collect, type Rig, type RigOptions, request, startMs, startRig, status } from "./retry-rig.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start(options: RigOptions): Promise<Rig> {
  const rig = await startRig(options);
  closers.push(rig.mock.close);
  return rig;
}

const fine = { text: "Fine." };
const answered = ["Fine.", "end"];

describe("a limit that the vendor told one request", () => {
  const limited = { ...status(429), headers: { "retry-after": "7" } };
  const told = "retrying 1/10 in 7000: rate_limit";
  const held = "notice: Waiting 7 s: the provider limits requests to a.";
  const next = { conversationId: "ses_2", requestId: "req-2" };

  /** The second request begins while the first one waits, with that many milliseconds gone. */
  async function whileWaiting(change: Parameters<typeof collect>[1], goneMs = 0, more: Partial<RigOptions> = {}) {
    const asked = Promise.withResolvers<void>();
    const lifted = Promise.withResolvers<void>();
    let nowMs = startMs;
    const waits: number[] = [];
    const rig = await start({
      script: [limited, fine, fine],
      clock: { now: () => nowMs },
      async wait(delayMs, signal) {
        waits.push(delayMs);
        asked.resolve();
        if (waits.length === 1) await lifted.promise;
        else if (!signal.aborted) nowMs += delayMs;
      },
      ...more,
    });
    const one = collect(rig);
    await asked.promise;
    nowMs += goneMs;
    const other = await collect(rig, change);
    lifted.resolve();
    return { one: await one, other, waits, requests: rig.mock.requests.length };
  }

  test("is waited for by the others before they ask", async () => {
    const { one, other, waits, requests } = await whileWaiting(next);
    expect(one).toEqual([told, ...answered]);
    expect(other).toEqual([held, ...answered]);
    expect([waits, requests]).toEqual([[7_000, 7_000], 3]);
  });

  test("is waited for as long as it lasts, and spread over a moment", async () => {
    const { other, waits } = await whileWaiting(next, 3_000, { random: () => 0.5 });
    expect(other[0]).toBe("notice: Waiting 5 s: the provider limits requests to a.");
    expect(waits).toEqual([7_000, 4_500]);
  });

  test("is over when its time has passed, and is not one of another model", async () => {
    expect((await whileWaiting(next, 7_000)).other).toEqual(answered);
    const model = { ...request.model, ref: "mock/b", id: "b" };
    expect((await whileWaiting({ ...next, model })).other).toEqual(answered);
  });

  test("of minutes holds the others back for one minute at most", async () => {
    const script = [{ ...status(429), headers: { "retry-after": "300" } }, fine, fine];
    expect((await whileWaiting(next, 0, { script })).waits).toEqual([300_000, 60_000]);
  });

  test("is not waited for after the wait of its conversation was ended, or the request aborted", async () => {
    const waits = createRetryWaits();
    const events: string[] = [];
    const rig = await start({
      script: [limited, fine],
      waits,
      wait: async (_, signal) => {
        events.push(signal.aborted ? "ended" : "waits");
        // The one that was limited stops waiting as well, so the time never comes.
        waits.hasten("ses_1");
      },
    });
    await collect(rig);
    const signal = AbortSignal.abort();
    expect(await collect(rig, { ...next, signal })).toEqual([held, "failed: aborted"]);
    expect(events).toEqual(["waits"]);
    expect(waits.hasten("ses_2")).toBe(false);
  });

  test("is one that the vendor named: a delay of our own holds nobody back", async () => {
    const rig = await start({ script: [status(429), fine, fine], wait: async () => undefined });
    await collect(rig);
    expect(await collect(rig, next)).toEqual(answered);
  });
});
