/** A coordinator starts workers and reports their results; it has no tool that reads or changes files, whatever it calls. */
import { expect, test } from "vitest";
import { openAgentSite } from "./agent-site.ts";

test("three workers from one message, one fails, and an edit by the coordinator is impossible", async () => {
  const site = await openAgentSite(
    ({ prompt, results, request }) => {
      if (prompt === "child two") return { status: 400, body: '{"error":{"message":"no"}}' };
      if (prompt.startsWith("child")) {
        return results.length === 0
          ? { toolCalls: [{ id: "call_read", name: "read", input: { filePath: "kept.txt" } }] }
          : { text: `Done by ${prompt}: ${results[0]?.includes("kept") ? "read it" : "nothing"}.` };
      }
      if (results.length === 0) {
        const edit = {
          id: "call_edit",
          name: "edit",
          input: { filePath: "kept.txt", oldString: "kept", newString: "gone" },
        };
        const workers = ["one", "two", "three"].map((name) => ({
          id: `call_${name}`,
          name: "agent",
          input: { description: `Part ${name}`, prompt: `child ${name}`, run_in_background: true },
        }));
        return { toolCalls: [edit, ...workers] };
      }
      const said = JSON.stringify(request.body.messages);
      const ends = ["completed", "failed"].map(
        (status) => said.match(new RegExp(`ended: ${status}`, "g"))?.length ?? 0,
      );
      return { text: `${ends[0]} completed, ${ends[1]} failed` };
    },
    { agents: { coordinator: true } },
    { files: { "kept.txt": "kept\n" } },
  );
  try {
    const sessionId = await site.open("bypass");
    expect(await site.prompt(sessionId, "parent")).toMatchObject({ reason: "completed" });
    const ends = await site.allFacts(sessionId, "agent.ended");
    expect(ends.map(({ status }) => status).toSorted()).toEqual(["completed", "completed", "failed"]);
    const runs = (await site.facts(sessionId)).flatMap(({ fact }) => (fact.type === "run.ended" ? [fact.text] : []));
    expect(runs).toEqual(["2 completed, 1 failed"]);
    const calls = await site.allFacts(sessionId, "tool.ended");
    expect(calls.find(({ tool }) => tool === "edit")).toMatchObject({ outcome: "failed" });
    const own = site.model.requests.filter(({ body }) => !JSON.stringify(body.messages).includes("child"));
    const names = (own[0]?.body.tools ?? []).map((tool) => (tool as { function: { name: string } }).function.name);
    expect(names.toSorted()).toEqual([
      ...["agent", "send_message", "task_create", "task_get", "task_list", "task_output", "task_stop", "task_update"],
    ]);
  } finally {
    await site.close();
  }
});

test("a coordinator never plans: neither from its start nor by a change of mode, and what it sends out still may", async () => {
  const site = await openAgentSite(() => ({ text: "Done." }), { agents: { coordinator: true } });
  const { engine } = site.kedge;
  const refusal = {
    ok: false,
    failure: {
      code: "invalid_command",
      message: "A coordinator cannot plan.",
      recovery: "Plan in a session without --agent coordinator, or ask the coordinator for a plan agent.",
      retryable: false,
    },
  };
  try {
    expect(await engine.send<"session.create">({ type: "session.create", mode: "plan" })).toEqual(refusal);
    const sessionId = await site.open();
    const change = (mode: "plan" | "accept-edits") =>
      engine.send<"mode.change">({ type: "mode.change", sessionId, mode });
    expect(await change("plan")).toEqual(refusal);
    expect(await change("accept-edits")).toEqual({ ok: true, value: {} });
    const order = { prompt: "child", description: "Plan it", agent: "plan" };
    const started = await site.kedge.door.send<"agent.start">({ type: "agent.start", sessionId, ...order });
    expect(started.ok).toBe(true);
    await expect.poll(async () => (await site.allFacts(sessionId, "agent.ended")).length).toBe(1);
    expect(await site.allFacts(sessionId, "agent.ended")).toMatchObject([{ status: "completed", result: "Done." }]);
  } finally {
    await site.close();
  }
});

test("an oracle may start explore agents and no others, and what it starts starts nobody", async () => {
  const call = (id: string, name: string, type: string) => ({
    ...{ id, name: "agent" },
    input: { description: "Ask it", prompt: name, subagent_type: type, run_in_background: false },
  });
  const site = await openAgentSite(({ prompt, results }) => {
    if (prompt === "child below") return { text: "Found it." };
    if (prompt === "child oracle" && results.length === 0)
      return { toolCalls: [call("call_e", "child below", "explore"), call("call_d", "child below", "docs")] };
    if (prompt === "child oracle") return { text: `Thought of: ${results.join(" | ")}` };
    return results.length === 0 ? { toolCalls: [call("call_o", "child oracle", "oracle")] } : { text: "Done." };
  });
  try {
    const sessionId = await site.open("bypass");
    await site.prompt(sessionId, "parent");
    const [oracle] = await site.allFacts(sessionId, "agent.ended");
    expect(oracle?.result).toMatch(
      /^Thought of: explore agent ses_\w+: completed.*Found it\..* \| .*This agent may only start: explore\./s,
    );
    const offered = site.model.requests.map(({ body, raw }) => ({
      isBelow: raw.includes("child below") && !raw.includes("child oracle"),
      names: (body.tools ?? []).map((tool) => (tool as { function: { name: string } }).function.name),
    }));
    for (const { names } of offered.filter(({ isBelow }) => isBelow)) expect(names).not.toContain("agent");
    expect(offered.filter(({ isBelow }) => isBelow)).toHaveLength(1);
  } finally {
    await site.close();
  }
});
