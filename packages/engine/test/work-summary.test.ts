/** The work of a session in the form of a pull request: from what was said and changed, once for each state, within a budget. */
import { noUsage } from "@kedge/protocol";
import { toolAnswer } from "@kedge/testing";
import { expect, test } from "vitest";
import { createHarness, createTool, type HarnessOptions, say } from "./harness.ts";

function open(options: Omit<HarnessOptions, "parts">, isAffordable = true) {
  const workSummary = { model: "mock/other", prompt: async () => "Sum up.", isAffordable: () => isAffordable };
  return createHarness({ ...options, parts: { workSummary } });
}

const summarise = (harness: ReturnType<typeof open>, sessionId: string) =>
  harness.engine.send({ type: "session.summarise", sessionId });

const updates = (harness: ReturnType<typeof open>) => harness.facts().filter(({ type }) => type === "session.updated");

test("a model sees prompts, final answers and files, never what tools gave, and is asked once for each state", async () => {
  const look = createTool({ name: "look", run: async () => ({ output: "SECRET RESULT", title: "look" }) });
  const harness = open({
    tools: [look],
    turns: [
      toolAnswer({ callId: "c1", tool: "look", input: {} }),
      say("The parser is mended."),
      say("**What:** mended the parser."),
      say("Tests too."),
      say("**What:** parser and tests."),
    ],
  });
  const sessionId = await harness.open("bypass");
  await harness.prompt(sessionId, "Mend the parser, hunter2.");
  const written = { ok: true, value: { text: "**What:** mended the parser.", isWritten: true } };
  expect(await summarise(harness, sessionId)).toEqual(written);
  expect(await summarise(harness, sessionId)).toEqual(written);
  const asked = harness.requests[2];
  expect(asked).toMatchObject({ source: "background", system: "Sum up.", tools: [] });
  expect(asked?.messages).toEqual([
    {
      role: "user",
      text: "<developer>\nMend the parser, [REDACTED:password].\n</developer>\n<agent>\nThe parser is mended.\n</agent>\n<changed-files>\nNo files changed.\n</changed-files>",
    },
  ]);
  await harness.prompt(sessionId, "And the tests.");
  expect(await summarise(harness, sessionId)).toMatchObject({ value: { text: "**What:** parser and tests." } });
  expect(updates(harness)).toHaveLength(2);
  expect(updates(harness)[0]).toMatchObject({ usage: { ...noUsage, input: 100, output: 10 } });
});

test("without money, a setting or an answer the files are named, and nothing is kept as a summary", async () => {
  const poor = open({ turns: [say("Done.")] }, false);
  const sessionId = await poor.open();
  await poor.prompt(sessionId, "Go.");
  const files = { ok: true, value: { text: "No files changed.", isWritten: false } };
  expect(await summarise(poor, sessionId)).toEqual(files);
  expect(poor.requests).toHaveLength(1);
  const failed = open({
    turns: [say("Done."), [{ type: "failed", failure: { code: "server_error", message: "No.", retryable: false } }]],
  });
  await failed.open();
  await failed.prompt("ses_1", "Go.");
  expect(await summarise(failed, "ses_1")).toEqual(files);
  expect(updates(failed)).toEqual([]);
});

test("an answer without end is cut at two hundred words", async () => {
  const harness = open({ turns: [say("Done."), say("word ".repeat(500))] });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "Go.");
  const answer = await summarise(harness, sessionId);
  expect(answer.ok && (answer.value as { text: string }).text.split(" ")).toHaveLength(201);
});
