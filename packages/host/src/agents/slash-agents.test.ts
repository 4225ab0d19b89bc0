/** What follows `/agents` is taken as it was typed. */
import { type AgentRuns, emptySession } from "@kedge/protocol";
import { expect, test } from "vitest";
import type { OpenedAgents } from "./open-agents.ts";
import { runSlashAgents } from "./slash-agents.ts";

async function told(argument: string): Promise<{ readonly text: string; readonly said: readonly unknown[] }> {
  const said: unknown[] = [];
  const done = (name: string) => async (agentId: string, text?: string) => {
    said.push([name, agentId, text]);
    return { ok: true, value: { messageId: "msg_1" } } as const;
  };
  const runs = {
    list: async () => [{ agentId: "ses_2", name: "scout" }],
    ...{ message: done("message"), revive: done("revive"), kill: done("kill"), interrupt: done("interrupt") },
  };
  // Only these are asked.
  const agents = { runs: async () => runs as unknown as AgentRuns } as unknown as OpenedAgents;
  const { text } = await runSlashAgents(argument, emptySession("ses_1"), agents);
  return { text, said };
}

test("a message keeps its lines and spaces", async () => {
  const message = "Look again:\n\n  a  b\n- c";
  expect(await told(` message scout ${message}\n`)).toEqual({
    text: "Sent to scout.",
    said: [["message", "ses_2", message]],
  });
  expect((await told("revive ses_2 Go on,\nplease")).said).toEqual([["revive", "ses_2", "Go on,\nplease"]]);
  expect((await told("revive scout")).said).toEqual([["revive", "ses_2", undefined]]);
});

test.each([
  ["message scout", "Add a message after the agent."],
  ["message scout \n ", "Add a message after the agent."],
  ["kill", "Usage: /agents, or"],
  ["kill nobody", "This session has no agent nobody."],
  ["dance scout", "Usage: /agents, or"],
])("%j does nothing and says why", async (argument, text) => {
  const answer = await told(argument);
  expect(answer.said).toEqual([]);
  expect(answer.text).toContain(text);
});
