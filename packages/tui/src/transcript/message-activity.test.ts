/** What is being done, as the newest message tells it. */
import { expect, test } from "vitest";
import { callOf, messageOf, promptOf, readOf } from "../../test/transcript-samples.ts";
import { activityOfMessage } from "./message-activity.ts";

const running = (tool: string) => callOf(tool, {}, { status: "running", startedAt: 1 });

test.each([
  ["nothing yet", [], { kind: "waiting" }],
  ["a thought", [{ type: "reasoning", text: "Hm" }], { kind: "thinking" }],
  ["a text", [{ type: "text", text: "Yes" }], { kind: "responding" }],
  ["a call that is being written", [callOf("bash", "{", { status: "pending" })], { kind: "responding" }],
  ["a command", [running("bash")], { kind: "running", tool: "shell" }],
  ["a read", [running("read"), readOf("a.ts")], { kind: "reading", tool: "read" }],
  ["a result", [readOf("a.ts")], { kind: "waiting" }],
] as const)("%s", (_, bodies, activity) => {
  expect(activityOfMessage(messageOf("a", { bodies: [{ type: "step-start" }, ...bodies] }))).toEqual(activity);
});

test("a prompt waits for its answer", () => {
  expect(activityOfMessage(promptOf("p", "go"))).toEqual({ kind: "waiting" });
  expect(activityOfMessage(undefined)).toEqual({ kind: "waiting" });
});
