/** Proves the turns of `kedge acp` with the real program, the SDK's own client as the editor, and a mock model. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { RequestPermissionOutcome } from "@agentclientprotocol/sdk";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { courseOf, createAcpBench, newSession, outputOf, say, selected, text } from "./acp-bench.ts";

const { open, close } = createAcpBench();
afterEach(close);

const anyMessage = expect.stringMatching(/^msg_/);
const thought = (words: string) => ({
  sessionUpdate: "agent_thought_chunk",
  content: text(words),
  messageId: anyMessage,
});
const spoken = (words: string) => ({
  sessionUpdate: "agent_message_chunk",
  content: text(words),
  messageId: anyMessage,
});
const pending = (toolCallId: string, name: string, kind: string) => ({
  sessionUpdate: "tool_call",
  toolCallId,
  title: name,
  name,
  kind,
  status: "pending",
});
const update = (toolCallId: string, members: object) => ({ sessionUpdate: "tool_call_update", toolCallId, ...members });

const editing: readonly MockTurn[] = [
  {
    reasoning: " Let me think. ",
    text: "I look first.",
    toolCalls: [{ id: "call_1", name: "read", input: { filePath: "note.txt" } }],
  },
  {
    reasoning: "...",
    toolCalls: [{ id: "call_2", name: "edit", input: { filePath: "note.txt", oldString: "two", newString: "2" } }],
  },
  { text: "Done." },
];

const rejected =
  "The user was asked about this call and declined it this time, so it did not run. This is an answer to this one call, not a rule.";
const noteBefore = "one\ntwo\nthree\n";
const noteAfter = "one\n2\nthree\n";

test("the first words are about versions and what kedge can", async () => {
  const { editor } = await open([], { protocolVersion: 7 });
  expect(editor.initialized).toEqual({
    protocolVersion: 1,
    agentInfo: { name: "kedge", title: "kedge", version: expect.any(String) },
    authMethods: [
      {
        id: "kedge-auth-login",
        name: "API key of a provider",
        description: expect.stringContaining("kedge auth login"),
      },
    ],
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    },
  });
  expect(await editor.agent.request("authenticate", { methodId: "kedge-auth-login" })).toEqual({});
});

test("an edit is asked about with its diff, allowed once, and told from beginning to end", async () => {
  const { bench, editor } = await open(editing);
  const path = join(bench.project, "note.txt");
  writeFileSync(path, noteBefore);
  const { sessionId } = await newSession(editor, bench.project);
  expect(await say(editor, sessionId, "two shall be 2")).toEqual({ stopReason: "end_turn" });
  expect(readFileSync(path, "utf8")).toBe(noteAfter);
  const diff = { type: "diff", path, oldText: noteBefore, newText: noteAfter };
  const input = { filePath: "note.txt", oldString: "two", newString: "2" };
  const edit = { name: "edit", kind: "edit", title: "edit note.txt", locations: [{ path }], rawInput: input };
  expect(courseOf(editor, sessionId)).toEqual([
    thought("Let me think."),
    spoken("I look first."),
    pending("call_1", "read", "read"),
    update("call_1", {
      name: "read",
      kind: "read",
      title: "read note.txt",
      locations: [{ path }],
      rawInput: { filePath: "note.txt" },
    }),
    update("call_1", { status: "in_progress" }),
    update("call_1", {
      status: "completed",
      content: [outputOf("1|one\n2|two\n3|three\n(lines 1-3 of 3)")],
    }),
    pending("call_2", "edit", "edit"),
    update("call_2", edit),
    update("call_2", { status: "in_progress" }),
    update("call_2", { status: "completed", content: [diff], locations: [{ path, line: 2 }] }),
    spoken("Done."),
  ]);
  const asked = "edit needs your permission: no rule covers editing note.txt\n- `note.txt`";
  expect(editor.permissions).toEqual([
    {
      sessionId,
      toolCall: {
        toolCallId: "call_2",
        status: "pending",
        ...edit,
        content: [{ type: "content", content: text(asked) }, diff],
      },
      options: [
        { optionId: "once", name: "Allow once", kind: "allow_once" },
        { optionId: "session", name: "Allow for this session: edit note.txt", kind: "allow_always" },
        { optionId: "project", name: "Always allow in this project: edit note.txt", kind: "allow_always" },
        { optionId: "reject", name: "Reject", kind: "reject_once" },
      ],
    },
  ]);
  expect(editor.updates(sessionId).filter((each) => each.sessionUpdate === "usage_update")).toEqual([
    {
      sessionUpdate: "usage_update",
      used: expect.any(Number),
      size: expect.any(Number),
      cost: { amount: expect.any(Number), currency: "USD" },
    },
  ]);
});

test("what is allowed for the session is not asked about again", async () => {
  const touch = (id: string): MockTurn => ({
    toolCalls: [{ id, name: "bash", input: { command: "touch made", description: "makes a file" } }],
  });
  const script = [touch("call_1"), { text: "One." }, touch("call_2"), { text: "Two." }];
  const { bench, editor } = await open(script, { onPermission: selected("session") });
  const { sessionId } = await newSession(editor, bench.project);
  await say(editor, sessionId, "once");
  expect(existsSync(join(bench.project, "made"))).toBe(true);
  expect(await say(editor, sessionId, "again")).toEqual({ stopReason: "end_turn" });
  expect(editor.permissions.map(({ toolCall }) => [toolCall.toolCallId, toolCall.title])).toEqual([
    ["call_1", "touch made"],
  ]);
});

test("what is rejected is not done, and ends the turn", async () => {
  const { bench, editor } = await open(editing, { onPermission: selected("reject") });
  const path = join(bench.project, "note.txt");
  writeFileSync(path, noteBefore);
  const { sessionId } = await newSession(editor, bench.project);
  expect(await say(editor, sessionId, "two shall be 2")).toEqual({ stopReason: "end_turn" });
  expect(readFileSync(path, "utf8")).toBe(noteBefore);
  expect(courseOf(editor, sessionId).at(-1)).toEqual(
    update("call_2", { status: "failed", content: [outputOf(rejected)] }),
  );
  expect(bench.model.requests).toHaveLength(2);
});

test("a question that is called off rejects the call and cancels the turn", async () => {
  const cancelled = async (): Promise<RequestPermissionOutcome> => ({ outcome: "cancelled" });
  const { bench, editor } = await open(editing, { onPermission: cancelled });
  writeFileSync(join(bench.project, "note.txt"), noteBefore);
  const { sessionId } = await newSession(editor, bench.project);
  expect(await say(editor, sessionId, "two shall be 2")).toEqual({ stopReason: "cancelled" });
  expect(readFileSync(join(bench.project, "note.txt"), "utf8")).toBe(noteBefore);
});

test("an option that was not offered permits nothing", async () => {
  const { bench, editor } = await open(editing, { onPermission: selected("everything") });
  writeFileSync(join(bench.project, "note.txt"), noteBefore);
  const { sessionId } = await newSession(editor, bench.project);
  await say(editor, sessionId, "two shall be 2");
  expect(readFileSync(join(bench.project, "note.txt"), "utf8")).toBe(noteBefore);
});

test("a cancel in the middle of an answer ends the turn as cancelled, and the next prompt works", async () => {
  const script: MockTurn[] = [{ text: "word ".repeat(100), stallAfterBytes: 2_000 }, { text: "Again." }];
  const { bench, editor } = await open(script);
  const { sessionId } = await newSession(editor, bench.project);
  const answer = say(editor, sessionId, "talk");
  await editor.seen(sessionId, (each) => each.sessionUpdate === "agent_message_chunk");
  await expect(say(editor, sessionId, "meanwhile")).rejects.toThrow("A prompt is running in this session");
  await editor.agent.notify("session/cancel", { sessionId });
  expect(await answer).toEqual({ stopReason: "cancelled" });
  expect(await say(editor, sessionId, "and now?")).toEqual({ stopReason: "end_turn" });
});

test("a cancel while a permission is asked for ends the turn, and the answer that comes later permits nothing", async () => {
  const answer = Promise.withResolvers<RequestPermissionOutcome>();
  const asked = Promise.withResolvers<void>();
  const { bench, editor } = await open(editing, {
    onPermission: () => {
      asked.resolve();
      return answer.promise;
    },
  });
  writeFileSync(join(bench.project, "note.txt"), noteBefore);
  const { sessionId } = await newSession(editor, bench.project);
  const turn = say(editor, sessionId, "two shall be 2");
  await asked.promise;
  await editor.agent.notify("session/cancel", { sessionId });
  expect(await turn).toEqual({ stopReason: "cancelled" });
  answer.resolve({ outcome: "selected", optionId: "once" });
  expect(await say(editor, sessionId, "/status")).toEqual({ stopReason: "end_turn" });
  expect(readFileSync(join(bench.project, "note.txt"), "utf8")).toBe(noteBefore);
});

test("two sessions in two directories work at once and keep apart", async () => {
  const { bench, editor } = await open(({ body }) => {
    const last = body.messages?.at(-1);
    if (last?.role === "tool") return { text: "Written." };
    const content = last?.content === "here" ? "first\n" : "second\n";
    return { toolCalls: [{ id: `call_${content.trim()}`, name: "write", input: { filePath: "out.txt", content } }] };
  });
  const other = join(bench.directory, "other");
  mkdirSync(other);
  const [one, two] = await Promise.all([newSession(editor, bench.project), newSession(editor, other)]);
  const ends = await Promise.all([say(editor, one.sessionId, "here"), say(editor, two.sessionId, "there")]);
  expect(ends).toEqual([{ stopReason: "end_turn" }, { stopReason: "end_turn" }]);
  const out = [bench.project, other].map((directory) => readFileSync(join(directory, "out.txt"), "utf8"));
  expect(out).toEqual(["first\n", "second\n"]);
  const diffs = [one, two].map(({ sessionId }) =>
    courseOf(editor, sessionId).flatMap((each) =>
      each.sessionUpdate === "tool_call_update" && each.status === "completed" ? each.content : [],
    ),
  );
  expect(diffs).toEqual([
    [{ type: "diff", path: join(bench.project, "out.txt"), oldText: null, newText: "first\n" }],
    [{ type: "diff", path: join(other, "out.txt"), oldText: null, newText: "second\n" }],
  ]);
});

test("the list of what is to be done is the plan", async () => {
  const todos = (first: string, second: string) => [
    { content: "look", status: first, priority: "high" },
    { content: "leap", status: second, priority: "low" },
    { content: "given up", status: "cancelled", priority: "low" },
  ];
  const turn = (id: string, first: string, second: string): MockTurn => ({
    toolCalls: [{ id, name: "todo_write", input: { todos: todos(first, second) } }],
  });
  const { bench, editor } = await open([
    turn("call_1", "in_progress", "pending"),
    turn("call_2", "completed", "in_progress"),
    { text: "Done." },
  ]);
  const { sessionId } = await newSession(editor, bench.project);
  await say(editor, sessionId, "plan it");
  expect(courseOf(editor, sessionId).filter((each) => each.sessionUpdate === "plan")).toEqual([
    { sessionUpdate: "plan", entries: todos("in_progress", "pending").slice(0, 2) },
    { sessionUpdate: "plan", entries: todos("completed", "in_progress").slice(0, 2) },
  ]);
});

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("a picture, a mention and an embedded file reach the model", async () => {
  const { bench, editor } = await open([{ text: "I see." }]);
  const uri = pathToFileURL(join(bench.project, "a b.ts")).href;
  const { sessionId } = await newSession(editor, bench.project);
  const end = await editor.agent.request("session/prompt", {
    sessionId,
    prompt: [
      text("Compare "),
      { type: "resource_link", name: "a b.ts", uri },
      text(" with "),
      { type: "resource", resource: { uri: "file:///elsewhere/c.ts", text: "const c = 1;", mimeType: "text/plain" } },
      { type: "image", data: png, mimeType: "image/png" },
    ],
  });
  expect(end).toEqual({ stopReason: "end_turn" });
  const sent: unknown = bench.model.requests[0]?.body.messages?.findLast(({ role }) => role === "user")?.content;
  const words = `Compare [@a b.ts](${bench.project}/a b.ts) with [@c.ts](/elsewhere/c.ts)\n\n<file path="/elsewhere/c.ts">\nconst c = 1;\n</file>`;
  expect(sent).toEqual([
    { type: "text", text: words },
    expect.objectContaining({ type: "image_url", image_url: { url: `data:image/png;base64,${png}` } }),
  ]);
});

test("what is mentioned and not saved is asked of the editor, and only that", async () => {
  const asked: string[] = [];
  const { bench, editor } = await open([{ text: "I see." }], {
    capabilities: { fs: { readTextFile: true } },
    onReadFile(path) {
      asked.push(path);
      if (path.endsWith("refused.ts")) throw new Error("not open here");
      return path.endsWith("typed.ts") ? "typed\n" : "saved\n";
    },
  });
  const paths = ["typed.ts", "saved.ts", "refused.ts", "absent.ts"].map((name) => join(bench.project, name));
  for (const path of paths.slice(0, 3)) writeFileSync(path, "saved\n");
  const { sessionId } = await newSession(editor, bench.project);
  const prompt = paths.map((path) => ({ type: "resource_link", name: "file", uri: pathToFileURL(path).href }) as const);
  expect(await editor.agent.request("session/prompt", { sessionId, prompt })).toEqual({ stopReason: "end_turn" });
  expect(asked.toSorted()).toEqual(paths.slice(0, 3).toSorted());
  const sent = bench.model.requests[0]?.body.messages?.findLast(({ role }) => role === "user")?.content;
  const mentions = paths.map((path) => `[@file](${path})`).join("");
  const note = "Not saved yet: this is what the user sees in the editor, and the file on disk is older.";
  expect(sent).toBe(`${mentions}\n\n<file path="${paths[0]}" state="unsaved">\n${note}\n\ntyped\n\n</file>`);
});

test("what cannot be attached is refused with what can", async () => {
  const { bench, editor } = await open([]);
  const { sessionId } = await newSession(editor, bench.project);
  const prompt = (block: object) =>
    // The editor may send what the types do not allow.
    editor.agent.request("session/prompt", { sessionId, prompt: [block as never] });
  await expect(prompt({ type: "image", data: png, mimeType: "image/tiff" })).rejects.toThrow(
    "cannot attach image/tiff",
  );
  await expect(prompt({ type: "audio", data: png, mimeType: "audio/wav" })).rejects.toThrow("Audio is not supported");
  await expect(prompt(text(" "))).rejects.toThrow("The prompt is empty");
  expect(bench.model.requests).toHaveLength(0);
});

test.each([
  ["length", "max_tokens"],
  ["content_filter", "refusal"],
])("an answer that ends with %s stops with %s", async (finishReason, stopReason) => {
  const { bench, editor } = await open(() => ({ text: "So far", finishReason }));
  const { sessionId } = await newSession(editor, bench.project);
  expect(await say(editor, sessionId, "go")).toEqual({ stopReason });
});

test("a limit of model calls stops with max_turn_requests", async () => {
  const script = (_: unknown, index: number): MockTurn => ({
    toolCalls: [{ name: "glob", input: { pattern: `*.${index}` } }],
  });
  const { bench, editor } = await open(script, { argv: ["--max-turns", "2"] });
  const { sessionId } = await newSession(editor, bench.project);
  expect(await say(editor, sessionId, "go")).toEqual({ stopReason: "max_turn_requests" });
});

test("a failure of the vendor is the error of the prompt, and a missing key asks for a sign-in", async () => {
  const body = JSON.stringify({ error: { message: "no such key" } });
  const { bench, editor } = await open(() => ({ status: 401, body }));
  const { sessionId } = await newSession(editor, bench.project);
  await expect(say(editor, sessionId, "go")).rejects.toMatchObject({ code: -32000 });
});

test("slash commands answer without a model, and undo takes back files", async () => {
  const write: MockTurn = {
    toolCalls: [{ id: "call_1", name: "write", input: { filePath: "new.txt", content: "x\n" } }],
  };
  const { bench, editor } = await open([write, { text: "Written." }]);
  const { sessionId } = await newSession(editor, bench.project);
  await say(editor, sessionId, "write it");
  expect(existsSync(join(bench.project, "new.txt"))).toBe(true);
  await say(editor, sessionId, "/undo");
  expect(existsSync(join(bench.project, "new.txt"))).toBe(false);
  expect(courseOf(editor, sessionId).at(-1)).toEqual({
    sessionUpdate: "agent_message_chunk",
    content: text("Undone:\n- new.txt (deleted)"),
  });
  expect(await say(editor, sessionId, "/status")).toEqual({ stopReason: "end_turn" });
  expect(bench.model.requests).toHaveLength(2);
});
