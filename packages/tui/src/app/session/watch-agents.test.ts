/** Agents in the state: changed by what they report, asked for again only where a report is about one that is unknown. */
import { type AgentSummary, type Client, noUsage } from "@kedge/protocol";
import { expect, test } from "vitest";
import type { ClientState } from "../../state/client-state.ts";
import { createStateStore } from "../../state/state-store.ts";
import { createAgentWatch } from "./watch-agents.ts";

const usage = { ...noUsage, input: 500 };
const cost = { usd: 0.02, estimated: false };

function agent(agentId: string, given: Partial<AgentSummary> = {}): AgentSummary {
  return {
    ...{ agentId, parentId: "ses_top", agent: "general", description: "Task", state: "running" },
    ...{ isBackground: false, depth: 1, startedAt: 1_000, durationMs: 4_000, turns: 1 },
    usage: noUsage,
    cost: { usd: 0, estimated: false },
    ...given,
  };
}

test("reports change one agent without a question, time passes for those that run", async () => {
  let asked = 0;
  const client = {
    async ask() {
      asked += 1;
      return {
        ok: true,
        value: { agents: [agent("ses_a"), agent("ses_b", { state: "parked", status: "completed" })] },
      };
    },
  } as unknown as Client;
  // Only what agents are about is given; nothing else of the state is read here.
  const store = createStateStore({ session: { id: "ses_top" }, tasks: [] } as unknown as ClientState);
  const watch = createAgentWatch(client, store);
  watch.refresh();
  await expect.poll(() => store.get().agents?.length).toBe(2);
  expect(asked).toBe(1);
  watch.onEvent({ type: "agent.progressed", id: "ses_a", turns: 2, usage, cost, lastAction: "read a.ts" });
  watch.passed(1_000);
  expect(asked).toBe(1);
  expect(store.get().agents?.map(({ turns, lastAction, durationMs }) => [turns, lastAction, durationMs])).toEqual([
    [2, "read a.ts", 5_000],
    [1, undefined, 4_000],
  ]);
  watch.onEvent({ type: "agent.progressed", id: "ses_new", turns: 1, usage, cost });
  await expect.poll(() => asked).toBe(2);
});

test("an early end is news until the list was looked at, and none where it was there before", async () => {
  const ended = { state: "aborted", status: "failed" } as const;
  let agents: readonly AgentSummary[] = [agent("ses_old", ended), agent("ses_a")];
  const client = { ask: async () => ({ ok: true, value: { agents } }) } as unknown as Client;
  const store = createStateStore({ session: { id: "ses_top" }, tasks: [] } as unknown as ClientState);
  const watch = createAgentWatch(client, store);
  watch.refresh();
  await expect.poll(() => [...(store.get().agentsSeen ?? [])]).toEqual(["ses_old"]);
  agents = [agent("ses_old", ended), agent("ses_a", ended)];
  watch.refresh();
  await expect.poll(() => store.get().agents?.map(({ state }) => state)).toEqual(["aborted", "aborted"]);
  expect([...(store.get().agentsSeen ?? [])]).toEqual(["ses_old"]);
  watch.seen();
  expect([...(store.get().agentsSeen ?? [])]).toEqual(["ses_old", "ses_a"]);
});
