import type { ConversationItem } from "@kedge/protocol";
import { expect, test } from "vitest";
import { startsTurn } from "./turns.ts";

const prompt = (form: "prompt" | "steer"): ConversationItem => ({ type: "prompt", id: "p", text: "", form });
const answer: ConversationItem = { type: "answer", id: "s", stepId: "s", model: "m", content: [] };
const record = (kind: "branch-summary" | "handoff"): ConversationItem => ({ type: "record", id: "r", kind, text: "" });

test.each([
  ["the first prompt", prompt("prompt"), undefined, true],
  ["a prompt after an answer", prompt("prompt"), answer, true],
  ["the second of two prompts", prompt("prompt"), prompt("prompt"), false],
  ["a word in the middle of a run", prompt("steer"), answer, false],
  ["what came of another branch", record("branch-summary"), answer, true],
  ["a prompt right after that", prompt("prompt"), record("branch-summary"), false],
  ["another record", record("handoff"), answer, false],
  ["an answer", answer, prompt("prompt"), false],
])("%s", (_, item, previous, starts) => {
  expect(startsTurn(item, previous)).toBe(starts);
});
