/** Proves that hooks in the frontmatter of a skill run from its use to the end of the run, however it ends, and not where hooks are off. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

const skill = `---
name: careful
description: Works carefully
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: echo '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"not while careful"}}'
  Stop:
    - hooks:
        - type: command
          command: touch stopped
---
Be careful.`;

const bash: MockTurn = { toolCalls: [{ name: "bash", input: { command: "touch ran", description: "Touches" } }] };
const use: MockTurn = { toolCalls: [{ name: "skill", input: { name: "careful" } }] };
const done: MockTurn = { text: "Done." };

async function open(turns: readonly MockTurn[], settings = {}): Promise<void> {
  bench = await openWorkbench([...turns], { permission: { skill: "allow", bash: "allow" }, ...settings });
  const file = join(bench.home, "skills/careful/SKILL.md");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, skill);
}

const say = (...lines: string[]) => bench.run(["--console"], { input: `${[...lines, "/exit"].join("\n")}\n` });
const is = (name: string) => existsSync(join(bench.project, name));
const whole = (at: number) => bench.model.requests[at]?.raw.toString() ?? "";

test("from the use of the skill to the end of the run", async () => {
  await open([use, bash, done, bash, done]);
  const ran = await say("be careful", "now run it");
  expect([is("stopped"), whole(2).includes("not while careful")], ran.stderr + ran.stdout).toEqual([true, true]);
  // The second run has nothing of them any more.
  expect(whole(4)).not.toMatch(/not while careful[\s\S]*not while careful/);
  expect(is("ran")).toBe(true);
});

test("a run that fails takes them away too, and a skill that the user types brings them", async () => {
  await open([{ status: 400, body: '{"error":{"message":"no"}}' }, bash, done]);
  await say("/careful", "now run it");
  expect(is("ran")).toBe(true);
  rmSync(join(bench.project, "ran"));
  await bench.close();
  await open([bash, done]);
  await say("/careful");
  expect(is("ran")).toBe(false);
  expect(whole(1)).toContain("not while careful");
});

test("not where hooks are off, which is said", async () => {
  await open([use, bash, done], { disableAllHooks: true });
  const ran = await say("be careful");
  expect(ran.stdout + ran.stderr).toContain("Hooks of skill careful do not run: disableAllHooks is set.");
  expect(is("ran")).toBe(true);
});
