/** A fork of a session reads the outputs that its history names, also after the first session is gone. */
import { readFileSync, rmSync } from "node:fs";
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
