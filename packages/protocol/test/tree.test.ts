/** What the model sees after a summary, and that every way back to a place gives the same again. */
import { expect, test } from "vitest";
import { applyRecord, emptySession, type Fact, noUsage, type SessionState } from "../src/index.ts";

const free = { usage: noUsage, cost: { usd: 0, estimated: false } } as const;

function foldAll(...facts: readonly Fact[]): SessionState {
  const state = emptySession("ses_1");
  for (const [index, fact] of facts.entries()) add(state, fact, index + 1);
  return state;
}

function add(state: SessionState, fact: Fact, seq = state.lastSeq + 1): void {
  applyRecord(state, { sessionId: "ses_1", seq, time: seq, fact, prev: "", hash: "" });
}

function exchange(number: number): readonly Fact[] {
  const ids = { promptId: `prm_${number}`, runId: `run_${number}` };
  const step = { stepId: `stp_${number}`, runId: ids.runId };
  return [
    { type: "prompt.admitted", ...ids, delivery: "steer", text: `asked ${number}` },
    {
      type: "step.started",
      ...step,
      turn: 1,
      source: "main",
      model: "m",
      requestId: "r",
      prompts: [{ promptId: ids.promptId, form: "prompt" }],
      reminders: [],
    },
    {
      type: "step.ended",
      stepId: step.stepId,
      outcome: "answered",
      content: [{ type: "text", text: `answered ${number}` }],
      durationMs: 1,
      ...free,
    },
  ];
}

function compacted(firstKeptId?: string): Fact {
  return {
    type: "context.compacted",
    compactionId: "cmp_1",
    trigger: "manual",
    strategy: "summary",
    summary: "all before",
    shortSummary: "before",
    restored: [],
    ...(firstKeptId !== undefined && { firstKeptId }),
    files: { read: [], modified: [] },
    itemsReplaced: 2,
    tokensBefore: 100,
    tokensAfter: 10,
    boundary: {},
    ...free,
  };
}

const shown = ({ items }: SessionState) => items.map(({ id }) => id);

test("a summary stands before what was kept, and what comes next hangs at the summary", () => {
  const state = foldAll(...exchange(1), ...exchange(2), compacted("prm_2"), ...exchange(3));
  const after = ["cmp_1", "prm_2", "stp_2", "prm_3", "stp_3"];
  expect(shown(state)).toEqual(after);
  expect(state.tree.get("prm_3")?.parent).toBe("cmp_1");

  add(state, { type: "leaf.moved", leafId: "stp_3" });
  expect(shown(state)).toEqual(after);
  add(state, { type: "leaf.moved", leafId: "cmp_1" });
  expect(shown(state)).toEqual(["cmp_1", "prm_2", "stp_2"]);
  add(state, { type: "leaf.moved", leafId: "stp_2" });
  expect(shown(state)).toEqual(["prm_1", "stp_1", "prm_2", "stp_2"]);
});

test("undo and redo cross a summary", () => {
  const state = foldAll(...exchange(1), ...exchange(2), compacted(), ...exchange(3));
  const before = shown(state);
  const undone = (promptId: string): Fact => ({
    type: "session.reverted",
    promptId,
    snapshot: "",
    restores: [],
    files: [],
  });
  add(state, undone("prm_3"));
  expect(shown(state)).toEqual(["cmp_1"]);
  add(state, undone("prm_2"));
  expect(shown(state)).toEqual(["prm_1", "stp_1"]);
  add(state, { type: "session.unreverted", promptId: "prm_2", restores: [], files: [] });
  add(state, { type: "session.unreverted", promptId: "prm_3", restores: [], files: [] });
  expect(shown(state)).toEqual(before);
});

test("a call inside of a call is over when it ends", () => {
  const started = { type: "tool.started", stepId: "stp_1", readOnly: true, inputText: "{}", tool: "look" } as const;
  const decision = { behavior: "allow", source: "rule", reason: "", rules: [] } as const;
  const state = foldAll(
    ...exchange(1),
    { ...started, callId: "outer", decision },
    { ...started, callId: "inner", decision },
    {
      type: "tool.ended",
      callId: "inner",
      stepId: "stp_1",
      tool: "look",
      outcome: "completed",
      output: "",
      parentCallId: "outer",
      phases: {},
    },
  );
  expect([...state.calls.keys()]).toEqual(["outer"]);
});
