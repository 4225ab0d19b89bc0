/** Proves that messages only grow while the conversation does, and that a result counts as shown only while it is. */
import { type ConversationItem, emptySession, type SessionState } from "@kedge/protocol";
import { collectGarbage } from "@kedge/testing";
import { expect, test } from "vitest";
import { createMessages, type Messages } from "./messages.ts";

const results = (callId: string): ConversationItem => ({
  type: "results",
  id: `${callId}.results`,
  stepId: "s",
  results: [{ callId, tool: "look", outcome: "completed", output: "seen" }],
});

test("a conversation that was replaced shows nothing until it was looked at, and begins a new list", () => {
  const messages = createMessages();
  const state = emptySession("ses_1");
  state.items.push(results("a"), results("b"));
  expect(messages.isShown("a", state)).toBe(false);
  const list = messages.all(state);
  expect([messages.isShown("a", state), messages.isShown("b", state)]).toEqual([true, true]);
  state.items.push(results("c"));
  expect(messages.isShown("c", state)).toBe(false);
  expect(messages.all(state)).toBe(list);
  expect(messages.isShown("c", state)).toBe(true);

  state.items = state.items.slice(0, 1);
  expect(messages.isShown("a", state)).toBe(false);
  expect(messages.all(state)).not.toBe(list);
  expect([messages.isShown("a", state), messages.isShown("b", state)]).toEqual([true, false]);
});

test("once it settles, nothing holds the list of a conversation that was replaced", async () => {
  const messages = createMessages();
  const state = emptySession("ses_1");
  state.items.push(results("a"));
  const list = listOf(messages, state);
  messages.settle(state);
  await collectGarbage();
  expect(list.deref()).toBe(messages.all(state));

  state.items = [results("b")];
  messages.settle(state);
  expect(messages.isShown("b", state)).toBe(false);
  await collectGarbage();
  expect(list.deref()).toBeUndefined();
  expect(messages.all(state)).toMatchObject([{ role: "tool", callId: "b" }]);
});

/** In a function of its own, so that no variable of the test holds the list. */
function listOf(messages: Messages, state: SessionState): WeakRef<object> {
  return new WeakRef(messages.all(state));
}
