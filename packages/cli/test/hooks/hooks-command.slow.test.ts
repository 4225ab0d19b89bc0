/** Proves `kedge hooks` and `/hooks`: what is listed, what the doctor finds, and a hook run without a session. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { command, type HookSite, openHookSite, scripts } from "./hook-site.ts";

let site: HookSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

async function open(turns: readonly MockTurn[] = []): Promise<HookSite> {
  const opened = await openHookSite(turns);
  opened.write(".claude/settings.json", {
    hooks: {
      PreToolUse: [{ matcher: "Bash", hooks: [command("guard.sh")] }],
      Stop: [{ hooks: [command("gone.sh")] }],
    },
  });
  opened.write("guard.sh", scripts.bash(`case "$line" in *rm*) echo "no rm" >&2; exit 2;; esac`));
  return opened;
}

test("list names every hook with its origin, and nothing of an untrusted project", async () => {
  site = await open();
  expect(JSON.parse((await site.run(["hooks", "list", "--json"])).stdout)).toEqual({ hooks: [], problems: [] });
  const { stdout } = await site.run(["hooks", "list", "--json", "--trust"]);
  expect(JSON.parse(stdout)).toMatchObject({
    hooks: [
      {
        event: "PreToolUse",
        matcher: "Bash",
        type: "command",
        scope: "project",
        dialect: "claude",
        file: ".claude/settings.json",
      },
      { event: "Stop", matcher: "*" },
    ],
    problems: [expect.stringContaining("cannot start")],
  });
  expect((await site.run(["hooks"])).stdout).toContain("Bash  command");
});

test("run passes fields from standard input and shows each answer", async () => {
  site = await open();
  await site.run(["trust", "add", "--yes"]);
  const input = JSON.stringify({ tool_name: "Bash", tool_input: { command: "rm -r x" } });
  const denied = await site.run(["hooks", "run", "PreToolUse", "--json", "--trust"], { input });
  expect(JSON.parse(denied.stdout)).toMatchObject({
    event: "PreToolUse",
    results: [{ ok: true, answer: { decision: "deny", reason: "no rm" } }],
  });
  const other = await site.run(["hooks", "run", "PreToolUse", "--trust"], { input: '{"tool_name":"Read"}' });
  expect(other.stdout.trim()).toBe("No hook runs for this PreToolUse.");
  expect((await site.run(["hooks", "run", "Nonsense"])).stdout).toContain("Nonsense is not an event.");
  expect((await site.run(["hooks", "dance"])).code).toBe(2);
});

test("doctor runs each hook with a sample and fails where one cannot start", async () => {
  site = await open();
  const { code, stdout } = await site.run(["hooks", "doctor", "--trust"]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^ok .*PreToolUse.*\nFAIL .*Stop/)]);
});

test("Setup runs when it is asked for, and hooks of every event are listed", async () => {
  site = await openHookSite([{ text: "Done." }, { text: "Done." }, { text: "Done." }]);
  const order = () => readFileSync(join(site?.project ?? "", "order"), "utf8");
  const setup = (matcher: string) => ({ matcher, hooks: [command("setup.sh")] });
  site.write(".claude/settings.json", {
    hooks: {
      Setup: [setup("init"), setup("maintenance")],
      SessionStart: [{ hooks: [command("start.sh")] }],
      WorktreeCreate: [{ hooks: [command("start.sh")] }],
    },
  });
  site.write("setup.sh", scripts.bash('echo "$line" | jq -r .trigger >> order; echo "use port 4711"'));
  site.write("start.sh", scripts.bash("echo start >> order"));
  await site.run(["-p", "plain", "--trust"]);
  expect(order()).toBe("start\n");
  await site.run(["-p", "first", "--init"]);
  expect(order()).toBe("start\ninit\nstart\n");
  expect(JSON.stringify(site.model.requests.at(-1)?.body)).toContain("use port 4711");
  await site.run(["-p", "later", "--maintenance"]);
  expect(order()).toBe("start\ninit\nstart\nmaintenance\nstart\n");
  const only = await site.run(["--init-only"]);
  expect([only.code, order().endsWith("init\n"), site.model.requests.length]).toEqual([0, true, 3]);
  const { stdout } = await site.run(["hooks", "list"]);
  expect(stdout).toMatch(/^WorktreeCreate\n/m);
  expect((await site.run(["hooks", "doctor"])).code).toBe(0);
});

test("/hooks lists what runs in the session", async () => {
  site = await open();
  const { stdout } = await site.run(["-p", "/hooks", "--trust"]);
  expect(stdout).toContain("PreToolUse\n  Bash  command");
  expect(stdout).toContain("cannot start");
});

test("a prompt hook asks a model in a session of its own, and its no stops the call", async () => {
  const verdict = (ok: boolean): MockTurn => ({
    toolCalls: [{ name: "structured_output", input: { ok, reason: "it is too early" } }],
  });
  site = await openHookSite([
    { toolCalls: [{ name: "bash", input: { command: "touch canary", description: "x" } }] },
    verdict(false),
    { text: "I stop." },
  ]);
  site.write(".claude/settings.json", {
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "prompt", prompt: "May this run? $ARGUMENTS" }] }] },
  });
  const { stdout } = await site.run(["-p", "go", "--trust", "--allowed-tools", "bash"]);
  expect([stdout.trim(), existsSync(join(site.project, "canary"))]).toEqual(["I stop.", false]);
  const [, question, last] = site.model.requests.map(({ body }) => JSON.stringify(body));
  expect(question).toContain("May this run?");
  expect(question).toContain("touch canary");
  expect(last).toContain("it is too early");
});

test("an agent hook may look around before its verdict", async () => {
  site = await openHookSite([
    { text: "Done." },
    { toolCalls: [{ name: "read", input: { filePath: "a.txt" } }] },
    { toolCalls: [{ name: "structured_output", input: { ok: true } }] },
  ]);
  site.write(".claude/settings.json", { hooks: { Stop: [{ hooks: [{ type: "agent", prompt: "Is a.txt fine?" }] }] } });
  site.write("a.txt", "the content\n");
  const { stdout } = await site.run(["-p", "go", "--trust"]);
  expect(stdout.trim()).toBe("Done.");
  expect(JSON.stringify(site.model.requests.at(-1)?.body)).toContain("the content");
  // It is an agent of the session, listed like any other, and nothing of it is told to the model.
  const { stdout: listed } = await site.run(["agents", "--json"]);
  expect(JSON.parse(listed).agents).toMatchObject([{ agent: "hook", status: "completed" }]);
  await site.run(["-p", "--continue", "and now?", "--trust"]);
  const later = site.model.requests.map(({ raw }) => String(raw)).find((raw) => raw.includes("and now?"));
  expect(later).not.toContain("hook agent");
});

test("file hooks run by the name of their tool, and dot files do not", async () => {
  site = await openHookSite([
    { toolCalls: [{ name: "bash", input: { command: "echo hi", description: "x" } }] },
    { text: "Done." },
  ]);
  site.write(".kedge/hooks/pre/bash.sh", "#!/bin/bash\ntouch pre-bash\n");
  site.write(".kedge/hooks/pre/.read.sh", "#!/bin/bash\ntouch pre-read\n");
  site.write(".kedge/hooks/post/*.py", "#!/usr/bin/env python3\nopen('post-all', 'w')\n");
  await site.run(["-p", "go", "--trust", "--allowed-tools", "bash"]);
  expect(
    readdirSync(site.project)
      .filter((name) => /^(pre|post)-/.test(name))
      .toSorted(),
  ).toEqual(["post-all", "pre-bash"]);
});

test("a project without hooks loads nothing of them", async () => {
  site = await openHookSite([{ text: "Done." }]);
  const { stdout } = await site.run(["-p", "/hooks"]);
  expect(stdout).toContain("No hooks.");
});
