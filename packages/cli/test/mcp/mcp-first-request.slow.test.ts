/** Proves with a session that stays open what the first request says of servers: names alone, and those that are late later. */
import { join } from "node:path";
import type { Client } from "@kedge/protocol";
import { afterEach, expect, test } from "vitest";
import { createLocal } from "../../src/sdk/create-local.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";

let bench: Workbench | undefined;
afterEach(() => bench?.close());

const entry = (name: string) =>
  join(import.meta.dirname, `../../../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);

/** Sends a prompt and waits for the request that it leads to. */
async function prompt(client: Client, sessionId: string, text: string): Promise<void> {
  const requests = bench?.model.requests ?? [];
  const before = requests.length;
  const submit = { type: "prompt.submit", sessionId, text, delivery: "follow-up", options: {} } as const;
  expect(await client.send<"prompt.submit">(submit)).toMatchObject({ ok: true });
  await expect.poll(() => requests.length).toBe(before + 1);
}

test("connected servers are in the first request by the names of their tools; one that is late changes no byte", async () => {
  const answer = { text: "Done." };
  bench = await openWorkbench([answer, answer, answer], {
    mcp: {
      everything: { command: process.execPath, args: [entry("everything")] },
      memory: { command: process.execPath, args: [entry("memory")], enabled: true },
      late: { command: process.execPath, args: [entry("sequential-thinking")] },
    },
  });
  const kedge = await createLocal({
    directory: bench.project,
    home: bench.home,
    environment: { PATH: process.env["PATH"], HOME: bench.directory },
  });
  try {
    const { client } = kedge;
    const connect = async (name: string) =>
      expect(await client.send<"mcp.connect">({ type: "mcp.connect", name })).toMatchObject({
        value: { state: "connected" },
      });
    for (const name of ["everything", "memory"]) await connect(name);
    const created = await client.send<"session.create">({ type: "session.create" });
    const { sessionId } = created.ok ? created.value : { sessionId: "" };
    await client.send<"mcp.disconnect">({ type: "mcp.disconnect", name: "late" });
    await prompt(client, sessionId, "first");
    await connect("late");
    await prompt(client, sessionId, "second");
    await prompt(client, sessionId, "third");
  } finally {
    await kedge.close();
  }
  const [first, second, third] = bench.model.requests.map(({ body, raw }) => ({
    tools: JSON.stringify(body.tools),
    messages: JSON.stringify(body.messages),
    text: raw.toString(),
  }));
  for (const name of ["mcp__everything__echo", "mcp__memory__create_entities"]) {
    expect(first?.messages).toContain(name);
    expect(first?.tools).not.toContain(name);
  }
  // What only a schema or a description would say.
  for (const word of ["Echoes back the input", "entityType", "sequentialthinking"])
    expect(first?.text).not.toContain(word);
  expect(second?.messages).toContain("mcp__late__sequentialthinking");
  for (const [before, after] of [
    [first, second],
    [second, third],
  ]) {
    expect(after?.tools.startsWith(before?.tools.slice(0, -1) ?? "none")).toBe(true);
    expect(after?.messages.startsWith(before?.messages.slice(0, -1) ?? "none")).toBe(true);
  }
});
