/** A fork reads the outputs that its history names: one of a session also after the first session is gone, and an agent. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAgentSite } from "./agent-site.ts";

test("a fork has the artifacts of its origin and numbers its own above them", async () => {
  const command = "seq 1 60000";
  const site = await openAgentSite(
    ({ results, request: { body } }) =>
      body.messages?.at(-1)?.role !== "tool"
        ? { toolCalls: [{ id: `call_${results.length}`, name: "bash", input: { command, description: "count" } }] }
        : { text: "Counted." },
    { permission: { bash: { "seq *": "allow" } } },
  );
  try {
    const sessionId = await site.open();
    await site.prompt(sessionId, "parent counts");
    const forked = await site.kedge.door.send<"session.fork">({ type: "session.fork", sessionId });
    if (!forked.ok) throw new Error(forked.failure.message);
    const forkId = forked.value.sessionId;
    const folder = (id: string) => join(site.home, "data", "tool-output", id);
    rmSync(folder(sessionId), { recursive: true });
    expect(readFileSync(join(folder(forkId), "0.bash.log"), "utf8")).toContain("59999");
    await site.kedge.engine.send<"session.resume">({ type: "session.resume", sessionId: forkId });
    await site.prompt(forkId, "once more");
    expect(readFileSync(join(folder(forkId), "1.bash.log"), "utf8")).toContain("59999");
  } finally {
    await site.close();
  }
});

test("an agent that continues a conversation reads its outputs, and never numbers its own like one of them", async () => {
  const bash = (id: string, last: number) => ({
    toolCalls: [{ id, name: "bash", input: { command: `seq 1 ${last}`, description: "count" } }],
  });
  const site = await openAgentSite(
    ({ results, request }) => {
      if (String(request.raw).includes("Count higher.")) {
        const own = results.length - 2;
        if (own === 0) return bash("call_fork", 70_000);
        if (own > 1) return { text: `Counted: ${results.at(-1)?.includes("59999")}` };
        return { toolCalls: [{ id: "call_r", name: "read", input: { filePath: "artifact://0", offset: 59_990 } }] };
      }
      if (results.length === 0) return bash("call_first", 60_000);
      const input = { name: "higher" };
      return results.length === 1 ? { toolCalls: [{ id: "call_s", name: "skill", input }] } : { text: "Done." };
    },
    { permission: { bash: { "seq *": "allow" }, skill: "allow" } },
    {
      homeFiles: {
        "skills/higher/SKILL.md": "---\nname: higher\ndescription: Counts.\ncontext: fork\n---\nCount higher.\n",
      },
    },
  );
  try {
    const sessionId = await site.open();
    await site.prompt(sessionId, "parent counts");
    const [fork] = await site.allFacts(sessionId, "agent.ended");
    expect(fork).toMatchObject({ status: "completed", result: "Counted: true" });
    const folder = (id: string) => join(site.home, "data", "tool-output", id);
    expect(readdirSync(folder(fork?.agentId ?? "")).toSorted()).toEqual(["0.bash.log", "1.bash.log"]);
    expect(readFileSync(join(folder(fork?.agentId ?? ""), "1.bash.log"), "utf8")).toContain("69999");
    expect(readdirSync(folder(sessionId)).toSorted()).toEqual(["0.bash.log", "1.bash.log"]);
  } finally {
    await site.close();
  }
});

test("outputs of a session and its agents are numbered in one row, so a number that an agent reports can be read", async () => {
  const bash = (id: string, command: string) => ({
    toolCalls: [{ id, name: "bash", input: { command, description: "count" } }],
  });
  const site = await openAgentSite(
    ({ prompt, results }) => {
      if (prompt.startsWith("child"))
        return results.length === 0 ? bash("call_child", "seq 1 70000") : { text: "The list: artifact://1" };
      if (results.length === 0) return bash("call_first", "seq 1 60000");
      const order = { description: "Count", prompt: "child counts" };
      if (results.length === 1) return { toolCalls: [{ id: "call_a", name: "agent", input: order }] };
      if (results.length === 2) return bash("call_last", "seq 1 80000");
      const read = (number: number, offset: number) => ({
        ...{ id: `call_r${number}`, name: "read" },
        input: { filePath: `artifact://${number}`, offset },
      });
      return results.length === 3
        ? { toolCalls: [read(0, 59_990), read(1, 69_990), read(2, 79_990)] }
        : {
            text: results
              .slice(3)
              .map((result) => /\b[678]0000\b/.exec(result)?.[0])
              .join(" "),
          };
    },
    { permission: { bash: { "seq *": "allow" } } },
  );
  try {
    const sessionId = await site.open();
    expect(await site.prompt(sessionId, "parent counts")).toMatchObject({ text: "60000 70000 80000" });
  } finally {
    await site.close();
  }
});
