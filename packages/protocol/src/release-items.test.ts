/** Proves with random sessions that a state which releases at every summary shows the model what one that keeps all does. */
import { createSeededRandom, randomSession, recordsOf, rounds } from "@kedge/testing";
import { expect, test } from "vitest";
import type { FactRecord } from "./facts/fact-record.ts";
import { applyRecord } from "./facts/fold.ts";
import { emptySession, type SessionState } from "./facts/session-state.ts";
import { hasReleased, recallItems, recallingFacts, releaseItems } from "./release-items.ts";

function folded(records: readonly FactRecord[]): SessionState {
  const state = emptySession("ses_1");
  for (const record of records) applyRecord(state, record);
  return state;
}

test("random sessions show and remember the same, whatever was released meanwhile", () => {
  const random = createSeededRandom();
  let releases = 0;
  let recalls = 0;
  for (let round = 0; round < rounds({ usual: 5, long: 300 }); round += 1) {
    const records = recordsOf(randomSession(random, { steps: 40 }));
    const whole = emptySession("ses_1");
    const thrifty = emptySession("ses_1");
    for (const [index, record] of records.entries()) {
      if (recallingFacts.has(record.fact.type) && hasReleased(thrifty)) {
        recalls += 1;
        recallItems(thrifty, folded(records.slice(0, index)));
      }
      applyRecord(whole, record);
      applyRecord(thrifty, record);
      if (record.fact.type === "context.compacted") {
        releaseItems(thrifty);
        releases += 1;
      }
      const { tree: _, ...expected } = whole;
      const { tree: __, ...found } = thrifty;
      expect(found, `round ${round}, fact ${record.seq}`).toEqual(expected);
    }
    recallItems(thrifty, whole);
    expect([...thrifty.tree], `round ${round}`).toEqual([...whole.tree]);
  }
  expect(releases).toBeGreaterThan(0);
  expect(recalls).toBeGreaterThan(0);
});

test("what the model sees, what was said and what was called stays; outputs and earlier summaries go", () => {
  const state = folded(recordsOf(randomSession(createSeededRandom(), { steps: 60 })));
  const shown = new Set(state.items.map(({ id }) => id));
  const before = [...state.tree.values()].map(({ item }) => item);
  releaseItems(state);
  const kinds = before.map((item) => {
    const now = state.tree.get(item.id)?.item;
    const isLong = item.type === "results" || item.type === "compaction";
    return now === item ? !isLong || shown.has(item.id) : isLong && now?.type === "released";
  });
  expect(kinds).not.toContain(false);
});
