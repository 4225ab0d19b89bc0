/** Proves that messages only grow while the conversation does, and that a result counts as shown only while it is. */
import { type ConversationItem, emptySession } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createContext } from "./context.ts";

const results = (callId: string): ConversationItem => ({
  type: "results",
  id: `${callId}.results`,
  stepId: "s",
  results: [{ callId, tool: "look", outcome: "completed", output: "seen" }],
});

test("a conversation that was replaced shows nothing until it was looked at, and begins a new list", () => {
  const context = createContext();
  const state = emptySession("ses_1");
  state.items.push(results("a"), results("b"));
  expect(context.isShown("a", state)).toBe(false);
  const list = context.messages(state);
  expect([context.isShown("a", state), context.isShown("b", state)]).toEqual([true, true]);
  state.items.push(results("c"));
  expect(context.isShown("c", state)).toBe(false);
  expect(context.messages(state)).toBe(list);
  expect(context.isShown("c", state)).toBe(true);

  state.items = state.items.slice(0, 1);
  expect(context.isShown("a", state)).toBe(false);
  expect(context.messages(state)).not.toBe(list);
  expect([context.isShown("a", state), context.isShown("b", state)]).toEqual([true, false]);
});
