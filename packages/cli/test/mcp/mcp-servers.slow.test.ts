/** Proves with the real program that configured servers are used: found, asked about, called, and ended. */
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";

let bench: Workbench | undefined;
afterEach(() => bench?.close());

const packages = join(import.meta.dirname, "../../../../node_modules/@modelcontextprotocol");
const everything = { command: process.execPath, args: [join(packages, "server-everything/dist/index.js")] };

test("a tool of a server is found by search and called", async () => {
  bench = await openWorkbench(
    [
      { toolCalls: [{ name: "tool_search", input: { query: "echo message" } }] },
      { toolCalls: [{ name: "mcp__everything__echo", input: { message: "hello" } }] },
      { text: "Done." },
    ],
    { mcp: { everything }, permission: { "mcp__everything__*": "allow" } },
  );
  const { code, stdout, stderr } = await bench.run(["-p", "go", "--output-format", "stream-json"]);
  expect(stderr).toBe("");
  expect(stdout).toContain("Echo: hello");
  expect(code).toBe(0);
  const [, , last] = bench.model.requests;
  expect(last?.raw.toString()).toContain("untrusted-data");
});
