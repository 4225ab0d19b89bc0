/** What became of agents that have ended: kept for a while, then parked; whom a broadcast reaches, and who is rebuilt. */
import { afterEach, expect, test } from "vitest";
import { type AgentSite, openAgentSite } from "./agent-site.ts";

let site: AgentSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const call = (id: string, name: string, input: object) => ({ id, name, input });

async function statesIn(opened: AgentSite, sessionId: string): Promise<readonly (readonly unknown[])[]> {
  const listed = await opened.kedge.door.ask<"agent.list">({ type: "agent.list", sessionId });
  if (!listed.ok) throw new Error(listed.failure.message);
  return listed.value.agents.map(({ name, state, status }) => [name, state, status]);
}

test("a broadcast reaches agents that work and those that are kept, and each once", async () => {
  const hold = Promise.withResolvers<void>();
  site = await openAgentSite(
    ({ prompt, results, request }) => {
      const isAsked = String(request.raw).includes("Status?");
      if (prompt === "child done") return { text: isAsked ? "Still done." : "Done." };
      if (prompt === "child busy") return { text: isAsked ? "Heard." : "Busy.", holdUntil: hold.promise };
      const order = (name: string) => ({ description: name, prompt: `child ${name}`, name });
      switch (results.length) {
        case 0:
          return { toolCalls: [call("call_d", "agent", order("done"))] };
        case 1:
          return { toolCalls: [call("call_b", "agent", { ...order("busy"), run_in_background: true })] };
        case 2:
          return { toolCalls: [call("call_m", "send_message", { to: "*", message: "Status?" })] };
        default:
          hold.resolve();
          return { text: "All asked." };
      }
    },
    { permission: { broadcast: "allow" } },
  );
  try {
    const sessionId = await site.open();
    expect(await site.prompt(sessionId, "parent")).toMatchObject({ reason: "completed" });
    const sent = (await site.allFacts(sessionId, "tool.ended")).find(({ tool }) => tool === "send_message");
    expect(sent?.output).toBe("Sent to 2 of 2 agents.");
    const ends = await site.allFacts(sessionId, "agent.ended");
    expect(ends.map(({ result }) => result).toSorted()).toEqual(["Done.", "Heard.", "Still done."]);
    expect(await statesIn(site, sessionId)).toEqual([
      ["done", "idle", "completed"],
      ["busy", "idle", "completed"],
    ]);
  } finally {
    hold.resolve();
  }
});

test("one that is parked is left out of a broadcast, and rebuilt from its record by a message of its own", async () => {
  site = await openAgentSite(
    ({ prompt, results, request }) => {
      const raw = String(request.raw);
      if (prompt === "child done")
        return { text: raw.includes("Go on.") ? `Knew: ${raw.includes("First.")}` : "First." };
      const order = { description: "done", prompt: "child done", name: "done" };
      switch (results.length) {
        case 0:
          return { toolCalls: [call("call_d", "agent", order)] };
        case 1:
          return raw.includes("parent again")
            ? { toolCalls: [call("call_a", "send_message", { to: "*", message: "Anybody?" })] }
            : { text: "Later." };
        case 2:
          return { toolCalls: [call("call_m", "send_message", { to: "done", message: "Go on." })] };
        default:
          return { text: "Asked." };
      }
    },
    { permission: { broadcast: "allow" }, agents: { idleTtlMs: 0 } },
  );
  const opened = site;
  const sessionId = await opened.open();
  await opened.prompt(sessionId, "parent");
  await expect.poll(() => statesIn(opened, sessionId)).toEqual([["done", "parked", "completed"]]);
  await opened.prompt(sessionId, "parent again");
  const sent = (await opened.allFacts(sessionId, "tool.ended")).filter(({ tool }) => tool === "send_message");
  expect(sent.map(({ output }) => output.replace(/ses_\w+/, "it"))).toEqual(["Sent to 0 of 0 agents.", "Sent to it."]);
  const ends = await opened.allFacts(sessionId, "agent.ended");
  expect(ends.map(({ status, result }) => [status, result])).toEqual([
    ["completed", "First."],
    ["completed", "Knew: true"],
  ]);
});
