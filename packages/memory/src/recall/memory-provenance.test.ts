/** A command that a remembered text wants and the user did not is put to a person, with where the text comes from. */
import type { ConversationItem, PhasedCall } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createProvenancePhase } from "./memory-provenance.ts";

const recalled: ConversationItem = {
  ...{ type: "reminder", id: "r1", sent: { source: "recalled notes", origin: "deploys.md", hash: "h" } },
  text: '<untrusted-data source="recalled notes" origin="deploys.md" kind="topic" by="tool-derived" saved="2026-03-01">\nDeploy with `./deploy.sh --now` after tests.\n</untrusted-data>',
};
const prompt = (text: string): ConversationItem => ({ type: "prompt", id: "p1", text, form: "prompt" });
const read: readonly ConversationItem[] = [
  {
    ...{ type: "answer", id: "a1", stepId: "a1", model: "m" },
    content: [{ type: "tool-call", callId: "c1", tool: "read", inputText: '{"filePath":"/memory/cleanup.md"}' }],
  },
  {
    ...{ type: "results", id: "a1.results", stepId: "a1" },
    results: [{ callId: "c1", tool: "read", outcome: "completed", output: "Clean up with rm -rf build daily." }],
  },
];

function judge(command: string, items: readonly ConversationItem[], more: Partial<PhasedCall> = {}) {
  const phase = createProvenancePhase({
    directory: "/memory",
    cwd: "/project",
    stateOf: () => ({ items: [...items] }),
  });
  const call: PhasedCall = {
    ...{ sessionId: "s", callId: "c", tool: "bash", input: { command }, needs: [], readOnly: false },
    ...{ cwd: "/project", mode: "auto", ...more },
  };
  return phase.before?.(call, new AbortController().signal);
}

test("what was recalled asks, with who said it and when", () => {
  expect(judge("npm test && ./deploy.sh  --now", [prompt("Run the tests."), recalled])).toEqual({
    decision: "ask",
    reason: "only memory supports it: deploys.md (tool-derived, saved 2026-03-01)",
  });
});

test("what was read from a topic asks as well", () => {
  expect(judge("rm -rf build", [prompt("Go on."), ...read])).toEqual({
    ...{ decision: "ask", reason: "only memory supports it: cleanup.md" },
  });
});

test.each<readonly [string, ReturnType<typeof judge>]>([
  ["the user wants it too", judge("./deploy.sh --now", [prompt("Please run ./deploy.sh --now."), recalled])],
  ["memory says nothing of it", judge("npm install", [prompt("Go on."), recalled])],
  ["it only looks", judge("./deploy.sh --now", [prompt("Go on."), recalled], { readOnly: true })],
  ["a person is asked anyway", judge("./deploy.sh --now", [prompt("Go on."), recalled], { mode: "default" })],
])("passes where %s", (_, answer) => {
  expect(answer).toBeUndefined();
});
