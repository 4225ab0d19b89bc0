/** Proves the spending limits: windows in local time, several processes on one ledger, warnings, refusals and what is left. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Model, type ModelEvent, type ModelRequest, type Models, noUsage, type Provider } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lateSpending } from "./late-spending.ts";
import { openSpending } from "./open-spending.ts";
import { readSpendingLimits, type SpendingLimits } from "./spending-settings.ts";
import { dayWindow, monthWindow } from "./spending-windows.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kedge-spending-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const noon = new Date(2026, 10, 18, 12).getTime();
const dayMs = 24 * 60 * 60 * 1000;
const model: Model = { ref: "a/m", provider: "a", id: "m", contextTokens: 1000, outputTokensMax: 100 };
const request = { model } as ModelRequest;

/** Every request costs one dollar per output token; a model named `free` has no known price. */
function modelsOf(provider: Provider): Models {
  return {
    find: async (ref) => ({ ok: true, model: { ...model, ref }, provider }),
    cost: ({ ref }, { output }) => (ref === "a/free" ? { usd: 0, estimated: true } : { usd: output, estimated: false }),
  };
}

const paid = (usd: number): Provider => ({
  async *stream() {
    yield { type: "end", stopReason: "end", usage: { ...noUsage, output: usd } } as ModelEvent;
  },
});

function open(limits: Omit<SpendingLimits, "monthStart"> & { monthStart?: number }, now: () => number = () => noon) {
  const spending = openSpending({ limits: { monthStart: 1, ...limits }, directory, now });
  async function call(usd: number, ref = "a/m"): Promise<readonly ModelEvent[]> {
    const found = await spending.limit(modelsOf(paid(usd))).find(ref);
    if (!found.ok) throw new Error(found.failure.message);
    return collected(found.provider, { ...request, model: found.model });
  }
  return { ...spending, call };
}

async function collected(provider: Provider, wanted: ModelRequest): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(wanted, new AbortController().signal)) events.push(event);
  return events;
}

test("windows begin at local midnight and on the chosen day of the month", () => {
  const at = (...parts: [number, number, number, number?]) =>
    new Date(...(parts as [number, number, number])).getTime();
  expect(dayWindow(noon)).toEqual({ name: "day", from: "2026-11-18", resetsAt: at(2026, 10, 19) });
  expect(monthWindow(noon, 1)).toEqual({ name: "month", from: "2026-11-01", resetsAt: at(2026, 11, 1) });
  expect(monthWindow(noon, 18)).toEqual({ name: "month", from: "2026-11-18", resetsAt: at(2026, 11, 18) });
  expect(monthWindow(noon, 19)).toEqual({ name: "month", from: "2026-10-19", resetsAt: at(2026, 10, 19) });
  expect(monthWindow(at(2026, 0, 3), 20)).toEqual({ name: "month", from: "2025-12-20", resetsAt: at(2026, 0, 20) });
});

test("a call is refused once the limit is reached, and not before", async () => {
  const { call, budgets } = open({ day: 10 });
  expect((await call(7)).map(({ type }) => type)).toEqual(["end"]);
  expect((await call(2)).map(({ type }) => type)).toEqual(["end"]);
  expect(await call(2)).toMatchObject([
    { type: "notice", text: "90% of the daily spending limit used: $9.00 of $10.00." },
    { type: "end" },
  ]);
  expect(await call(1)).toEqual([
    {
      type: "failed",
      failure: {
        code: "budget_exceeded",
        message:
          "The daily spending limit is reached: $11.00 of $10.00. The cost of a request is known only afterwards, so the last one can exceed the limit.",
        recovery: "Raise budget.day or wait until 2026-11-19 00:00.",
        retryable: false,
        resetAtMs: new Date(2026, 10, 19).getTime(),
      },
    },
  ]);
  expect(budgets()).toEqual([{ window: "day", usdMax: 10, usd: 11, resetsAt: new Date(2026, 10, 19).getTime() }]);
});

test("the warning comes once per window", async () => {
  let now = noon;
  const { call } = open({ day: 10 }, () => now);
  await call(8);
  const notices = async () => (await call(0.1)).filter(({ type }) => type === "notice").length;
  expect([await notices(), await notices()]).toEqual([1, 0]);
  now += dayMs;
  await call(9);
  expect(await notices()).toBe(1);
});

test("days add up to a month, and a new window starts from nothing", async () => {
  let now = noon;
  const { call, budgets } = open({ day: 5, month: 8 }, () => now);
  await call(5);
  expect((await call(1))[0]).toMatchObject({
    type: "failed",
    failure: { recovery: expect.stringContaining("budget.day") },
  });
  now += dayMs;
  await call(4);
  expect(budgets().map(({ window, usd }) => [window, usd])).toEqual([
    ["day", 4],
    ["month", 9],
  ]);
  expect((await call(1))[0]).toMatchObject({ failure: { message: expect.stringContaining("monthly spending limit") } });
  now = new Date(2026, 11, 1, 8).getTime();
  expect((await call(1)).map(({ type }) => type)).toEqual(["end"]);
});

test("processes share one ledger, and days before the month are deleted", async () => {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "2026-10-30.jsonl"), '{"usd":99,"model":"a/m"}\n');
  writeFileSync(join(directory, "notes.txt"), "not ours");
  const [one, other] = [open({ month: 10 }), open({ month: 10 })];
  await one.call(6);
  expect(other.budgets()[0]?.usd).toBe(6);
  await other.call(4);
  expect((await one.call(1)).at(-1)?.type).toBe("failed");
  expect(readdirSync(directory).sort()).toEqual(["2026-11-18.jsonl", "notes.txt"]);
  expect(statSync(join(directory, "2026-11-18.jsonl")).mode & 0o777).toBe(0o600);
});

test("a line cut short, or one that makes no sense, counts for nothing", async () => {
  const { budgets } = open({ day: 10 });
  const file = join(directory, "2026-11-18.jsonl");
  appendFileSync(file, '{"usd":2}\n{"usd":-5}\nnull\n{"usd":"9"}\n{"us');
  expect(budgets()[0]?.usd).toBe(2);
  appendFileSync(file, 'd":1}\n');
  expect(budgets()[0]?.usd).toBe(3);
});

test.skipIf(process.getuid?.() === 0)(
  "a ledger that cannot be read refuses instead of letting everything pass",
  async () => {
    const { call } = open({ day: 10 });
    await call(1);
    chmodSync(join(directory, "2026-11-18.jsonl"), 0);
    const fresh = open({ day: 10 });
    expect((await fresh.call(1))[0]).toMatchObject({ type: "failed", failure: { code: "storage" } });
  },
);

test("a directory in place of the file refuses as well", async () => {
  mkdirSync(join(directory, "2026-11-18.jsonl"));
  expect((await open({ day: 10 }).call(1))[0]).toMatchObject({
    type: "failed",
    failure: { code: "storage", message: expect.stringContaining("can't be checked") },
  });
});

test("requests under way hold back what they will probably cost", async () => {
  const spending = openSpending({ limits: { day: 10, monthStart: 1 }, directory, now: () => noon });
  const gate = Promise.withResolvers<void>();
  const slow: Provider = {
    async *stream() {
      await gate.promise;
      yield { type: "end", stopReason: "end", usage: { ...noUsage, output: 4 } } as ModelEvent;
    },
  };
  const first = await spending.limit(modelsOf(paid(4))).find("a/m");
  const found = await spending.limit(modelsOf(slow)).find("a/m");
  if (!found.ok || !first.ok) throw new Error("no model");
  await collected(first.provider, request);
  const running = [1, 2, 3].map(() => collected(found.provider, request));
  gate.resolve();
  const ends = (await Promise.all(running)).map((events) => events.at(-1)?.type);
  expect(ends).toEqual(["end", "end", "failed"]);
});

test("a model without a known price is said, once, and never stops anything", async () => {
  const { call, budgets } = open({ day: 1 });
  expect(await call(100, "a/free")).toMatchObject([
    {
      type: "notice",
      text: `Spending limits don't cover a/free: its price is unknown. Set provider.a.models."m".cost.`,
    },
    { type: "end" },
  ]);
  expect((await call(100, "a/free")).map(({ type }) => type)).toEqual(["end"]);
  expect(budgets()[0]?.usd).toBe(0);
});

test("a vendor's own summary is counted and refused like an answer", async () => {
  const spending = openSpending({ limits: { day: 5, monthStart: 1 }, directory, now: () => noon });
  const compacting: Provider = {
    ...paid(1),
    compact: async () => ({ ok: true, history: {} as never, usage: { ...noUsage, output: 5 } }),
  };
  const found = await spending.limit(modelsOf(compacting)).find("a/m");
  if (!found.ok) throw new Error("no model");
  const { signal } = new AbortController();
  expect(await found.provider.compact?.(request, signal)).toMatchObject({ ok: true });
  expect(await found.provider.compact?.(request, signal)).toMatchObject({
    ok: false,
    failure: { code: "budget_exceeded" },
  });
});

test("nothing is opened where neither a day nor a month is limited", () => {
  const parts = { directory, now: () => noon };
  expect(readSpendingLimits({})).toBeUndefined();
  expect(readSpendingLimits({ day: null, monthStart: 3 })).toBeUndefined();
  expect(lateSpending({ ...parts, limits: readSpendingLimits({ session: 3 }) })).toBeUndefined();
  expect(lateSpending({ ...parts, limits: readSpendingLimits({ month: 3 }) })).toBeDefined();
});
