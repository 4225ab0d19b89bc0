/** Proves which command each deed of the user is, and what is told of its outcome. */
import { type Client, type Failure, FailureError } from "@kedge/protocol";
import { expect, test } from "vitest";
import { session, stateWith } from "../../../test/status-state.ts";
import type { ClientState } from "../../state/client-state.ts";
import { createStateStore } from "../../state/state-store.ts";
import { createSessionDesk, type SessionDesk } from "./session-desk.ts";

const failure: Failure = {
  code: "session_busy",
  message: "The session is busy.",
  recovery: "Wait for it.",
  retryable: true,
};

type Answers = { readonly [type: string]: unknown };

function setUp(answers: Answers = {}, { isOpening = true } = {}) {
  const done: unknown[][] = [];
  const store = createStateStore<ClientState>(stateWith());
  const client = {
    async send(command: { readonly type: string }) {
      done.push(["send", command]);
      const value = answers[command.type] ?? {};
      return value === "fails" ? { ok: false, failure } : { ok: true, value };
    },
    // Nothing else of a client is used by a desk.
  } as unknown as Client;
  const desk = createSessionDesk({
    ...{ client, store },
    notice: (tone, text) => done.push([tone, text]),
    offerText: (text) => done.push(["offer", text]),
    async openSession(sessionId) {
      done.push(["open", sessionId]);
      if (!isOpening) throw new FailureError(failure);
      store.update((state) => ({ ...state, session: { ...session, id: sessionId } }));
    },
    runOptions: { reasoning: { effort: "low", tokensMax: 1_000 } },
  });
  return { desk, done, store };
}

const options = { reasoning: { effort: "low", tokensMax: 1_000 } };
const sessionId = "ses_1";
const media = { name: "a.png", mediaType: "image/png", base64: "AAAA" };
const files = [{ path: "a.ts", status: "modified" }] as const;
const told = "The session is busy. Wait for it.";

type Deed = (desk: SessionDesk) => Promise<unknown>;

test.each<[string, Deed, Answers, readonly unknown[][]]>([
  [
    "submit",
    (desk) => desk.submit({ text: "Hi", attachments: [] }, "steer"),
    {},
    [["send", { type: "prompt.submit", sessionId, text: "Hi", delivery: "steer", options }]],
  ],
  [
    "submit with attachments, for later",
    (desk) => desk.submit({ text: "Hi", attachments: [media] }, "follow-up"),
    {},
    [["send", { type: "prompt.submit", sessionId, text: "Hi", attachments: [media], delivery: "follow-up", options }]],
  ],
  ["continue", (desk) => desk.continueRun(), {}, [["send", { type: "run.continue", sessionId, options }]]],
  ["interrupt", (desk) => desk.interrupt(), {}, [["send", { type: "turn.interrupt", sessionId }]]],
  ["retry now", (desk) => desk.hasten(), {}, [["send", { type: "retry.hasten", sessionId }]]],
  [
    "permission",
    (desk) => desk.answerPermission("per", { reply: "reject", message: "No." }),
    {},
    [["send", { type: "permission.answer", sessionId, requestId: "per", reply: "reject", message: "No." }]],
  ],
  [
    "questions",
    (desk) => desk.answerQuestions("que", ["This"]),
    {},
    [["send", { type: "question.answer", sessionId, requestId: "que", answers: ["This"] }]],
  ],
  ["mode", (desk) => desk.changeMode("plan"), {}, [["send", { type: "mode.change", sessionId, mode: "plan" }]]],
  [
    "model",
    (desk) => desk.changeModel("mock/two"),
    { "model.change": { model: "mock/two" } },
    [
      ["send", { type: "model.change", sessionId, model: "mock/two" }],
      ["info", "Model: mock/two, from the next prompt. To make it the default, run kedge config set model mock/two."],
    ],
  ],
  [
    "undo",
    (desk) => desk.undo(),
    { "session.undo": { files, uncovered: [], promptText: "Do it." } },
    [
      ["send", { type: "session.undo", sessionId, evenIfChanged: false }],
      ["success", "Undone: 1 file changed: a.ts (modified)."],
      ["offer", "Do it."],
    ],
  ],
  [
    "undo from a message on, although files changed",
    (desk) => desk.undo({ messageId: "msg", isForced: true }),
    { "session.revert": { files: [], uncovered: ["big.bin"], promptText: "" } },
    [
      ["send", { type: "session.revert", messageId: "msg", sessionId, evenIfChanged: true }],
      ["warning", "Undone: no files changed.\nNot covered by a snapshot: big.bin."],
      ["offer", ""],
    ],
  ],
  [
    "redo",
    (desk) => desk.redo(),
    { "session.redo": { files } },
    [
      ["send", { type: "session.redo", sessionId, evenIfChanged: false }],
      ["success", "Redone: 1 file changed: a.ts (modified)."],
    ],
  ],
  [
    "move",
    (desk) => desk.moveTo("msg"),
    { "leaf.move": { promptText: "Again." } },
    [
      ["send", { type: "leaf.move", sessionId, entryId: "msg" }],
      ["offer", "Again."],
    ],
  ],
  ["move to the beginning", (desk) => desk.moveTo(undefined), {}, [["send", { type: "leaf.move", sessionId }]]],
  [
    "rewind of the conversation",
    (desk) => desk.rewind("msg", "conversation"),
    { "leaf.move": { promptText: "Again." } },
    [
      ["send", { type: "leaf.move", sessionId, entryId: "msg" }],
      ["offer", "Again."],
    ],
  ],
  [
    "rewind of both",
    (desk) => desk.rewind("msg", "both"),
    { "session.revert": { files, uncovered: [], promptText: "Do it." } },
    [
      ["send", { type: "session.revert", messageId: "msg", sessionId, evenIfChanged: false }],
      ["success", "Undone: 1 file changed: a.ts (modified)."],
      ["offer", "Do it."],
    ],
  ],
  [
    "rewind of files alone is one undo, and the prompt is left as it is",
    (desk) => desk.rewind("msg", "files"),
    { "session.revert": { files, uncovered: [], promptText: "Do it." } },
    [
      ["send", { type: "session.revert", messageId: "msg", sessionId, evenIfChanged: false, only: "files" }],
      ["success", "Undone: 1 file changed: a.ts (modified)."],
    ],
  ],
  [
    "rename",
    (desk) => desk.rename("New"),
    {},
    [
      ["send", { type: "session.update", sessionId, title: "New" }],
      ["info", "Session renamed to New."],
    ],
  ],
  ["withdraw", (desk) => desk.withdraw("msg"), {}, [["send", { type: "message.remove", sessionId, messageId: "msg" }]]],
  [
    "fork",
    (desk) => desk.fork(),
    { "session.fork": { sessionId: "ses_2" } },
    [
      ["send", { type: "session.fork", sessionId }],
      ["send", { type: "session.resume", sessionId: "ses_2" }],
      ["open", "ses_2"],
      ["send", { type: "session.close", sessionId }],
      ["info", "You are in a fork. The original session is unchanged."],
    ],
  ],
  [
    "a new session keeps mode and model",
    (desk) => desk.begin(),
    { "session.create": { sessionId: "ses_2" } },
    [
      ["send", { type: "session.create", mode: "plan", model: "anthropic/opus" }],
      ["open", "ses_2"],
      ["send", { type: "session.close", sessionId }],
    ],
  ],
  [
    "another session",
    (desk) => desk.switchTo("ses_2"),
    { "session.resume": { notice: "Moved.", interrupted: true } },
    [
      ["send", { type: "session.resume", sessionId: "ses_2" }],
      ["open", "ses_2"],
      ["send", { type: "session.close", sessionId }],
      ["info", "Moved."],
      ["warning", "The last run was interrupted. Resume it with /continue."],
    ],
  ],
  [
    "a picked session, with what the command line said of it",
    (desk) => desk.switchTo("ses_2", { isForked: true, mode: "plan", model: "x/y" }),
    { "session.fork": { sessionId: "ses_3" } },
    [
      ["send", { type: "session.fork", sessionId: "ses_2" }],
      ["send", { type: "session.resume", sessionId: "ses_3", mode: "plan", model: "x/y" }],
      ["open", "ses_3"],
      ["send", { type: "session.close", sessionId }],
      ["info", "You are in a fork. The original session is unchanged."],
    ],
  ],
  ["the session that is open", (desk) => desk.switchTo(sessionId), {}, []],
])("%s", async (_, deed, answers, expected) => {
  const { desk, done } = setUp(answers);
  await deed(desk);
  expect(done).toEqual(expected);
});

test.each<[string, string, Deed, unknown]>([
  ["prompt.submit", "submit", (desk) => desk.submit({ text: "Hi", attachments: [] }, "steer"), false],
  ["turn.interrupt", "interrupt", (desk) => desk.interrupt(), false],
  ["permission.answer", "permission", (desk) => desk.answerPermission("per", { reply: "once" }), false],
  ["question.answer", "question", (desk) => desk.answerQuestions("que", []), false],
  ["model.change", "model", (desk) => desk.changeModel("x"), undefined],
  ["session.undo", "undo", (desk) => desk.undo(), false],
  ["session.redo", "redo", (desk) => desk.redo(), false],
  ["leaf.move", "move", (desk) => desk.moveTo("msg"), undefined],
  ["context.compact", "compact", (desk) => desk.compact(""), undefined],
  ["session.update", "rename", (desk) => desk.rename("x"), undefined],
  ["session.fork", "fork", (desk) => desk.fork(), undefined],
  ["session.create", "begin", (desk) => desk.begin(), undefined],
  ["session.resume", "switch", (desk) => desk.switchTo("ses_2"), undefined],
  ["message.remove", "withdraw", (desk) => desk.withdraw("msg"), false],
])("a failure of %s is told and nothing follows", async (type, _, deed, outcome) => {
  const { desk, done, store } = setUp({ [type]: "fails" });
  expect(await deed(desk)).toBe(outcome);
  const after = done.filter(([what]) => what !== "send" && what !== "offer");
  expect(after).toEqual([["error", told]]);
  expect([store.get().session?.id, store.get().activity.kind]).toEqual([sessionId, "idle"]);
});

test("whoever sent a prompt that was not taken is told so, and has it still", async () => {
  const { desk, done } = setUp({ "prompt.submit": "fails" });
  expect(await desk.submit({ text: "Precious", attachments: [] }, "steer")).toBe(false);
  expect(done.slice(1)).toEqual([["error", told]]);
});

test("a session that cannot be read is told, and the other one is not closed", async () => {
  const { desk, done } = setUp({ "session.fork": { sessionId: "ses_2" } }, { isOpening: false });
  await desk.fork();
  expect(done.slice(2)).toEqual([
    ["open", "ses_2"],
    ["error", told],
  ]);
});

test("the effort counts from the next prompt on and keeps the limit of tokens", async () => {
  const { desk, done, store } = setUp();
  expect(desk.effort()).toBe("low");
  desk.changeEffort("high");
  await desk.submit({ text: "Hi", attachments: [] }, "steer");
  expect([desk.effort(), store.get().effort]).toEqual(["high", "high"]);
  expect(done[0]?.[1]).toMatchObject({ options: { reasoning: { effort: "high", tokensMax: 1_000 } } });
});

test("/compact tells its result once, which is the mark in the conversation; meanwhile it is an activity", async () => {
  const { desk, done, store } = setUp({ "context.compact": { tokensBefore: 900, tokensAfter: 100 } });
  const seen: string[] = [];
  store.subscribe(
    ({ activity }) => activity.kind,
    (kind) => seen.push(kind),
  );
  await desk.compact("Keep the names.");
  expect(seen).toEqual(["compacting", "idle"]);
  expect(done).toEqual([["send", { type: "context.compact", sessionId, instructions: "Keep the names." }]]);
});

test("summing up that is refused leaves the run that goes on", async () => {
  const { desk, store } = setUp({ "context.compact": "fails" });
  store.update((state) => ({ ...state, activity: { ...state.activity, kind: "running", tool: "bash" } }));
  const before = store.get().activity;
  await desk.compact("");
  expect(store.get().activity).toBe(before);
});

test.each([
  [{ output: "hi\n", exitCode: 0 }, "info", "$ ls\nhi"],
  [{ output: "no\n", exitCode: 2 }, "warning", "$ ls\nno\n(exit code 2)"],
  [{ output: "", signal: "SIGKILL" }, "warning", "$ ls\n(killed by SIGKILL)"],
])("a private line of the shell that gave %j", async (value, tone, text) => {
  const { desk, done } = setUp({ "shell.run": value });
  await desk.runShell("ls", { isPrivate: true });
  expect(done).toEqual([
    ["send", { type: "shell.run", sessionId, command: "ls" }],
    [tone, text],
  ]);
});

test("a line of the shell is added for the model, its end if it is long", async () => {
  const { desk, done } = setUp({ "shell.run": { output: "x".repeat(20_000), exitCode: 0 } });
  await desk.runShell("ls", { isPrivate: false });
  expect(done[1]).toEqual([
    "send",
    { type: "message.add", sessionId, text: `(4,005 characters omitted)\n${"x".repeat(16_000)}` },
  ]);
});
