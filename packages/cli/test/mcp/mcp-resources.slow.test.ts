/** Proves with the real program that a resource that changed after it was read is told once. */
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

const mcp = { wide: { command: process.execPath, args: [join(import.meta.dirname, "wide-server.mjs")] } };
const permission = { "mcp__*": "allow" };
const call = (name: string, input = {}) => ({ toolCalls: [{ name, input }] });

test("a resource that the model read is watched, and its change is told once", async () => {
  const read = call("read", { filePath: "mcp://wide/board://1" });
  const touch = call("mcp__wide__touch");
  bench = await openWorkbench([read, touch, touch, touch, { text: "Done." }], { mcp, permission });
  const { code } = await bench.run(["-p", "go"]);
  expect(code).toBe(0);
  const sent = JSON.stringify(bench.model.requests.at(-1)?.body.messages);
  expect(sent).toContain("a board");
  expect(sent).toContain("touched");
  expect(sent.match(/It changed since you read it/g)).toHaveLength(1);
});
