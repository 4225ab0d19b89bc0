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

test("an empty line is a no to what cannot be taken back, and nothing lasts for longer", () => {
  const grave: PermissionRequest = { ...request, isIrreversible: true };
  const answers = ["", "  ", "a", "y", "n use a copy"].map((line) => parsePermissionAnswer(line, grave));
  expect(answers).toEqual([
    { reply: "reject" },
    { reply: "reject" },
    undefined,
    { reply: "once" },
    { reply: "reject", message: "use a copy" },
  ]);
});

test("for this session is refused where the request does not offer it", () => {
  expect(parsePermissionAnswer("a", { ...request, always: [] })).toBe(undefined);
});
