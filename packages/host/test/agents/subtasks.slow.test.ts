/** Prompts that give work to agents: they work before the model is asked, and their results are in its first request. */
import { expect, test } from "vitest";
import { openAgentSite } from "./agent-site.ts";

const command = `---
description: Look deep into a directory.
subtask: true
agent: explore
---
child look into $ARGUMENTS
`;

test("a command with subtask: true runs as an agent, and the model sees only its result", async () => {
  const site = await openAgentSite(
    ({ prompt }) => ({ text: prompt.startsWith("child") ? "Three parsers." : "Heard of three parsers." }),
    {},
    { homeFiles: { "commands/deep.md": command } },
  );
  try {
    const sessionId = await site.open();
    const ended = await site.prompt(sessionId, "/deep src");
    expect(ended).toMatchObject({ reason: "completed", text: "Heard of three parsers." });
    const [first, second, ...more] = site.model.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(more).toEqual([]);
    expect(first).toContain("child look into src");
    expect(second).toContain("/deep src");
    expect(second).toContain("explore agent ses_");
    expect(second).toContain("Three parsers.");
    const [step] = (await site.facts(sessionId)).flatMap(({ fact }) => (fact.type === "step.ended" ? [fact] : []));
    expect(step).toMatchObject({ stopReason: "tool-calls", cost: { usd: 0 } });
    expect(step?.content).toMatchObject([{ type: "tool-call", tool: "agent" }]);
  } finally {
    await site.close();
  }
});

test("several subtasks of one prompt run at once, and a denied one is refused before it starts", async () => {
  const both = Promise.withResolvers<void>();
  let working = 0;
  const site = await openAgentSite(
    ({ prompt }) => {
      if (!prompt.startsWith("child")) return { text: "All known." };
      working += 1;
      if (working === 2) both.resolve();
      // Neither is answered before both have asked.
      return { text: `${prompt} is done.`, holdUntil: both.promise };
    },
    { permission: { agent: { "*": "allow", reviewer: "deny" } } },
  );
  try {
    const sessionId = await site.open();
    const subtasks = ["general", "explore", "reviewer"].map((agent) => ({
      ...{ agent, prompt: `child ${agent}`, description: `Ask ${agent}` },
    }));
    const ended = new Promise((resolve) => {
      site.kedge.engine.subscribe(sessionId, (event) => {
        if (event.kind === "fact" && event.record.fact.type === "run.ended") resolve(event.record.fact);
      });
    });
    const sent = await site.kedge.door.send<"prompt.submit">({
      ...{ type: "prompt.submit", sessionId, text: "parent", delivery: "steer", options: {}, subtasks },
    });
    expect(sent.ok).toBe(true);
    expect(await ended).toMatchObject({ reason: "completed", text: "All known." });
    const calls = (await site.facts(sessionId)).flatMap(({ fact }) => (fact.type === "tool.ended" ? [fact] : []));
    expect(calls.map(({ outcome }) => outcome).toSorted()).toEqual(["completed", "completed", "refused"]);
    expect(await site.allFacts(sessionId, "agent.started")).toHaveLength(2);
  } finally {
    both.resolve();
    await site.close();
  }
});

test("an agent that a rule denies is started neither by a workflow nor by a program", async () => {
  const told = Promise.withResolvers<string>();
  const site = await openAgentSite(
    ({ prompt }) => ({ text: `${prompt} is done.` }),
    { permission: { agent: { general: "deny" } } },
    {
      homeFiles: {
        "workflows/both.js": `
const ask = (agent_) => agent("child " + agent_, { agent: agent_ }).catch((error) => error.message);
return [await ask("general"), await ask("explore")];`,
      },
      onNotice: (sentence) => sentence.startsWith("Workflow both") && told.resolve(sentence),
    },
  );
  try {
    const sessionId = await site.open();
    await site.prompt(sessionId, "/workflow run both");
    expect(await told.promise).toMatch(
      /^Workflow both completed.*A rule denies general agents.*child explore is done/s,
    );
    const order = { prompt: "child", description: "A task", agent: "general" };
    const started = await site.kedge.door.send<"agent.start">({ type: "agent.start", sessionId, ...order });
    expect(started).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining("A rule denies general") },
    });
    expect(await site.allFacts(sessionId, "agent.started")).toMatchObject([{ agent: "explore" }]);
  } finally {
    await site.close();
  }
});
