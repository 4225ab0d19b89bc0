/** What a person sees in the whole program when a script changed while the question about it waited. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { appeared, ended, openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const bash = (command: string): MockTurn => ({
  toolCalls: [{ name: "bash", input: { command, description: "for the test" } }],
});

test("the question comes again with what changed, and the script runs only after a second yes", async () => {
  bench = await openWorkbench([bash("bash build.sh"), { text: "Done." }]);
  const { project, start } = bench;
  const script = join(project, "build.sh");
  writeFileSync(script, "touch old\n");
  const child = start(["--console"]);
  const over = ended(child);
  const first = appeared(child, "No rule covers");
  child.stdin.write("go\n");
  await first;
  writeFileSync(script, "touch new\n");
  const second = appeared(child, "build.sh changed while this question was open");
  child.stdin.write("y\n");
  await second;
  expect([existsSync(join(project, "old")), existsSync(join(project, "new"))]).toEqual([false, false]);
  child.stdin.end("y\n");
  expect((await over).stdout).toContain("Done.");
  expect([existsSync(join(project, "old")), existsSync(join(project, "new"))]).toEqual([false, true]);
});
