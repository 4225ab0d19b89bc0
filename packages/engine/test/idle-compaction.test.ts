/** Proves that a large conversation is summarised after a while without activity, by a timer that the test turns. */
import { expect, test } from "vitest";
import {
  answer,
  compactions,
  contextFacts,
  openSite,
  type Site,
  type SiteOptions,
  summaryText,
  words,
} from "./compaction-site.ts";

type Timer = { readonly work: () => void; readonly delayMs: number; isStopped: boolean };

type IdleSite = Site & {
  /** All timers that were ever started. */
  readonly timers: readonly Timer[];
  /** Lets the one that still runs come to its end. */
  ring(): void;
};

const idle = { enabled: true, thresholdTokens: 5_000, seconds: 300 };

function open(settings: Partial<typeof idle> = {}, options: Partial<SiteOptions> = {}): IdleSite {
  const timers: Timer[] = [];
  const site = openSite({
    turns: [answer("One done."), answer("Two done.", 6_000), answer("Three done.")],
    summaries: [answer(summaryText)],
    compaction: { settings: { idle: { ...idle, ...settings } } },
    ...options,
    parts: {
      ...options.parts,
      startTimer: (work, delayMs) => {
        const timer: Timer = { work, delayMs, isStopped: false };
        timers.push(timer);
        return () => {
          timer.isStopped = true;
        };
      },
    },
  });
  return {
    ...site,
    timers,
    ring() {
      const last = timers.at(-1);
      if (last === undefined || last.isStopped) throw new Error("nothing is waited for");
      last.isStopped = true;
      last.work();
    },
  };
}

async function twoTurns(site: IdleSite): Promise<string> {
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, `One: ${words(500)}`);
  await site.harness.prompt(sessionId, "Two");
  // The end of a run is published in the moment before it is put away.
  await site.harness.engine.send({ type: "context.inspect", sessionId });
  return sessionId;
}

test("over its threshold it is summarised once the time is over, and nothing goes on by itself", async () => {
  const site = open();
  await twoTurns(site);
  expect(site.timers.map(({ delayMs, isStopped }) => ({ delayMs, isStopped }))).toEqual([
    { delayMs: 300_000, isStopped: true },
    { delayMs: 300_000, isStopped: false },
  ]);
  const count = site.harness.facts().length;
  site.ring();
  await site.harness.waitForFact("context.compacted");
  expect(site.harness.facts().slice(count)).toMatchObject([
    { type: "context.compacted", trigger: "idle", strategy: "summary", boundary: { trigger: "idle" } },
  ]);
  expect(site.asked).toHaveLength(2);
});

test("below its threshold, switched off, or with all automatic work switched off, nothing is summarised", async () => {
  const small = open({ thresholdTokens: 6_000 });
  await twoTurns(small);
  small.ring();
  const strategy = open({}, { compaction: { settings: { idle, strategy: "off" } } });
  await twoTurns(strategy);
  strategy.ring();
  for (const site of [small, strategy]) {
    await site.harness.prompt("ses_1", "Three");
    expect(contextFacts(site.harness.facts())).toEqual([]);
    expect(site.summaries).toEqual([]);
  }
  const off = open({ enabled: false });
  await twoTurns(off);
  expect(off.timers).toEqual([]);
});

test("while a run is under way nobody waits, and a prompt that comes during the summary is answered after it", async () => {
  const site: IdleSite = open(
    {},
    {
      summaries: [
        () => {
          void site.harness.submit("ses_1", "Three");
          return answer(summaryText);
        },
      ],
    },
  );
  await twoTurns(site);
  site.ring();
  await site.harness.waitForFact("run.ended", 3);
  expect(compactions(site.harness.facts()).map(({ trigger }) => trigger)).toEqual(["idle"]);
  expect(site.asked).toHaveLength(3);
  const { engine } = site.harness;
  await engine.close();
  expect(site.timers.every(({ isStopped }) => isStopped)).toBe(true);
});
