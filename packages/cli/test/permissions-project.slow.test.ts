/** Proves the answers that outlast a question or change it: saved for the project, and with another command. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const run = (command: string): MockTurn => ({
  toolCalls: [{ name: "bash", input: { command, description: "touches a file" } }],
});

test("what is saved for the project is not asked about in a later run", async () => {
  bench = await openWorkbench([run("touch a.txt"), { text: "Done." }, run("touch a.txt"), { text: "Again." }]);
  const { stdout } = await bench.run(["--console"], { input: "touch it\np\n" });
  expect(stdout).toContain("[p] always in this project");
  expect(stdout).toContain("(Saved to .kedge/config.local.json: allow bash ");
  expect(existsSync(join(bench.project, "a.txt"))).toBe(true);
  const settings = JSON.parse(readFileSync(join(bench.project, ".kedge", "config.local.json"), "utf8"));
  expect(Object.values(settings.permission.bash)).toEqual(["allow"]);
  const { stdout: later, stderr } = await bench.run(["-p", "touch it again", "--output-format", "json"]);
  expect({ ...JSON.parse(later), stderr }).toMatchObject({ result: "Again.", permission_denials: [], stderr: "" });
});

test("what cannot be saved is told, and asked again", async () => {
  bench = await openWorkbench([run("touch a.txt"), { text: "Done." }]);
  writeFileSync(join(bench.project, ".kedge"), "a file in the place of the directory");
  const { stdout } = await bench.run(["--console"], { input: "touch it\np\ny\n" });
  expect(stdout).toContain("Could not save the rule for the project: .kedge is not a directory in the project.");
  expect(stdout).toContain("Done.");
  expect(existsSync(join(bench.project, "a.txt"))).toBe(true);
});

test("another command runs in the place of the model's, and the model is told", async () => {
  bench = await openWorkbench([run("touch a.txt"), { text: "Done." }]);
  const { stdout } = await bench.run(["--console"], { input: "touch it\ne touch b.txt\n" });
  expect(stdout).toContain("[e command] run this instead");
  expect([existsSync(join(bench.project, "a.txt")), existsSync(join(bench.project, "b.txt"))]).toEqual([false, true]);
  expect(JSON.stringify(bench.model.requests[1]?.body.messages?.at(-1))).toContain("touch b.txt");
});

test("another command is judged like any", async () => {
  bench = await openWorkbench([run("touch a.txt"), { text: "Done." }], { permission: { bash: { "rm *": "deny" } } });
  const { stdout } = await bench.run(["--console"], { input: "touch it\ne rm -r .\n" });
  expect(stdout).toContain("not permitted: ");
  expect(existsSync(join(bench.project, ".git"))).toBe(true);
});
