/** How the console words a question about permission. */
import type { PermissionRequest } from "@kedge/protocol";
import { expect, test } from "vitest";
import { questionText } from "./console-view.ts";

const request: PermissionRequest = {
  requestId: "prq_1",
  callId: "call_1",
  tool: "bash",
  permission: "bash",
  patterns: ["npm test"],
  always: [],
  reason: "no rule covers npm test",
  preview: "npm test\n(in /work)",
};

test("a command that its preview shows is printed once", () => {
  expect(questionText(request).match(/^ {4}npm test$/gm)).toHaveLength(1);
});

test("a pattern that is only part of a line of the preview is still shown", () => {
  const { preview: _, ...rest } = request;
  expect(questionText({ ...rest, patterns: ["test"], preview: "npm test\n(in /work)" })).toContain("\n    test\n");
});
