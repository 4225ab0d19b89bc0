/** Proves how an editor makes, finds, takes up and changes sessions over `kedge acp`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { courseOf, createAcpBench, type Editor, newSession, outputOf, say, text } from "./acp-bench.ts";

const { open, close } = createAcpBench();
afterEach(close);

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const todos = [{ content: "look", status: "in_progress", priority: "high" }];

const conversation: readonly MockTurn[] = [
  {
    reasoning: "Hm.",
    text: "I write.",
    toolCalls: [
      { id: "call_1", name: "write", input: { filePath: "new.txt", content: "x\n" } },
      { id: "call_2", name: "todo_write", input: { todos } },
    ],
  },
  { reasoning: " ...", text: "Written." },
  { text: "Still here." },
];

test("a stored session is shown again after a restart, and goes on", async () => {
  const { bench, editor } = await open(conversation);
  const { sessionId } = await newSession(editor, bench.project);
  await editor.agent.request("session/prompt", {
    sessionId,
    prompt: [text("write it"), { type: "image", data: png, mimeType: "image/png" }],
  });
  expect((await editor.end()).code).toBe(0);

  const { editor: later } = await open([]);
  const loaded = await later.agent.request("session/load", { sessionId, cwd: bench.project, mcpServers: [] });
  const path = join(bench.project, "new.txt");
  const isAnswer = { messageId: expect.stringMatching(/^msg_/) };
  expect(courseOf(later, sessionId)).toEqual([
    { sessionUpdate: "user_message_chunk", content: text("write it"), ...isAnswer },
    { sessionUpdate: "user_message_chunk", content: { type: "image", data: png, mimeType: "image/png" }, ...isAnswer },
    { sessionUpdate: "agent_thought_chunk", content: text("Hm."), ...isAnswer },
    { sessionUpdate: "agent_message_chunk", content: text("I write."), ...isAnswer },
    {
      sessionUpdate: "tool_call",
      toolCallId: "call_1",
      name: "write",
      kind: "edit",
      title: "write new.txt",
      status: "completed",
      rawInput: { filePath: "new.txt", content: "x\n" },
      locations: [{ path, line: 1 }],
      content: [{ type: "diff", path, oldText: null, newText: "x\n" }],
    },
    {
      sessionUpdate: "tool_call",
      toolCallId: "call_2",
      name: "todo_write",
      kind: "think",
      title: "todo_write",
      status: "completed",
      rawInput: { todos },
      locations: [],
      content: [outputOf("Kept 1 items, 1 of them open.")],
    },
    { sessionUpdate: "agent_message_chunk", content: text("Written."), ...isAnswer },
    { sessionUpdate: "plan", entries: todos },
  ]);
  expect(loaded.modes?.currentModeId).toBe("default");
  expect(await say(later, sessionId, "still there?")).toEqual({ stopReason: "end_turn" });
  expect(courseOf(later, sessionId).at(-1)).toMatchObject({ content: text("Still here.") });
  const roles = bench.model.requests.at(-1)?.body.messages?.map(({ role }) => role);
  expect(roles).toEqual(["system", "user", "assistant", "tool", "tool", "assistant", "user"]);
});

test("the ids of messages are the same while they stream and when they are shown again", async () => {
  const { bench, editor } = await open([{ text: "An answer." }]);
  const { sessionId } = await newSession(editor, bench.project);
  await say(editor, sessionId, "ask");
  const live = courseOf(editor, sessionId);
  await editor.end();
  const { editor: later } = await open([]);
  await later.agent.request("session/load", { sessionId, cwd: bench.project, mcpServers: [] });
  expect(courseOf(later, sessionId).slice(1)).toEqual(live);
});

test("resume shows nothing again, close gives the session free, and delete removes it", async () => {
  const { bench, editor } = await open([{ text: "One." }, { text: "Two." }]);
  const { sessionId } = await newSession(editor, bench.project);
  await say(editor, sessionId, "first words");
  expect(await editor.agent.request("session/close", { sessionId })).toEqual({});
  await expect(say(editor, sessionId, "closed?")).rejects.toMatchObject({ code: -32002 });

  const { editor: other } = await open([]);
  await other.agent.request("session/resume", { sessionId, cwd: bench.project, mcpServers: [] });
  expect(courseOf(other, sessionId)).toEqual([]);
  await say(other, sessionId, "second words");
  expect(await other.agent.request("session/delete", { sessionId })).toEqual({});
  await expect(
    other.agent.request("session/load", { sessionId, cwd: bench.project, mcpServers: [] }),
  ).rejects.toMatchObject({ code: -32002 });
});

test("a session that another process has open is refused with the reason", async () => {
  const { bench, editor } = await open([{ text: "One." }]);
  const { sessionId } = await newSession(editor, bench.project);
  await say(editor, sessionId, "mine");
  const { editor: other } = await open([]);
  await expect(
    other.agent.request("session/load", { sessionId, cwd: bench.project, mcpServers: [] }),
  ).rejects.toMatchObject({ code: -32603, data: { code: "session_busy" } });
});

test("sessions are listed by directory, newest first", async () => {
  const { bench, editor } = await open(() => ({ text: "Fine." }));
  const other = join(bench.directory, "other");
  mkdirSync(other);
  const ids: string[] = [];
  for (const cwd of [bench.project, bench.project, other]) {
    const { sessionId } = await newSession(editor, cwd);
    await say(editor, sessionId, `words ${ids.length}`);
    ids.push(sessionId);
  }
  const rows = async (cwd?: string) =>
    (await editor.agent.request("session/list", cwd === undefined ? {} : { cwd })).sessions;
  const row = (index: number, cwd: string) => ({
    sessionId: ids[index],
    cwd,
    title: `words ${index}`,
    updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
  expect(await rows(bench.project)).toEqual([row(1, bench.project), row(0, bench.project)]);
  expect(await rows()).toEqual([row(2, other), row(1, bench.project), row(0, bench.project)]);
  await expect(editor.agent.request("session/list", { cursor: "nonsense" })).rejects.toMatchObject({ code: -32602 });
});

const modeUpdates = (editor: Editor, sessionId: string): readonly SessionUpdate[] =>
  courseOf(editor, sessionId).filter((each) => each.sessionUpdate === "current_mode_update");

test("modes are chosen in both ways, and hold", async () => {
  const write: MockTurn = { toolCalls: [{ name: "write", input: { filePath: "new.txt", content: "x\n" } }] };
  const { bench, editor } = await open([write, { text: "Written." }]);
  const created = await newSession(editor, bench.project);
  const { sessionId } = created;
  expect(created.modes).toMatchObject({ currentModeId: "default" });
  expect(created.modes?.availableModes.map(({ id }) => id)).toEqual(["default", "accept-edits", "plan", "auto"]);
  await editor.agent.request("session/set_mode", { sessionId, modeId: "plan" });
  const { configOptions } = await editor.agent.request("session/set_config_option", {
    sessionId,
    configId: "mode",
    value: "accept-edits",
  });
  expect(configOptions.map(({ id, currentValue }) => [id, currentValue])).toEqual([
    ["mode", "accept-edits"],
    ["model", "mock/mock-model"],
    ["effort", "default"],
  ]);
  expect(await say(editor, sessionId, "write")).toEqual({ stopReason: "end_turn" });
  expect(editor.permissions).toEqual([]);
  expect(modeUpdates(editor, sessionId)).toEqual([
    { sessionUpdate: "current_mode_update", currentModeId: "plan" },
    { sessionUpdate: "current_mode_update", currentModeId: "accept-edits" },
  ]);
});

test("a plan is shown as it is written, and its approval leaves the planning", async () => {
  const planPath = ".kedge/plans/way.md";
  const leave: MockTurn = { toolCalls: [{ id: "call_1", name: "plan_exit", input: { planPath } }] };
  const { bench, editor } = await open([leave, { text: "I begin." }]);
  mkdirSync(join(bench.project, ".kedge/plans"), { recursive: true });
  writeFileSync(join(bench.project, planPath), "# The way\n\n1. Look.\n");
  const { sessionId } = await newSession(editor, bench.project);
  await editor.agent.request("session/set_mode", { sessionId, modeId: "plan" });
  expect(await say(editor, sessionId, "done planning?")).toEqual({ stopReason: "end_turn" });
  const [asked] = editor.permissions;
  expect(asked?.toolCall).toMatchObject({ toolCallId: "call_1", kind: "switch_mode", title: `plan_exit ${planPath}` });
  expect(asked?.toolCall.content?.at(-1)).toEqual({ type: "content", content: text("# The way\n\n1. Look.\n") });
  expect(asked?.options.map(({ optionId }) => optionId)).toEqual(["once", "reject"]);
  expect(modeUpdates(editor, sessionId)).toEqual([
    { sessionUpdate: "current_mode_update", currentModeId: "plan" },
    { sessionUpdate: "current_mode_update", currentModeId: "default" },
  ]);
});

test("the mode bypass is offered only where the command line permits it", async () => {
  const { bench, editor } = await open([]);
  const { sessionId } = await newSession(editor, bench.project);
  const bypass = editor.agent.request("session/set_mode", { sessionId, modeId: "bypass" });
  await expect(bypass).rejects.toThrow(
    "Mode bypass is not available. Choose one of default, accept-edits, plan, auto.",
  );
});

test("with the long flag, bypass is offered, asks nothing, and can be left", async () => {
  const touch = (id: string, name: string): MockTurn => ({
    toolCalls: [{ id, name: "bash", input: { command: `touch ${name}`, description: "makes a file" } }],
  });
  const script = [touch("call_1", "one"), { text: "One." }, touch("call_2", "two"), { text: "Two." }];
  const { bench, editor } = await open(script, { argv: ["--dangerously-skip-permissions"] });
  const { sessionId, modes } = await newSession(editor, bench.project);
  expect(modes?.currentModeId).toBe("bypass");
  await say(editor, sessionId, "one");
  expect(editor.permissions).toEqual([]);
  await editor.agent.request("session/set_mode", { sessionId, modeId: "default" });
  await say(editor, sessionId, "two");
  expect(editor.permissions.map(({ toolCall }) => toolCall.toolCallId)).toEqual(["call_2"]);
});

test("a session that is loaded twice at once is taken up once", async () => {
  const { bench, editor } = await open([{ text: "One." }, { text: "Two." }]);
  const { sessionId } = await newSession(editor, bench.project);
  await say(editor, sessionId, "first");
  await editor.end();
  const { editor: later } = await open([]);
  const load = () => later.agent.request("session/resume", { sessionId, cwd: bench.project, mcpServers: [] });
  await Promise.all([load(), load()]);
  await say(later, sessionId, "second");
  expect(courseOf(later, sessionId)).toMatchObject([{ content: text("Two.") }]);
});

test("thinking and model are options of the session", async () => {
  const { bench, editor } = await open([{ text: "Deep." }]);
  const { sessionId } = await newSession(editor, bench.project);
  const set = (configId: string, value: string) =>
    editor.agent.request("session/set_config_option", { sessionId, configId, value });
  const { configOptions } = await set("effort", "high");
  expect(configOptions.map(({ id, category, currentValue }) => [id, category, currentValue])).toEqual([
    ["mode", "mode", "default"],
    ["model", "model", "mock/mock-model"],
    ["effort", "thought_level", "high"],
  ]);
  await expect(set("effort", "boundless")).rejects.toMatchObject({ code: -32602 });
  await expect(set("model", "nobody/nothing")).rejects.toThrow("nobody");
  await expect(set("colour", "red")).rejects.toThrow("Unknown option colour.");
});

test("a directory that is missing or relative is refused, and a missing model asks for a sign-in", async () => {
  const { bench, editor } = await open([{ text: "Fine." }]);
  await expect(newSession(editor, "here")).rejects.toThrow("must be an absolute path");
  await expect(newSession(editor, join(bench.project, "absent"))).rejects.toThrow("Directory not found: ");
  const config = join(bench.home, "config.json");
  writeFileSync(config, "{}");
  await expect(newSession(editor, bench.project)).rejects.toMatchObject({ code: -32000 });
  const provider = { mock: { api: "openai-chat", baseURL: bench.model.baseUrl, apiKey: "x" } };
  writeFileSync(config, JSON.stringify({ model: "mock/mock-model", provider }));
  const { sessionId } = await newSession(editor, bench.project);
  expect(await say(editor, sessionId, "now?")).toEqual({ stopReason: "end_turn" });
});
