/** Proves when a model that writes briefly is told to write in full sentences. */
import { applyRecord, type ContextSession, emptySession, type SessionState } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createStyleSources } from "./style-sources.ts";

/** After a call that was asked about. */
function stateAfter(isIrreversible: boolean, brevity = true): SessionState {
  const state = emptySession("ses_1");
  if (brevity) state.brevity = { name: "full", text: "Short." };
  const request = { requestId: "per_1", callId: "call_1", tool: "bash", permission: "bash", patterns: [], always: [] };
  const asked = { type: "permission.asked", stepId: "stp_1", ...request, reason: "" } as const;
  const data = { ...asked, ...(isIrreversible && { isIrreversible: true as const }) };
  applyRecord(state, { seq: 1, time: 0, fact: data });
  applyRecord(state, {
    ...{ seq: 2, time: 0 },
    fact: {
      type: "permission.answered",
      requestId: "per_1",
      callId: "call_1",
      reply: "once",
      grants: [],
      boot: "b",
      source: "user",
    },
  });
  const results = [{ callId: "call_1", tool: "bash", outcome: "completed", output: "" }] as const;
  state.items.push({ type: "results", id: "stp_1", stepId: "stp_1", results });
  return state;
}

function told(state: SessionState): readonly string[] {
  const source = createStyleSources(undefined).find(({ name }) => name === "clarity");
  // The source looks at the state alone.
  const session = { state, shown: () => undefined } as unknown as ContextSession;
  return (source?.read(session) ?? []).map(({ origin, hash }) => `${origin}: ${hash}`);
}

test("after a question about what cannot be undone", () => {
  expect(told(stateAfter(true))).toEqual(["irreversible action: call_1"]);
});

test("not after other questions, not without brevity, and not later", () => {
  expect(told(stateAfter(false))).toEqual([]);
  expect(told(stateAfter(true, false))).toEqual([]);
  const later = stateAfter(true);
  later.items.push({ type: "prompt", id: "prm_1", text: "go on", form: "prompt" });
  expect(told(later)).toEqual([]);
});
