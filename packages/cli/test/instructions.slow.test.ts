/** Instruction files through the real program: what the model is sent of them, and what the user is told. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

const done = { text: "Done." };

function put(path: string, text: string, at = bench.project): void {
  mkdirSync(dirname(join(at, path)), { recursive: true });
  writeFileSync(join(at, path), text);
}

const bodies = () => bench.model.requests.map(({ body }) => JSON.stringify(body));

test("AGENTS.md reaches the model after trust, and not before", async () => {
  bench = await openWorkbench([done, done]);
  put("AGENTS.md", "Say zanzibar.");
  const before = await bench.run(["-p", "hi"]);
  expect(before).toEqual({ code: 0, stdout: "Done.\n", stderr: "x" });
  await bench.run(["trust", "add"]);
  const after = await bench.run(["-p", "hi"]);
  expect(after).toEqual({ code: 0, stdout: "Done.\n", stderr: "" });
  console.log(JSON.stringify(bench.model.requests[1]?.body, null, 1).slice(0, 6000));
});
