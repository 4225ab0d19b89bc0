/** Messages between ten agents that work, finish and are woken all at once: none is lost, none is read twice, all are read soon. */
import { createSeededRandom, rounds } from "@kedge/testing";
import { expect, test } from "vitest";
import { openAgentSite } from "./agent-site.ts";

const agents = 10;
const messagesMin = rounds({ usual: 600, long: 10_000 });
const callsPerTurn = 10;
const random = createSeededRandom();

test(`${messagesMin} messages between ${agents} agents`, { timeout: 1_800_000 }, async () => {
  let planned = 0;
  const names = Array.from({ length: agents }, (_, index) => `agent-${index}`);
  const site = await openAgentSite(({ prompt, results }) => {
    if (prompt.startsWith("child")) {
      // Some finish early and are woken by what others write.
      if (planned >= messagesMin || (results.length > 0 && random.next() < 0.2)) return { text: "Enough." };
      const own = prompt.slice("child ".length);
      const others = names.filter((name) => name !== own);
      const calls = Array.from({ length: callsPerTurn }, () => {
        planned += 1;
        const to = others[Math.floor(random.next() * others.length)];
        return { id: `call_${planned}`, name: "send_message", input: { to, message: `Message ${planned} of ${own}` } };
      });
      return { toolCalls: calls };
    }
    if (results.length > 0) return { text: "Noted." };
    const tasks = names.map((name) => ({ id: name, prompt: `child ${name}`, description: name }));
    const input = { subagent_type: "general", tasks, run_in_background: true };
    return { toolCalls: [{ id: "call_agents", name: "agent", input }] };
  });
  try {
    const sessionId = await site.open();
    const ended = await site.prompt(sessionId, "parent");
    expect(ended).toMatchObject({ reason: "completed" });
    const sent = (await site.allFacts(sessionId, "tool.ended")).filter(({ tool }) => tool === "send_message");
    const accepted = sent
      .filter(({ outcome }) => outcome === "completed")
      .map(({ metadata }) => String(metadata?.["messageId"]));
    expect(sent.length).toBeGreaterThanOrEqual(Math.min(messagesMin, 100));
    expect(new Set(accepted).size).toBe(accepted.length);
    const received: string[] = [];
    const read: string[] = [];
    const children = await site.kedge.store.sessions({ parentId: sessionId, limit: 100 });
    expect(children).toHaveLength(agents);
    for (const child of children) {
      const waiting = new Map<string, number>();
      let steps = 0;
      for (const { fact } of await site.facts(child.sessionId)) {
        if (fact.type === "mail.received") {
          received.push(fact.messageId);
          waiting.set(fact.messageId, steps);
        }
        if (fact.type !== "step.started") continue;
        steps += 1;
        for (const { source, origin } of fact.sent ?? []) {
          if (source !== "mail") continue;
          read.push(origin);
          // With the next step, or with the one after it where that was already being made.
          expect(steps - (waiting.get(origin) ?? Number.NEGATIVE_INFINITY)).toBeLessThanOrEqual(2);
        }
      }
    }
    expect(received.toSorted()).toEqual(accepted.toSorted());
    expect(read.toSorted()).toEqual(received.toSorted());
    const facts = await site.facts(sessionId);
    // Starts and ends of each agent take turns, however often it was woken.
    for (const { sessionId: agentId } of children) {
      const own = facts.flatMap(({ fact }) =>
        (fact.type === "agent.started" || fact.type === "agent.ended") && fact.agentId === agentId ? [fact.type] : [],
      );
      expect(own).toEqual(own.map((_, index) => (index % 2 === 0 ? "agent.started" : "agent.ended")));
      expect(own.at(-1)).toBe("agent.ended");
    }
    console.log(`${accepted.length} messages, ${sent.length - accepted.length} refused, seed ${random.seed}`);
  } finally {
    await site.close();
  }
});
