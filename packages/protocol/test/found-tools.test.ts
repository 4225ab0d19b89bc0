/** Proves what the state knows of tools that searches made callable. */
import { expect, test } from "vitest";
import { applyRecord, emptySession, type Fact } from "../src/index.ts";

function stateAfter(...facts: readonly Fact[]) {
  const state = emptySession("ses_1");
  for (const [at, fact] of facts.entries()) applyRecord(state, { seq: at + 1, time: at, fact });
  return state;
}

const ended = (metadata: object): Fact => ({
  type: "tool.ended",
  stepId: "stp_1",
  callId: "c1",
  tool: "tool_search",
  outcome: "completed",
  output: "Callable from the next step",
  title: "",
  phases: {},
  metadata: metadata as NonNullable<Extract<Fact, { type: "tool.ended" }>["metadata"]>,
});

test("a search leaves its tools in the state and in its result, unless its text says more", () => {
  const whole = stateAfter(ended({ foundTools: ["a", 7, "b"] }));
  expect([...whole.foundTools]).toEqual(["a", "b"]);
  expect(whole.calls.get("c1")?.result?.foundTools).toEqual(["a", "b"]);
  const partial = stateAfter(ended({ foundTools: ["a"], missingTools: ["b"] }));
  expect([...partial.foundTools]).toEqual(["a"]);
  expect(partial.calls.get("c1")?.result).not.toHaveProperty("foundTools");
  expect(stateAfter(ended({})).calls.get("c1")?.result).not.toHaveProperty("foundTools");
});

test("a summary brings back the tools that were found before it", () => {
  const compacted = (boundary: object | undefined) =>
    ({ type: "context.compacted", compactionId: "cmp_1", summary: "S", restored: [], boundary }) as unknown as Fact;
  expect([...stateAfter(compacted({ preCompactDiscoveredTools: ["a", null, "b"] })).foundTools]).toEqual(["a", "b"]);
  expect([...stateAfter(compacted({ preCompactDiscoveredTools: "a" })).foundTools]).toEqual([]);
  expect([...stateAfter(compacted(undefined)).foundTools]).toEqual([]);
});
