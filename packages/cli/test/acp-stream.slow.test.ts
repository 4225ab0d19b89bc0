/** Proves that nothing breaks the stream of `kedge acp`: broken lines, hostile output, questions, the end of the input. */
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CreateElicitationRequest } from "@agentclientprotocol/sdk";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { courseOf, createAcpBench, newSession, outputOf, say, selected, text } from "./acp-bench.ts";

const { open, close } = createAcpBench();
afterEach(close);

const bash = (command: string): MockTurn => ({
  toolCalls: [{ id: "call_1", name: "bash", input: { command, description: "for the test" } }],
});

test("a broken line is answered with an error of the protocol, and what follows is heard", async () => {
  const { bench, editor } = await open([{ text: "Fine." }]);
  const lines: string[] = [];
  editor.child.stdout.on("data", (chunk: Buffer) => lines.push(...chunk.toString("utf8").trimEnd().split("\n")));
  editor.child.stdin.write('{"jsonrpc":"2.0","id":77,\n');
  editor.child.stdin.write("\u0000\u001b[2Jnot json at all\n[]\n\n");
  const { sessionId } = await newSession(editor, bench.project);
  expect(await say(editor, sessionId, "still there?")).toEqual({ stopReason: "end_turn" });
  const errors = lines.map((line) => JSON.parse(line)).filter((message) => message.error !== undefined);
  expect(errors.map(({ id, error }) => [id, error.code])).toEqual([
    [null, -32700],
    [null, -32700],
    [null, -32600],
  ]);
});

test("unknown methods and unknown sessions are errors, and nothing else is lost", async () => {
  const { editor } = await open([]);
  await expect(editor.agent.request("session/teleport", {})).rejects.toMatchObject({ code: -32601 });
  await expect(say(editor, "ses_absent", "hello")).rejects.toMatchObject({ code: -32002 });
  await editor.agent.notify("session/cancel", { sessionId: "ses_absent" });
  expect(await editor.agent.request("session/list", {})).toEqual({ sessions: [] });
});

test("control characters of a command's output break nothing and are not passed on", async () => {
  const command = String.raw`printf '\033]0;title\007a\000\033[31mred\033[0m\r\n{"jsonrpc":"2.0"}\342\200\250\n'; printf '\200\377'`;
  const { bench, editor } = await open([bash(command), { text: "Ran\u001b[2J." }]);
  const { sessionId } = await newSession(editor, bench.project);
  expect(await say(editor, sessionId, "run it")).toEqual({ stopReason: "end_turn" });
  const [done] = courseOf(editor, sessionId).filter(
    (each) => each.sessionUpdate === "tool_call_update" && each.status === "completed",
  );
  const shown = done?.sessionUpdate === "tool_call_update" ? done.content?.[0] : undefined;
  const words = shown?.type === "content" && shown.content.type === "text" ? shown.content.text : "";
  expect(words).toContain('ared\n{"jsonrpc":"2.0"}⟨U+2028⟩\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
  expect(words).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028]/);
});

test("a fence in the output does not end the fence around it", async () => {
  const { bench, editor } = await open([bash("printf '```\\nx\\n```\\n'"), { text: "Ran." }]);
  const { sessionId } = await newSession(editor, bench.project);
  await say(editor, sessionId, "run it");
  expect(courseOf(editor, sessionId).at(-2)).toMatchObject({
    content: [{ type: "content", content: text("````\n```\nx\n```\n````") }],
  });
});

test("what a command writes is shown while it runs", async () => {
  const { bench, editor } = await open([bash("echo begun; read -r line < gate"), { text: "Ran." }]);
  const { sessionId } = await newSession(editor, bench.project);
  execFileSync("mkfifo", [join(bench.project, "gate")]);
  const turn = say(editor, sessionId, "run it");
  const shown = await editor.seen(
    sessionId,
    (each) => each.sessionUpdate === "tool_call_update" && each.content != null,
  );
  expect(shown).toEqual({ sessionUpdate: "tool_call_update", toolCallId: "call_1", content: [outputOf("begun")] });
  writeFileSync(join(bench.project, "gate"), "go\n");
  expect(await turn).toEqual({ stopReason: "end_turn" });
});

const question: MockTurn = {
  toolCalls: [
    {
      id: "call_1",
      name: "question",
      input: {
        questions: [
          {
            question: "Which way?",
            options: [
              { label: "left", description: "past the well" },
              { label: "right", description: "through the wood" },
            ],
          },
        ],
      },
    },
  ],
};

test("a question of the model is a form where the editor has forms", async () => {
  const asked: CreateElicitationRequest[] = [];
  const { bench, editor } = await open([question, { text: "Left, then." }], {
    capabilities: { elicitation: { form: {} } },
    onElicitation: async (request) => {
      asked.push(request);
      return { action: "accept", content: { question_1: "left" } };
    },
  });
  const { sessionId } = await newSession(editor, bench.project);
  await say(editor, sessionId, "go");
  expect(asked).toEqual([
    {
      mode: "form",
      sessionId,
      toolCallId: "call_1",
      message: "Which way?",
      requestedSchema: {
        type: "object",
        properties: {
          question_1: {
            type: "string",
            title: "Which way?",
            oneOf: [
              { const: "left", title: "left", description: "past the well" },
              { const: "right", title: "right", description: "through the wood" },
            ],
          },
        },
        required: ["question_1"],
      },
    },
  ]);
  expect(courseOf(editor, sessionId).at(-2)).toMatchObject({ content: [outputOf("Which way?\n-> left")] });
});

test("a question of the model is a choice where the editor has no forms, and may stay unanswered", async () => {
  const answers = ["option_2", "decline"];
  const { bench, editor } = await open([question, { text: "So." }, question, { text: "So." }], {
    onPermission: () => selected(answers.shift() ?? "")(),
  });
  const { sessionId } = await newSession(editor, bench.project);
  await say(editor, sessionId, "go");
  await say(editor, sessionId, "again");
  expect(editor.permissions[0]?.options.map(({ name, kind }) => [name, kind])).toEqual([
    ["left", "allow_once"],
    ["right", "allow_once"],
    ["Do not answer", "reject_once"],
  ]);
  const results = courseOf(editor, sessionId).flatMap((each) =>
    each.sessionUpdate === "tool_call_update" && each.content != null ? [[each.status, each.content[0]]] : [],
  );
  expect(results).toEqual([
    ["completed", outputOf("Which way?\n-> right")],
    ["failed", outputOf(nobody)],
  ]);
});

const nobody =
  "Nobody can answer now. Decide yourself, go on, and state in your final answer what you assumed and why.";

test("the end of the input ends a run under way, gives its session free, and exits with 0", async () => {
  const { bench, editor } = await open([bash("touch begun; sleep 600; touch survived"), { text: "Never." }]);
  const { sessionId } = await newSession(editor, bench.project);
  const turn = say(editor, sessionId, "run it").catch((error: unknown) => error);
  await editor.seen(sessionId, (each) => each.sessionUpdate === "tool_call_update" && each.status === "in_progress");
  expect(await editor.end()).toMatchObject({ code: 0, stderr: "" });
  await turn;
  expect(existsSync(join(bench.project, "survived"))).toBe(false);
  const { editor: later } = await open([]);
  await later.agent.request("session/load", { sessionId, cwd: bench.project, mcpServers: [] });
  expect(courseOf(later, sessionId).map(({ sessionUpdate }) => sessionUpdate)).toEqual([
    "user_message_chunk",
    "tool_call",
  ]);
});

test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const)(
  "%s ends a run under way as the end of the input does",
  async (signal) => {
    const { bench, editor } = await open([{ text: "word ".repeat(100), stallAfterBytes: 2_000 }]);
    const { sessionId } = await newSession(editor, bench.project);
    const turn = say(editor, sessionId, "talk").catch((error: unknown) => error);
    await editor.seen(sessionId, (each) => each.sessionUpdate === "agent_message_chunk");
    editor.child.kill(signal);
    expect(await editor.over).toMatchObject({ code: 0, stderr: "" });
    await turn;
  },
);

test("an editor that no longer reads ends nothing but itself", async () => {
  const { bench, editor } = await open([{ text: "word ".repeat(100_000) }]);
  const { sessionId } = await newSession(editor, bench.project);
  const turn = say(editor, sessionId, "talk").catch((error: unknown) => error);
  await editor.seen(sessionId, (each) => each.sessionUpdate === "agent_message_chunk");
  editor.child.stdout.destroy();
  expect((await editor.end()).code).toBe(0);
  await turn;
});

test("notices go to editors that show them, and to the log of others", async () => {
  const busy: MockTurn = { status: 503, body: "{}", headers: { "retry-after": "0" } };
  const notices = { capabilities: { session: { notices: {} } } };
  const { bench, editor } = await open([busy, { text: "Fine." }], notices);
  const { sessionId } = await newSession(editor, bench.project);
  await say(editor, sessionId, "go");
  expect(courseOf(editor, sessionId).map(({ sessionUpdate }) => sessionUpdate)).toEqual([
    "notice",
    "agent_message_chunk",
  ]);
});

test("started by hand, or with words, it says what it is for", async () => {
  const { bench } = await open([]);
  expect(await bench.run(["acp", "now"])).toEqual({
    code: 2,
    stdout: "",
    stderr: 'kedge: kedge acp does not accept "now".\n',
  });
});
