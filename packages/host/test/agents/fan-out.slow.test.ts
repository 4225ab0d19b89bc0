/** What many agents will cost is asked before they start: by what such agents cost before, else by turns and prices. */
import type { FactOf } from "@kedge/protocol";
import { afterEach, expect, test } from "vitest";
import { type AgentSite, openAgentSite, type SiteScript } from "./agent-site.ts";

let site: AgentSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

function orders(count: number, agent = "general") {
  const tasks = Array.from({ length: count }, (_, index) => ({
    prompt: `child ${index}`,
    description: `Part ${index}`,
  }));
  return { id: `call_${count}_${agent}`, name: "agent", input: { tasks, subagent_type: agent } };
}

/** The questions of a session, each of which is rejected with a word. */
function rejectAll({ kedge: { engine } }: AgentSite, sessionId: string): FactOf<"permission.asked">[] {
  const asked: FactOf<"permission.asked">[] = [];
  engine.subscribe(sessionId, (event) => {
    if (event.kind !== "fact" || event.record.fact.type !== "permission.asked") return;
    const { requestId } = event.record.fact;
    asked.push(event.record.fact);
    const answer = { type: "permission.answer", sessionId, requestId, reply: "reject", message: "Fewer." } as const;
    void engine.send<"permission.answer">(answer);
  });
  return asked;
}

/** A turn costs as much as one is taken to cost before the first was paid for. */
const usage = { input: 3_000, output: 300 };
const agents = { confirmUsd: 0.3 };

const inTurn =
  (...messages: readonly (readonly ReturnType<typeof orders>[])[]): SiteScript =>
  ({ prompt, request }) => {
    if (prompt.startsWith("child")) return { text: "Done." };
    const said = request.body.messages?.filter(({ role }) => role === "assistant").length ?? 0;
    const toolCalls = messages[said];
    return toolCalls === undefined ? { text: "Done.", usage } : { toolCalls: [...toolCalls], usage };
  };

test("twenty agents of the very first message are estimated, and a rejection is not held against the next agent", async () => {
  site = await openAgentSite(inTurn([orders(20)], [orders(1)]), { agents }, { interactive: true });
  const sessionId = await site.open();
  const asked = rejectAll(site, sessionId);
  await site.prompt(sessionId, "parent");
  expect(asked).toHaveLength(1);
  // Seven turns each, at $0.0033.
  expect(JSON.stringify(asked)).toContain("20 agents at once will cost about $0.46");
  expect(await site.allFacts(sessionId, "agent.ended")).toMatchObject([{ status: "completed" }]);
});

test("agents that search start before the answer is stored, and are estimated all the same", async () => {
  const calls = Array.from({ length: 20 }, (_, index) => ({
    ...{ id: `call_${index}`, name: "agent" },
    input: { tasks: [{ prompt: `child ${index}`, description: `Part ${index}` }], subagent_type: "explore" },
  }));
  const hold = Promise.withResolvers<void>();
  const script = inTurn(calls);
  site = await openAgentSite(
    (conversation) => ({
      ...script(conversation),
      ...(conversation.prompt !== "parent" && { holdUntil: hold.promise }),
    }),
    { agents: { confirmUsd: 0.2 } },
    { interactive: true },
  );
  const sessionId = await site.open();
  const asked = rejectAll(site, sessionId);
  const ended = site.prompt(sessionId, "parent");
  // Each is estimated with those before it, and the ninth makes it more than that.
  await expect.poll(() => asked.length).toBe(12);
  hold.resolve();
  await ended;
  expect(JSON.stringify(asked[0])).toContain("9 agents at once will cost about $0.21");
  expect(await site.allFacts(sessionId, "agent.started")).toHaveLength(8);
});

test("where nobody can answer they are denied with the reason, and fewer may start", async () => {
  site = await openAgentSite(inTurn([orders(20)], [orders(3)]), { agents });
  const sessionId = await site.open();
  await site.prompt(sessionId, "parent");
  const [refused, done] = (await site.facts(sessionId)).flatMap(({ fact }) =>
    fact.type === "tool.ended" ? [fact] : [],
  );
  expect(refused).toMatchObject({ outcome: "refused", output: expect.stringContaining("20 agents at once will cost") });
  expect(done).toMatchObject({ outcome: "completed" });
  expect(await site.allFacts(sessionId, "agent.ended")).toHaveLength(3);
});

test("a rule that allows agents leaves out the question", async () => {
  site = await openAgentSite(inTurn([orders(20)]), { agents, permission: { agent: "allow" } });
  const sessionId = await site.open();
  await site.prompt(sessionId, "parent");
  expect(await site.allFacts(sessionId, "agent.ended")).toHaveLength(20);
});

test("what agents of the same definition cost in this project counts, also in a later session", async () => {
  const script = inTurn([orders(4)], [orders(4, "explore")]);
  site = await openAgentSite(
    (conversation) => {
      if (conversation.prompt === "child dear") return { text: "Done.", usage: { input: 400_000, output: 0 } };
      const isFirst = String(conversation.request.raw).includes("parent first");
      if (!isFirst) return script(conversation);
      const input = { description: "Dear", prompt: "child dear" };
      return conversation.results.length === 0
        ? { toolCalls: [{ id: "call_dear", name: "agent", input }] }
        : { text: "Done." };
    },
    {},
    { interactive: true },
  );
  const first = await site.open();
  await site.prompt(first, "parent first");
  const later = await site.open();
  const asked = rejectAll(site, later);
  await site.prompt(later, "parent later");
  expect(asked).toHaveLength(1);
  expect(JSON.stringify(asked)).toContain("4 agents at once will cost about $1.60");
  expect((await site.allFacts(later, "agent.started")).map(({ agent }) => agent)).toEqual(
    Array.from({ length: 4 }, () => "explore"),
  );
});
