/** Proves with the real program that a call which is a task becomes a job; it takes as long as such a call is waited for. */
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

const mcp = { wide: { command: process.execPath, args: [join(import.meta.dirname, "wide-server.mjs")] } };
const permission = { "mcp__*": "allow", bash: "allow" };
const call = (name: string, input = {}) => ({ toolCalls: [{ name, input }] });

test("a call that is a task becomes a job, and its result comes back as a notice", { timeout: 120_000 }, async () => {
  bench = await openWorkbench(
    [
      call("mcp__wide__build"),
      call("bash", { command: "touch built", description: "Let the build end" }),
      call("job", { poll: ["job_1"] }),
      { text: "Done." },
    ],
    { mcp, permission },
  );
  const { stdout, code } = await bench.run(["-p", "go", "--output-format", "stream-json"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/build of the MCP server wide still runs after \d+ s and is job_1 in the background now\./);
  const sent = JSON.stringify(bench.model.requests.at(-1)?.body.messages);
  expect(sent).toContain("the build is green");
  expect(sent).toContain("untrusted-data");
});
