import { expect, test } from "vitest";
import { createWrittenSession, text } from "../../test/written-session.ts";
import type { Clearing } from "./after-clearing.ts";
import { createResultIndex } from "./result-index.ts";
import { cachePricesOf, worthClearing } from "./worth-clearing.ts";

/** Answers with a result each, of so many tokens; each would be replaced by nothing. */
function written(...tokens: readonly number[]) {
  const session = createWrittenSession();
  for (const count of tokens) session.step({ calls: [{ tool: "bash", output: text(count) }] });
  const index = createResultIndex()(session.state);
  return { index, clearings: index.results.map((entry): Clearing => ({ entry, text: "" })) };
}

const callIds = (clearings: readonly Clearing[]) => clearings.map(({ entry }) => entry.result.callId);

test("it pays where what is freed, over the requests to come, costs more than what is sent again", () => {
  // Five answers; 1,000 tokens freed are 5,000 in five requests, against some 4,000 behind them.
  const { index, clearings } = written(1_000, 1_000, 1_000, 1_000, 1_000);
  const [first] = clearings.map((clearing) => [clearing]);
  expect(callIds(worthClearing(first ?? [], index, { read: 1, write: 2 }))).toEqual(["call_1"]);
  expect(callIds(worthClearing(first ?? [], index, { read: 1, write: 2.5 }))).toEqual([]);
});

test("what stands too far ahead stays, and what is near the end goes", () => {
  const { index, clearings } = written(10, 40_000, 1_000, 1_000);
  const chosen = clearings.filter((_, at) => at !== 1);
  expect(callIds(worthClearing(chosen, index, { read: 0.1, write: 1.25 }))).toEqual(["call_3", "call_4"]);
});

test("where reading from the cache is no cheaper, everything goes; where nothing costs anything, nothing does", () => {
  const { index, clearings } = written(10, 40_000, 10);
  expect(callIds(worthClearing(clearings, index, { read: 1, write: 1 }))).toEqual(["call_1", "call_2", "call_3"]);
  expect(worthClearing(clearings, index, { read: 0, write: 0 })).toEqual([]);
});

test("prices are those of the model, and shares of its input where they are not known", () => {
  expect(cachePricesOf({ prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } })).toEqual({
    read: 0.3,
    write: 3.75,
  });
  expect(cachePricesOf({ prices: { input: 2, output: 8, cacheRead: 0.5 } })).toEqual({ read: 0.5, write: 2.5 });
  expect(cachePricesOf({})).toEqual({ read: 0.1, write: 1.25 });
});
