/** What an agent needs a person for is asked in the session at the top, under its name; where nobody is there, it is denied. */
import type { FactOf } from "@kedge/protocol";
import { expect, test } from "vitest";
import { type AgentSite, type Conversation, openAgentSite } from "./agent-site.ts";

const command = "make all";

function script(input: object): (conversation: Conversation) => object {
  return ({ prompt, results }) => {
    if (prompt === "child asker") {
      return results.length < 2
        ? { toolCalls: [{ id: `call_${results.length}`, name: "bash", input: { command, description: "make" } }] }
        : { text: "Made." };
    }
    return results.length === 0
      ? {
          toolCalls: [
            { id: "call_agent", name: "agent", input: { description: "Make", prompt: "child asker", ...input } },
          ],
        }
      : { text: "Done." };
  };
}

function questionIn({ kedge }: AgentSite, sessionId: string): Promise<FactOf<"permission.asked">> {
  const asked = Promise.withResolvers<FactOf<"permission.asked">>();
  kedge.engine.subscribe(sessionId, (event) => {
    if (event.kind === "fact" && event.record.fact.type === "permission.asked") asked.resolve(event.record.fact);
  });
  return asked.promise;
}

test.each([{ run_in_background: false }, { run_in_background: true }])(
  "an agent asks in the session it works for, and an answer for the session covers its later calls: %j",
  async (input) => {
    const site = await openAgentSite(script(input), {}, { interactive: true });
    try {
      const sessionId = await site.open();
      const question = questionIn(site, sessionId);
      const ended = site.prompt(sessionId, "parent");
      const { requestId, agent, tool } = await question;
      const [started] = (await site.facts(sessionId)).flatMap(({ fact }) =>
        fact.type === "agent.started" ? [fact] : [],
      );
      expect({ tool, agent }).toEqual({
        tool: "bash",
        agent: { agentId: started?.agentId, agent: "general", parentId: sessionId },
      });
      const listed = await site.kedge.door.ask<"agent.list">({ type: "agent.list", sessionId });
      expect(listed).toMatchObject({ ok: true, value: { agents: [{ state: "running", isAsking: true }] } });
      const answer = { type: "permission.answer", sessionId, requestId, reply: "session" } as const;
      expect(await site.kedge.engine.send<"permission.answer">(answer)).toMatchObject({ ok: true });
      await ended;
      await expect
        .poll(async () => (await site.facts(sessionId)).filter(({ fact }) => fact.type === "agent.ended").length)
        .toBe(1);
      const asked = await site.allFacts(sessionId, "permission.asked");
      expect(asked).toHaveLength(1);
      const calls = (await site.allFacts(sessionId, "tool.started")).filter((call) => call.tool === "bash");
      expect(calls).toHaveLength(2);
    } finally {
      await site.close();
    }
  },
);

test("where nobody can answer, what would ask is denied with the reason, and the agent works on", async () => {
  const site = await openAgentSite(script({ run_in_background: true }));
  try {
    const sessionId = await site.open();
    expect(await site.prompt(sessionId, "parent")).toMatchObject({ reason: "completed" });
    const calls = (await site.allFacts(sessionId, "tool.ended")).filter((call) => call.tool === "bash");
    expect(calls.map(({ outcome }) => outcome)).toEqual(["refused", "refused"]);
    expect(await site.allFacts(sessionId, "permission.asked")).toEqual([]);
    const [end] = await site.allFacts(sessionId, "agent.ended");
    expect(end).toMatchObject({ status: "completed", result: "Made." });
  } finally {
    await site.close();
  }
});

test("an agent in the background that ends while nothing runs makes the session continue, and is told once", async () => {
  const hold = Promise.withResolvers<void>();
  const site = await openAgentSite(
    ({ prompt, results, request }) => {
      if (prompt === "child late") return { text: "Late result.", holdUntil: hold.promise };
      if (results.length === 0) {
        const input = { description: "Late", prompt: "child late", run_in_background: true };
        return { toolCalls: [{ id: "call_agent", name: "agent", input }] };
      }
      return { text: JSON.stringify(request.body.messages).includes("Late result.") ? "Heard." : "Waiting." };
    },
    {},
    { interactive: true },
  );
  try {
    const sessionId = await site.open();
    expect(await site.prompt(sessionId, "parent")).toMatchObject({ reason: "completed", text: "Waiting." });
    hold.resolve();
    await expect
      .poll(async () =>
        (await site.facts(sessionId)).flatMap(({ fact }) => (fact.type === "run.ended" ? [fact.text] : [])),
      )
      .toEqual(["Waiting.", "Heard."]);
    const told = (await site.allFacts(sessionId, "step.started")).flatMap(({ sent = [] }) => sent);
    expect(told.filter(({ source }) => source === "agents")).toHaveLength(1);
  } finally {
    await site.close();
  }
});

test("a question about a directory says that an answer for longer is for all agents of the session", async () => {
  const reads = ({ prompt, results }: Conversation) => {
    if (prompt !== "child reader" && results.length === 0)
      return {
        toolCalls: [{ id: "call_agent", name: "agent", input: { description: "Read", prompt: "child reader" } }],
      };
    if (prompt === "child reader" && results.length === 0)
      return { toolCalls: [{ id: "call_read", name: "read", input: { filePath: "/etc/hosts" } }] };
    return { text: "Done." };
  };
  const site = await openAgentSite(reads, {}, { interactive: true });
  try {
    const sessionId = await site.open();
    const question = questionIn(site, sessionId);
    const ended = site.prompt(sessionId, "parent");
    const { requestId, permission, evidence, agent } = await question;
    expect({ permission, evidence, isAgent: agent !== undefined }).toEqual({
      permission: "external_directory",
      evidence: ["An answer that lasts lets all agents of this session use this directory."],
      isAgent: true,
    });
    const answer = { type: "permission.answer", sessionId, requestId, reply: "session" } as const;
    expect(await site.kedge.engine.send<"permission.answer">(answer)).toMatchObject({ ok: true });
    await ended;
  } finally {
    await site.close();
  }
});
