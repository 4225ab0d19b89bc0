/** Proves which request is asked, and what becomes of it when it is answered here or elsewhere. */
import type { PermissionRequest } from "@kedge/protocol";
import { expect, test } from "vitest";
import { bareTheme } from "../../../test/bare-theme.ts";
import { stateWith } from "../../../test/status-state.ts";
import { createDialogStack } from "../../dialogs/stack/dialog-stack.ts";
import { decodeInput } from "../../screen/decode-input.ts";
import type { ClientState, OpenRequest } from "../../state/client-state.ts";
import { createStateStore } from "../../state/state-store.ts";
import { createOpenRequests } from "./open-requests.ts";
import type { SessionDesk } from "./session-desk.ts";

function permission(requestId: string, more: Partial<PermissionRequest> = {}): OpenRequest {
  const request: PermissionRequest = {
    ...{ requestId, callId: `call ${requestId}`, tool: "bash", permission: "bash", patterns: [`ls ${requestId}`] },
    ...{ always: [], reason: "No rule allows it.", ...more },
  };
  return { kind: "permission", request, since: 0 };
}

const question: OpenRequest = {
  ...{ kind: "question", requestId: "que", since: 0 },
  questions: [{ question: "Which one?", options: [{ label: "This", description: "" }] }],
};

function setUp(state: Partial<ClientState> = {}) {
  const store = createStateStore<ClientState>({ ...stateWith(), ...state });
  const dialogs = createDialogStack();
  const told: string[] = [];
  const sent: unknown[] = [];
  let time = 0;
  let keyAt = Number.NEGATIVE_INFINITY;
  let isTaken = true;
  const answering = async (...answer: readonly unknown[]) => {
    sent.push(answer);
    return isTaken;
  };
  // Only these are called.
  const desk = {
    answerPermission: (id: string, answer: unknown) => answering("permission", id, answer),
    answerQuestions: (id: string, answers: unknown) => answering("question", id, answers),
    interrupt: () => answering("interrupt"),
    changeMode: (mode: string) => answering("mode", mode),
  } as unknown as SessionDesk;
  const theme = bareTheme();
  const requests = createOpenRequests({
    ...{ state: store.get, dialogs, desk: () => desk, theme: () => theme, now: () => time },
    lastKeyAt: () => keyAt,
    redraw: () => {},
    notice: (text) => told.push(text),
    createMarkdown: () => ({ setText: () => {}, end: () => {}, render: () => [] }),
    createDiff: () => ({ render: () => [] }),
  });
  store.subscribe((state) => state.requests, requests.update);
  const set = (...open: readonly OpenRequest[]) => store.update((state) => ({ ...state, requests: open }));
  const text = () => dialogs.render({ width: 100, height: 40, theme }).join("\n");
  return {
    ...{ dialogs, told, sent, set, requests },
    press(...sequences: readonly string[]) {
      for (const sequence of sequences) {
        const input = decodeInput(sequence);
        keyAt = time;
        if (input !== undefined) dialogs.handle(input);
      }
    },
    /** What is open is drawn first, as on a screen. */
    wait: (ms: number) => {
      text();
      time += ms;
    },
    refuse: (isRefused: boolean) => {
      isTaken = !isRefused;
    },
    text,
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("the first one is asked, the next one when that is answered", async () => {
  const { set, text, press, wait, sent, dialogs, requests } = setUp();
  set(permission("one"), permission("two"));
  expect(text()).toContain("ls one");
  expect(requests.isShown(dialogs.top())).toBe(true);
  wait(601);
  press("y");
  expect(sent).toEqual([["permission", "one", { reply: "once" }]]);
  await settled();
  // The state still has it, as its end comes by another way.
  expect(text()).toContain("ls two");
  set(permission("two"));
  expect(text()).toContain("ls two");
  wait(601);
  press("n");
  await settled();
  set();
  expect([dialogs.isEmpty(), sent.length]).toEqual([true, 2]);
});

test("an answer that was taken is not asked for again while its end is on the way", async () => {
  const { set, press, wait, dialogs, told, requests } = setUp();
  set(permission("one"));
  wait(601);
  press("y");
  await settled();
  expect(dialogs.isEmpty()).toBe(true);
  set();
  requests.answered({ type: "permission.replied", id: "one", reply: "once", source: "user" });
  expect(told).toEqual([]);
});

test("an answer that was not taken leaves the request open", async () => {
  const { set, press, wait, dialogs, text, refuse, sent } = setUp();
  refuse(true);
  set(permission("one"));
  wait(601);
  press("y");
  expect(dialogs.isEmpty()).toBe(true);
  await settled();
  expect(text()).toContain("ls one");
  refuse(false);
  wait(601);
  press("y");
  await settled();
  expect([dialogs.isEmpty(), sent.length]).toEqual([true, 2]);
});

test("what was answered elsewhere goes away with a sentence", () => {
  const { set, dialogs, told, requests } = setUp();
  set(permission("one"));
  // The state has it first, then the event is told.
  set();
  expect(dialogs.isEmpty()).toBe(true);
  requests.answered({ type: "permission.replied", id: "one", reply: "once", source: "user" });
  expect(told).toEqual(["bash was allowed in another client."]);
});

test("of several that went at once, the one that was on the screen is told of", () => {
  const { set, text, told, requests } = setUp();
  set(permission("one"), permission("two"), permission("three"));
  set(permission("three"));
  requests.answered({ type: "permission.replied", id: "two", reply: "reject", source: "sibling" });
  requests.answered({ type: "permission.replied", id: "one", reply: "reject", source: "classifier" });
  expect(told).toEqual(["bash was rejected by the classifier."]);
  expect(text()).toContain("ls three");
});

test("a list in another order does not change what is being read", () => {
  const { set, dialogs } = setUp();
  set(question, permission("one"));
  const before = dialogs.top();
  set(permission("one"), question);
  expect(dialogs.top()).toBe(before);
});

test("keys of the first moment answer nothing", () => {
  const { set, press, wait, sent, dialogs } = setUp();
  set(permission("one"));
  press("y", "\r", "n", "\u001b");
  wait(599);
  press("y", "\u001b[200~y\u001b[201~");
  expect([sent, dialogs.isEmpty()]).toEqual([[], false]);
});

test("the next request has a first moment of its own", async () => {
  const { set, press, wait, sent } = setUp();
  set(permission("one"), permission("two"));
  wait(601);
  press("y");
  await settled();
  press("y", "y");
  expect(sent.length).toBe(1);
});

test("questions are answered, or dismissed with the run", async () => {
  const { set, press, wait, sent, dialogs } = setUp();
  set(question);
  wait(601);
  press("\r");
  await settled();
  expect([sent, dialogs.isEmpty()]).toEqual([[["question", "que", ["This"]]], true]);
  set();
  set(question);
  wait(601);
  press("\u001b");
  await settled();
  expect(sent.slice(1)).toEqual([["interrupt"]]);
});

test("a dialog of the user stays below", () => {
  const { set, dialogs } = setUp();
  const own = { title: "Own", widthWished: 40, render: () => [], handle: () => true };
  dialogs.open(own);
  set(permission("one"));
  expect(dialogs.top()).not.toBe(own);
  set();
  expect(dialogs.top()).toBe(own);
});

test("who may not approve is offered no answer to a permission, and is told once to be a watcher; questions are asked", () => {
  const { dialogs, told, sent, set, press, text } = setUp({ scope: "prompt" });
  const watching = "Run this command? ls one. View only: your token does not allow approvals.";
  set(permission("one"));
  expect([dialogs.top(), told]).toEqual([undefined, [watching]]);
  press("y", "enter");
  set(permission("one"), question);
  expect(text()).toContain("Which one?");
  expect([told, sent]).toEqual([[watching], []]);
  set();
  set(permission("one"));
  expect([dialogs.top(), told]).toEqual([undefined, [watching, watching]]);
});

test("who may only read is offered nothing at all", () => {
  const { dialogs, told, set } = setUp({ scope: "read" });
  set(question);
  expect([dialogs.top(), told]).toEqual([
    undefined,
    ["The model asks: Which one? View only: your token does not allow answers."],
  ]);
});

test("who may approve is asked as ever", () => {
  const { text, told, set } = setUp({ scope: "approve" });
  set(permission("one"));
  expect(text()).toContain("ls one");
  expect(told).toEqual([]);
});
