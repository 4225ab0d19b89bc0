/** Proves that only clear words permit anything. */
import type { PermissionRequest } from "@kedge/protocol";
import { expect, test } from "vitest";
import { parsePermissionAnswer } from "./permission-answer.ts";

const request: PermissionRequest = {
  requestId: "per_1",
  callId: "call_1",
  tool: "bash",
  permission: "bash",
  patterns: ["npm test"],
  always: ["npm test *"],
  reason: "no rule allows it",
};

test("answers", () => {
  const answers = ["y", " YES ", "a", "n", "no, use pnpm", "n use pnpm", "", "yep", "y please", "always do"];
  expect(answers.map((line) => parsePermissionAnswer(line, request))).toEqual([
    { reply: "once" },
    { reply: "once" },
    { reply: "session" },
    { reply: "reject" },
    undefined,
    { reply: "reject", message: "use pnpm" },
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("for this session is refused where the request does not offer it", () => {
  expect(parsePermissionAnswer("a", { ...request, always: [] })).toBe(undefined);
});
