/** Proves where notices stand while messages come and go, and that the end of an answer is told once. */
import type { MessageView } from "@kedge/protocol";
import { expect, test } from "vitest";
import type { Notice } from "../state/client-state.ts";
import { orderItems } from "./order-items.ts";

function message(id: string, role: MessageView["role"]): MessageView {
  return { id, sessionId: "ses", role, createdAt: 0, parts: [] };
}

const prompt = message("prompt", "user");
const answer = message("answer", "assistant");
const next = message("next", "user");

function notice(id: string, rest: Partial<Notice> = {}): Notice {
  return { id, tone: "info", text: id, ...rest };
}

function idsOf(messages: readonly MessageView[], notices: readonly Notice[]): readonly string[] {
  return orderItems(messages, notices).map(({ id }) => id);
}

test("a notice stands behind its message, before all without one, and last when its message is gone", () => {
  const notices = [
    notice("first"),
    notice("behind", { afterMessageId: "prompt" }),
    notice("late", { afterMessageId: "gone" }),
  ];
  expect(idsOf([prompt, answer], notices)).toEqual(["first", "prompt", "behind", "answer", "late"]);
});

test("when an answer that failed leaves the conversation, its notices stay behind the prompt", () => {
  const place = { afterMessageId: "answer", orAfterMessageId: "prompt" };
  const notices = [notice("failed", { ...place, isSaidByMessage: true }), notice("other", place)];
  expect(idsOf([prompt, answer], notices)).toEqual(["prompt", "answer", "other"]);
  expect(idsOf([prompt, next], notices)).toEqual(["prompt", "failed", "other", "next"]);
  expect(idsOf([next], notices)).toEqual(["next", "other"]);
});
