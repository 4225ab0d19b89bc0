/** Proves that one real session fires every event whose feature exists, with the fields that hooks rely on. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { type HookSite, openHookSite, scripts } from "./hook-site.ts";

let site: HookSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const call = (name: string, input: object): MockTurn => ({ toolCalls: [{ name, input }] });
const bash = (command: string) => call("bash", { command, description: "x" });
const long = "word ".repeat(4_000);

const fired = [
  "CwdChanged",
  "DirectoryAdded",
  "FileChanged",
  "InstructionsLoaded",
  "MemoryWritten",
  "MessageDisplay",
  "Notification",
  "PermissionDenied",
  "PermissionRequest",
  "PostCompact",
  "PostToolBatch",
  "PostToolUse",
  "PostToolUseFailure",
  "PreCompact",
  "PreToolUse",
  "SessionEnd",
  "SessionStart",
  "Setup",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "TaskCompleted",
  "TaskCreated",
  "UserPromptExpansion",
  "UserPromptSubmit",
];

test("one session in the console fires them all", async () => {
  const turns: MockTurn[] = [];
  // What learns beside the session would take answers that are meant for it.
  site = await openHookSite(turns, { memory: { extract: "off", recall: false } });
  const topic = "---\nname: Releases\ndescription: When releases go out\ntype: project\n---\nOn Mondays.\n";
  const memory = (await site.run(["memory", "path"])).stdout.trim();
  turns.push(
    call("write", { filePath: "a.txt", content: "a\n" }),
    call("read", { filePath: "missing.txt" }),
    bash("make one"),
    bash("make two"),
    call("tool_search", { query: "task list" }),
    call("task_create", { subject: "Test it", description: "all of it" }),
    call("task_update", { id: "t1", status: "done" }),
    call("write", { filePath: join(memory, "releases.md"), content: topic }),
    call("agent", { description: "Look", prompt: "Look around.", subagent_type: "explore" }),
    { text: "The agent looked." },
    { text: `First answer. ${long}` },
    { text: `Second answer. ${long}` },
    { text: "## Goal\nTest.\n## Current state and next step\nDone." },
    { text: "Third answer." },
    bash("cd beneath"),
    { text: "Proposed." },
    { status: 400, body: '{"error":{"message":"no"}}' },
  );
  const groups = [{ hooks: [{ type: "command", command: "$KEDGE_PROJECT_DIR/log.sh" }] }];
  site.write(".kedge/config.json", { hooks: Object.fromEntries(fired.map((event) => [event, groups])) });
  site.write("log.sh", scripts.bash("true"));
  site.write("AGENTS.md", "Be brief.\n");
  mkdirSync(join(site.directory, "beside"));
  mkdirSync(join(site.project, "beneath"));
  const lines = [
    "go",
    "y",
    "n do something else",
    "again",
    "/compact",
    "and again",
    "/init briefly",
    "y",
    "fail now",
    "",
  ];
  const argv = [
    "--console",
    "--init",
    "--trust",
    "--permission-mode",
    "accept-edits",
    "--add-dir",
    join(site.directory, "beside"),
  ];
  const { stderr } = await site.run(argv, { input: lines.join("\n") });
  const log = site.log();
  const names = [...new Set(log.map(({ hook_event_name: name }) => String(name)))].toSorted();
  expect([names, stderr.includes("failed:")]).toEqual([fired, false]);
  const of = (name: string) => log.filter(({ hook_event_name: each }) => each === name);
  expect(of("SessionStart").map(({ source }) => source)).toEqual(["startup", "compact"]);
  /** Nobody waits for these, so that their order is not certain. */
  const expectOne = (name: string, fields: object) => expect(of(name)).toContainEqual(expect.objectContaining(fields));
  expect(of("PostToolUseFailure")[0]).toMatchObject({ tool_name: "read", is_interrupt: false });
  expect(of("PermissionRequest")).toMatchObject([
    { tool_input: { command: "make one" } },
    { tool_input: { command: "make two" } },
  ]);
  expect(of("PermissionDenied")).toMatchObject([{ tool_input: { command: "make two" } }]);
  expectOne("Notification", { notification_type: "permission_prompt", title: "kedge" });
  expect(of("TaskCreated")).toMatchObject([{ task_subject: "Test it", task_description: "all of it" }]);
  expect(of("TaskCompleted")).toMatchObject([{ task_id: "t1" }]);
  expect(of("MemoryWritten")).toMatchObject([{ file_name: "releases.md" }]);
  expectOne("InstructionsLoaded", { load_reason: "session_start" });
  expectOne("FileChanged", { event: "add" });
  expect(of("PreCompact")).toMatchObject([{ trigger: "manual", strategy: "summary" }]);
  expect(of("PostCompact")).toMatchObject([{ compact_summary: expect.stringContaining("Goal") }]);
  expect(of("StopFailure")).toHaveLength(1);
  expect(of("DirectoryAdded")).toMatchObject([{ directory: join(site.directory, "beside") }]);
  expect(of("CwdChanged")).toMatchObject([{ old_cwd: site.project, new_cwd: join(site.project, "beneath") }]);
  expect(of("UserPromptExpansion")).toMatchObject([{ command_name: "init", command_args: "briefly" }]);
  expect(of("SessionEnd")).toHaveLength(1);
  expect(of("Setup")).toMatchObject([{ trigger: "init" }]);
  expect(of("SubagentStart")).toMatchObject([{ agent_type: "explore" }]);
  expect(of("SubagentStop")).toMatchObject([{ agent_type: "explore", last_assistant_message: "The agent looked." }]);
});
