/** Proves that one real session fires every event there is, with the fields that hooks rely on. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { hookEvents } from "@kedge/extend/hooks";
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

const events = Object.keys(hookEvents).toSorted();

/** Logs what it is told, and makes the working copy that it is asked for. */
const logging = scripts.bash(`case "$line" in *'"hook_event_name":"WorktreeCreate"'*)
  mkdir -p "$KEDGE_PROJECT_DIR/../copy" && cd "$KEDGE_PROJECT_DIR/../copy" && pwd ;;
*'"hook_event_name":"WorktreeRemove"'*) rmdir "$KEDGE_PROJECT_DIR/../copy" ;;
esac`);

const member = "You are one of the team.";
const server = { command: process.execPath, args: [join(import.meta.dirname, "../mcp/small-server.mjs")] };

test("one session in the console fires them all", async () => {
  const turns: (MockTurn | (() => MockTurn))[] = [];
  site = await openHookSite(
    ({ body }) => {
      if (body.messages?.some(({ role, content }) => role === "user" && content?.includes(member)))
        return { text: "Ready." };
      const turn = turns.shift() ?? { text: "Done." };
      return typeof turn === "function" ? turn() : turn;
    },
    {
      // What learns beside the session would take answers that are meant for it.
      memory: { extract: "off", recall: false },
      permission: { worktree: "allow", team: "allow", "mcp__small__*": "allow" },
      teams: { backend: "in-process" },
      mcp: { small: server },
    },
  );
  const heard = (name: string) => site?.log().some(({ hook_event_name: each }) => each === name) === true;
  /** The answer waits until hooks were told. */
  const after = (name: string, turn: MockTurn): MockTurn => ({
    ...turn,
    holdUntil: expect.poll(() => heard(name)).toBe(true),
  });
  const groups = [{ hooks: [{ type: "command", command: "$KEDGE_PROJECT_DIR/log.sh" }] }];
  const settings = () => ({ hooks: Object.fromEntries(events.map((event) => [event, groups])) });
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
    call("mcp__small__ask", {}),
    { text: "Asked." },
    call("worktree_enter", { name: "spike" }),
    call("worktree_exit", { name: "spike", action: "remove" }),
    call("team_create", { name: "tea", members: [{ name: "one", prompt: member }] }),
    () => after("TeammateIdle", { text: "Together." }),
    bash("cd beneath"),
    () => {
      site?.write(".kedge/config.json", { ...settings(), language: "en" });
      return after("ConfigChange", { text: "Proposed." });
    },
    { status: 400, body: '{"error":{"message":"no"}}' },
  );
  site.write(".kedge/config.json", settings());
  site.write("log.sh", logging);
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
    "ask me",
    "Ada",
    "work together",
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
  expect([names, stderr.includes("failed:")]).toEqual([events, false]);
  const sessionId = log.find(({ hook_event_name: name }) => name === "SessionStart")?.["session_id"];
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
  expect(of("InstructionsLoaded").map(({ file_path: path, memory_type: type }) => [path, type])).toEqual([
    [join(site.project, "AGENTS.md"), "Project"],
  ]);
  expectOne("FileChanged", { event: "add" });
  expect(of("PreCompact")).toMatchObject([{ trigger: "manual", strategy: "summary" }]);
  expect(of("PostCompact")).toMatchObject([{ compact_summary: expect.stringContaining("Goal") }]);
  expect(of("StopFailure")).toHaveLength(1);
  expect(of("DirectoryAdded")).toMatchObject([{ directory: join(site.directory, "beside") }]);
  expect(of("CwdChanged")).toMatchObject([{ old_cwd: site.project, new_cwd: join(site.project, "beneath") }]);
  expect(of("UserPromptExpansion")).toMatchObject([{ command_name: "init", command_args: "briefly" }]);
  expect(of("SessionEnd")).toHaveLength(1);
  expect(of("Setup")).toMatchObject([{ trigger: "init" }]);
  expect(of("Elicitation")).toMatchObject([{ mcp_server_name: "small", message: "Who?", mode: "form" }]);
  expect(of("ElicitationResult")).toMatchObject([{ action: "accept", content: { name: "Ada" } }]);
  expect(of("WorktreeCreate")).toMatchObject([{ name: "spike" }]);
  expect(of("WorktreeRemove")).toMatchObject([{ worktree_path: join(site.directory, "copy") }]);
  expect(of("TeammateIdle")[0]).toMatchObject({ teammate_name: "one", team_name: "tea" });
  expect(of("ConfigChange")).toMatchObject([
    { source: "project_settings", file_path: join(site.project, ".kedge/config.json"), session_id: sessionId },
  ]);
  expectOne("SubagentStart", { agent_type: "explore" });
  const agent = { agent_type: "explore", last_assistant_message: "The agent looked." };
  expectOne("SubagentStop", { ...agent, agent_transcript_path: expect.stringMatching(/\.jsonl$/) });
});
