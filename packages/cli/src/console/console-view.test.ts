/** How the console words a question about permission, and what hooks changed. */
import type { Fact, PermissionRequest } from "@kedge/protocol";
import { expect, test } from "vitest";
import { factText, questionText } from "./console-view.ts";

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

test("what hooks changed is told with the call and below the prompt, and nothing of it steers a terminal", () => {
  const metadata = { inputChangedBy: ["hook a.json PreToolUse[0]"], rewrittenBy: ["plugin:b\u001b[2J", "hook c"] };
  const ended = { type: "tool.ended", stepId: "s", callId: "c", tool: "bash", title: "make", output: "ok", metadata };
  expect(factText({ ...ended, outcome: "completed" } as unknown as Fact)).toBe(
    "* bash make - ok (input changed by hook a.json PreToolUse[0]) (rewritten by plugin:b, hook c)\n",
  );
  const revised = { type: "prompt.revised", promptId: "p", text: "new" } as const;
  expect(factText({ ...revised, by: "hook d" })).toBe("(prompt rewritten by hook d)\n");
  expect(factText(revised)).toBe("");
});
