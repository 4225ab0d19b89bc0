/** A task of a team is completed only with its proof, also by a teammate whose leader works in another process. */
import { randomBytes } from "node:crypto";
import type { Engine } from "@kedge/engine";
import { emptySession, type Fact, type Reproduction } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { expect, test } from "vitest";
import { openProof } from "./open-proof.ts";
import type { ProofParts } from "./proof-parts.ts";

const reproduction: Reproduction = {
  ...{ id: "rep_1", state: "fails-before", issue: "The total is wrong.", task: "t1" },
  ...{ before: [], after: [] },
};

test.each([
  ["fails-before", "t1", "done", "refuse"],
  ["fails-before", "t1", "in_progress", undefined],
  ["fails-before", "t2", "done", undefined],
  ["proven", "t1", "done", undefined],
] as const)(
  "a reproduction of the leader that is %s, and task %s that becomes %s",
  async (state, id, status, expected) => {
    const store = createMemoryStore({ now: () => 1_700_000_000_000, randomBytes, isAlive: () => true });
    await store.acquireLease("ses_leader", { boot: "boot-leader", pid: 1, startedAt: "now" });
    const judged: Fact = { type: "reproduction.judged", ...reproduction, state };
    await store.append("ses_leader", [judged], { boot: "boot-leader", durable: true });

    // The process of the teammate has its own session open, and no other.
    const teammate = { ...emptySession("ses_mate"), origin: { kind: "child", sessionId: "ses_leader" } };
    const engine = { openSessions: () => [{ state: teammate }] };
    // Nothing is proven here, so nothing that proving takes is asked for.
    const proof = openProof({} as ProofParts, store);
    proof.bind(engine as unknown as Engine);
    const call = { sessionId: "ses_mate", callId: "c1", tool: "task_update", input: { id, status } };
    const [guard] = proof.callPhases;
    const answer = await guard?.before?.(
      { ...call, needs: [], readOnly: false, cwd: "/", mode: "default" },
      new AbortController().signal,
    );
    expect(answer?.decision).toBe(expected);
  },
);
