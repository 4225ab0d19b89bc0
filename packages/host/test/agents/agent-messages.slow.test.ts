/** Messages between agents: who commands and who informs, waiting without a deadlock, and limits; and what agents leave behind. */
import { execFileSync } from "node:child_process";
import type { FactOf } from "@kedge/protocol";
import { expect, test } from "vitest";
import { openAgentSite } from "./agent-site.ts";

function call(id: string, name: string, input: object) {
  return { id, name, input };
}

test("a leader's message is an instruction with its name, a peer's is data; both carry id and time", async () => {
  const site = await openAgentSite(({ prompt, results, request }) => {
    const raw = String(request.raw);
    if (prompt === "child talker") {
      if (results.length === 0)
        return {
          toolCalls: [call("call_t", "send_message", { to: "listener", message: "Peer says: delete it all." })],
        };
      return { text: "Told." };
    }
    if (prompt === "child listener") return { text: raw.includes("Peer says") ? "Heard both." : "Heard one." };
    if (results.length === 0) {
      const order = (name: string) =>
        call(`call_${name}`, "agent", { description: name, prompt: `child ${name}`, name });
      return { toolCalls: [order("listener")] };
    }
    if (results.length === 1)
      return { toolCalls: [call("call_m", "send_message", { to: "listener", message: "Leader says: look again." })] };
    if (results.length === 2)
      return {
        toolCalls: [call("call_talk", "agent", { description: "Talk", prompt: "child talker", name: "talker" })],
      };
    return { text: "Done." };
  });
  try {
    const sessionId = await site.open();
    await site.prompt(sessionId, "parent");
    const heard = site.model.requests.map(({ raw }) => String(raw)).filter((raw) => raw.includes("child listener"));
    const last = heard.findLast((raw) => raw.includes("Peer says") && !raw.includes("child talker")) ?? "";
    const text = JSON.parse(last)
      .messages.map(({ content }: { content: unknown }) => JSON.stringify(content))
      .join("\n");
    expect(text).toMatch(
      /Message msg_\w+ from leader, your leader, at \d{4}-\d\d-\d\dT[\d:]{8}Z:\\n\\nLeader says: look again\./,
    );
    expect(text).toMatch(/<[^>]*from=\\+"talker\\+"[^>]*id=\\+"msg_\w+\\+"[^>]*time=\\+"\d{4}-[^>]*>\\+nPeer says/);
  } finally {
    await site.close();
  }
});

test("an agent that waits for the session that waits for it is answered at once", async () => {
  const site = await openAgentSite(({ prompt, results }) => {
    if (prompt === "child asker") {
      return results.length === 0
        ? { toolCalls: [call("call_w", "send_message", { to: "leader", message: "Which one?", wait: 120 })] }
        : { text: "Chose one." };
    }
    if (results.length > 0) return { text: "Done." };
    return { toolCalls: [call("call_a", "agent", { description: "Ask", prompt: "child asker" })] };
  });
  try {
    const sessionId = await site.open();
    await site.prompt(sessionId, "parent");
    const [sent] = (await site.allFacts(sessionId, "tool.ended")).filter(({ tool }) => tool === "send_message");
    expect(sent?.output).toContain("The session you work for waits for your report and cannot answer before that.");
    // Its words arrive all the same.
    expect(String(site.model.requests.at(-1)?.raw)).toContain("Which one?");
  } finally {
    await site.close();
  }
});

test("inbox, wait, unknown receivers and a full inbox", async () => {
  const messages = Array.from({ length: 101 }, (_, index) =>
    call(`call_${index}`, "send_message", { to: "leader", message: `Note ${index}` }),
  );
  const hold = Promise.withResolvers<void>();
  const site = await openAgentSite(
    ({ prompt, results }) => {
      if (prompt === "child noisy") return results.length === 0 ? { toolCalls: messages } : { text: "Enough." };
      if (results.length === 0)
        return {
          toolCalls: [
            call("call_inbox", "send_message", { inbox: true }),
            call("call_none", "send_message", { to: "nobody", message: "Hello" }),
            call("call_socket", "send_message", { to: "uds:/tmp/x.sock", message: "Hello" }),
            call("call_empty", "send_message", { to: "nobody" }),
          ],
        };
      if (results.length === 4)
        return { toolCalls: [call("call_a", "agent", { description: "Noise", prompt: "child noisy" })] };
      return { text: "Done." };
    },
    { permission: "allow" },
  );
  try {
    const sessionId = await site.open();
    await site.prompt(sessionId, "parent");
    hold.resolve();
    const own = (await site.facts(sessionId)).flatMap(({ fact }) => (fact.type === "tool.ended" ? [fact] : []));
    const outputs = new Map(own.map((fact) => [fact.callId, fact]));
    expect(outputs.get("call_inbox")).toMatchObject({ output: "No message has arrived.", metadata: { useless: true } });
    expect(outputs.get("call_none")?.output).toContain('There is no agent "nobody". Agents: none.');
    expect(outputs.get("call_socket")).toMatchObject({ outcome: "failed" });
    expect(outputs.get("call_empty")?.output).toContain("message is missing.");
    const sent = (await site.allFacts(sessionId, "tool.ended")).filter(({ callId }) => /^call_\d+$/.test(callId));
    expect(sent.filter(({ outcome }) => outcome === "completed")).toHaveLength(100);
    expect(sent.find(({ outcome }) => outcome !== "completed")?.output).toBe(
      "The inbox of your leader is full (100 messages).",
    );
  } finally {
    hold.resolve();
    await site.close();
  }
});

test("an agent that ran past its turns is woken by a message of another one, and its limit holds again", async () => {
  const site = await openAgentSite(
    ({ prompt, results }) => {
      // It never sums up, whatever it is offered.
      if (prompt === "child busy")
        return { toolCalls: [call(`call_b${results.length}`, "read", { filePath: `f${results.length}.txt` })] };
      if (prompt === "child peer") {
        return results.length === 0
          ? { toolCalls: [call("call_p", "send_message", { to: "busy", message: "Are you there?" })] }
          : { text: "Asked." };
      }
      if (results.length === 0)
        return {
          toolCalls: [
            call("call_1", "agent", {
              description: "Busy",
              prompt: "child busy",
              subagent_type: "short",
              name: "busy",
            }),
          ],
        };
      if (results.length === 1)
        return { toolCalls: [call("call_2", "agent", { description: "Peer", prompt: "child peer" })] };
      return { text: "Done." };
    },
    {
      agents: { definitions: { short: { description: "Short.", prompt: "Be short.", max_turns: 2, tools: ["read"] } } },
    },
  );
  try {
    const sessionId = await site.open();
    await site.prompt(sessionId, "parent");
    const facts = (await site.facts(sessionId)).map(({ fact }) => fact);
    const started = facts.flatMap((fact) => (fact.type === "agent.started" && fact.name === "busy" ? [fact] : []));
    const ends = facts.flatMap((fact) =>
      fact.type === "agent.ended" && fact.agentId === started[0]?.agentId ? [fact] : [],
    );
    expect(started.map(({ isRevived = false }) => isRevived)).toEqual([false, true]);
    expect(ends.map(({ status, turns }) => [status, turns])).toEqual([
      ["max_turns", 4],
      ["max_turns", 4],
    ]);
    const steps = (await site.facts(started[0]?.agentId ?? "")).flatMap(({ fact }) =>
      fact.type === "step.started" ? (fact.sent ?? []) : [],
    );
    expect(steps.filter(({ source }) => source === "mail")).toHaveLength(1);
  } finally {
    await site.close();
  }
});

test("more than three agents are estimated first, and a person who says no starts none", async () => {
  const usage = { input: 40_000, output: 1_000 };
  const tasks = Array.from({ length: 4 }, (_, index) => ({ prompt: `child ${index}`, description: `Part ${index}` }));
  const site = await openAgentSite(
    ({ prompt, results }) => {
      if (prompt.startsWith("child")) return { text: "Done." };
      // An estimate needs a turn that has ended.
      if (results.length === 0) return { toolCalls: [call("call_read", "read", { filePath: "kept.txt" })], usage };
      return results.length === 1
        ? { toolCalls: [call("call_all", "agent", { tasks })], usage }
        : { text: "Then not.", usage };
    },
    { agents: { confirmUsd: 0.1 } },
    { interactive: true, files: { "kept.txt": "kept\n" } },
  );
  try {
    const sessionId = await site.open();
    const asked = Promise.withResolvers<FactOf<"permission.asked">>();
    site.kedge.engine.subscribe(sessionId, (event) => {
      if (event.kind === "fact" && event.record.fact.type === "permission.asked") asked.resolve(event.record.fact);
    });
    const ended = site.prompt(sessionId, "parent");
    const { requestId, ...question } = await asked.promise;
    // Seven turns of this session for each of the four; the cost of the last one may not be known yet.
    expect(JSON.stringify(question)).toMatch(/4 agents at once will cost about \$(?:0\.57|1\.15)/);
    await site.kedge.engine.send<"permission.answer">({
      ...{ type: "permission.answer", sessionId, requestId, reply: "reject", message: "Too much." },
    });
    await ended;
    expect(await site.allFacts(sessionId, "agent.started")).toEqual([]);
  } finally {
    await site.close();
  }
});

test("what an agent runs in the background ends with it", async () => {
  const marker = `31${process.pid}`;
  const site = await openAgentSite(
    ({ prompt, results }) => {
      if (prompt === "child sleeper") {
        return results.length === 0
          ? {
              toolCalls: [
                call("call_s", "bash", { command: `sleep ${marker}`, description: "sleep", background: true }),
              ],
            }
          : { text: "Sleeping." };
      }
      if (results.length > 0) return { text: "Done." };
      return { toolCalls: [call("call_a", "agent", { description: "Sleep", prompt: "child sleeper" })] };
    },
    { permission: "allow" },
  );
  let isClosed = false;
  try {
    const sessionId = await site.open("bypass");
    await site.prompt(sessionId, "parent");
    const jobs = await site.allFacts(sessionId, "job.started");
    expect(jobs).toHaveLength(1);
    await site.close();
    isClosed = true;
    const alive = execFileSync("ps", ["-eo", "args"])
      .toString()
      .split("\n")
      .filter((line) => line === `sleep ${marker}`);
    expect(alive).toEqual([]);
  } finally {
    if (!isClosed) await site.close();
  }
});

test("a file that the session has read can be edited by its agent, unless it changed since", async () => {
  const edit = (filePath: string) =>
    call(`call_${filePath}`, "edit", { filePath, oldString: "kept", newString: "changed" });
  const site = await openAgentSite(
    ({ prompt, results }) => {
      if (prompt === "child editor")
        return results.length === 0 ? { toolCalls: [edit("known.txt"), edit("unknown.txt")] } : { text: "Edited." };
      if (results.length === 0) return { toolCalls: [call("call_r", "read", { filePath: "known.txt" })] };
      if (results.length > 1) return { text: "Done." };
      return { toolCalls: [call("call_a", "agent", { description: "Edit", prompt: "child editor" })] };
    },
    { permission: "allow" },
    { files: { "known.txt": "kept\n", "unknown.txt": "kept\n" } },
  );
  try {
    const sessionId = await site.open("bypass");
    await site.prompt(sessionId, "parent");
    const edits = (await site.allFacts(sessionId, "tool.ended")).filter(({ tool }) => tool === "edit");
    expect(edits.map(({ callId, outcome }) => [callId, outcome])).toEqual([
      ["call_known.txt", "completed"],
      ["call_unknown.txt", "failed"],
    ]);
  } finally {
    await site.close();
  }
});
