/** Proves with the real program what happens when tools change after they were allowed, and when their server is down. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

const clumsy = join(import.meta.dirname, "../../../extend/test/mcp/clumsy-server.mjs");
const server = (...args: readonly string[]) => ({ command: process.execPath, args: [clumsy, ...args] });
const fine = { name: "mcp__clumsy__fine", input: {} };
const go = ["-p", "go", "--output-format", "stream-json"];
const allowed = { permission: { "mcp__clumsy__*": "allow" } };

test("an allow rule of the user does not cover a description that changed, until the user accepts it", async () => {
  const turn = [{ toolCalls: [fine] }, { text: "Done." }];
  bench = await openWorkbench([...turn, ...turn, ...turn], { mcp: { clumsy: server() }, ...allowed });
  const { run, project } = bench;
  expect((await run(go)).stdout).toContain("fine is done");
  writeFileSync(join(project, "clumsy-server-changed"), "");
  const changed = await run(go);
  expect(changed.stdout).not.toContain("fine is done");
  expect(changed.stdout).toContain("its description changed since it was first used");
  expect(changed.stderr).toContain("changed the description of fine. Review it with /mcp");
  expect((await run(["mcp", "accept", "clumsy"])).stdout).toBe("Accepted the current tool descriptions of clumsy.\n");
  expect((await run(go)).stdout).toContain("fine is done");
  rmSync(join(project, "clumsy-server-changed"));
  expect((await run(["mcp", "accept", "nobody"])).stderr).toBe("kedge: No MCP server named nobody.\n");
});

test("a call to a server that failed says which one, why, and what to do", async () => {
  bench = await openWorkbench([{ toolCalls: [fine] }, { text: "Done." }], {
    mcp: { clumsy: server("exits at start") },
    ...allowed,
  });
  const { stdout, stderr } = await bench.run(go);
  expect(stdout).toContain(
    "The MCP server clumsy failed: it exited with code 3. Tell the user to run: kedge mcp logs clumsy. Continue without it.",
  );
  expect(stderr).toContain("The MCP server clumsy failed: it exited with code 3.");
  expect((await bench.run(["mcp", "logs", "clumsy"])).stdout).toContain("secret of the server");
});

test("a call to a server that waits for approval says so", async () => {
  bench = await openWorkbench([{ toolCalls: [fine] }, { text: "Done." }], allowed);
  writeFileSync(join(bench.project, ".mcp.json"), JSON.stringify({ mcpServers: { clumsy: server() } }));
  const { stdout } = await bench.run([...go, "--trust"]);
  expect(stdout).toContain("The MCP server clumsy is not used: not approved.");
  expect(stdout).toContain("Tell the user to run: kedge mcp approve clumsy.");
});
