/** Proves that kedge passes every required scenario of the conformance suite, in both revisions and both roles. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const script = join(import.meta.dirname, "../../../../scripts/conformance-mcp.ts");
const patienceMs = 1_200_000;

test("50 of 50 client, 67 of 67 server and 10 of 10 task scenarios", { timeout: patienceMs }, async () => {
  const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  const lines = output.trimEnd().split("\n");
  expect(lines.filter((line) => !line.startsWith("passed "))).toEqual(["client 50/50 server 67/67 tasks 10/10"]);
  expect(code).toBe(0);
});
