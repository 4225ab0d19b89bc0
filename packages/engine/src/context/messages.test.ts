/** Proves that messages only grow while the conversation does, and that a result counts as shown only while it is. */
import { type ConversationItem, emptySession } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createMessages } from "./messages.ts";

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
