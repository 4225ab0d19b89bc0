/** What the agent asks before it acts: every answer, on the screen, on disk and to the model. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bashCall } from "@kedge/testing/screen-terminal";
import { expect, test } from "vitest";
import { asked, openStage, promptText, send, startTimeoutMs, toolTexts, waitMs, write } from "./stage.ts";

const open = openStage();
const slow = { timeout: startTimeoutMs };

test("once is asked again, a session is not", slow, async () => {
  const { terminal, project } = await open({
    script: [
      { toolCalls: [bashCall("touch first.txt")] },
      { text: "First made." },
      { toolCalls: [bashCall("touch first.txt")] },
      { text: "Second made." },
      { toolCalls: [bashCall("touch first.txt")] },
      { text: "Third made." },
    ],
  });
  await send(terminal, "Make the first.");
  const question = await asked(terminal, "Allow once");
  expect(question.join("\n")).toContain("Allow for this session: touch *");
  expect(existsSync(join(project, "first.txt"))).toBe(false);
  terminal.press("y");
  await terminal.shows("First made.", waitMs);
  expect(existsSync(join(project, "first.txt"))).toBe(true);
  await send(terminal, "Make the second.");
  await asked(terminal, "Allow once");
  terminal.press("a");
  await terminal.shows("Press Enter to confirm.");
  terminal.press("enter");
  await terminal.shows("Second made.", waitMs);
  await send(terminal, "Make the third.");
  await terminal.shows("Third made.", waitMs);
});

test("a rejection ends the run, and one with a message goes on with it", slow, async () => {
  const { terminal, project, model } = await open({
    script: [
      { toolCalls: [bashCall("touch unwanted.txt")] },
      { toolCalls: [bashCall("touch unwanted.txt")] },
      { text: "Wanted it is." },
    ],
  });
  await send(terminal, "Make it.");
  await asked(terminal, "Allow once");
  terminal.press("n");
  await terminal.shows(/touch unwanted\.txt · refused/, waitMs);
  await terminal.shows("i Rejected. Tell the model what to do instead.", waitMs);
  await send(terminal, "Again.");
  await asked(terminal, "Allow once");
  terminal.press("m");
  await terminal.shows("What should the model do instead?");
  terminal.type("Call it wanted.txt.");
  await terminal.shows("Call it wanted.txt.");
  terminal.press("enter");
  await terminal.shows("Wanted it is.", waitMs);
  expect(toolTexts(await model.waitForRequest(3)).at(-1)).toContain("Call it wanted.txt.");
  expect(existsSync(join(project, "unwanted.txt"))).toBe(false);
});

test("the command is edited before it runs", slow, async () => {
  const { terminal, project, model } = await open({
    script: [{ toolCalls: [bashCall("touch wrong.txt")] }, { text: "Made." }],
  });
  await send(terminal, "Make it.");
  await asked(terminal, "Allow once");
  terminal.press("e");
  await terminal.shows("Run this command instead");
  for (const _ of "wrong.txt") terminal.press("backspace");
  terminal.type("right.txt");
  await terminal.shows("touch right.txt");
  terminal.press("enter");
  await terminal.shows("Made.", waitMs);
  expect([existsSync(join(project, "wrong.txt")), existsSync(join(project, "right.txt"))]).toEqual([false, true]);
  expect(toolTexts(await model.waitForRequest(2))[0]).toContain('"command":"touch right.txt"');
});

test("what cannot be taken back offers no lasting answer, and enter rejects it", slow, async () => {
  const { terminal, project } = await open({
    files: { "work.txt": "first\n" },
    script: [{ toolCalls: [bashCall("git reset --hard")] }],
  });
  execFileSync("sh", ["-c", "echo second > work.txt"], { cwd: project });
  await send(terminal, "Clean up.");
  const screen = await asked(terminal, "This can't be undone");
  const choices = screen.flatMap((row) => /^│ [❯ ] [a-z] {2}(.*?) *│$/.exec(row)?.[1] ?? []);
  expect(choices).toEqual(["Reject", "No, and tell the model what to do instead", "Allow once", "Edit command"]);
  // Neither of these is offered, so neither is an answer.
  terminal.type("ap");
  terminal.press("enter");
  await terminal.shows(/git reset --hard · refused/, waitMs);
  expect(readFileSync(join(project, "work.txt"), "utf8")).toBe("second\n");
});

test("keys of the first moments are no answer, and the draft stays", slow, async () => {
  const gate = Promise.withResolvers<void>();
  const { terminal, project } = await open({
    script: [{ toolCalls: [bashCall("touch made.txt")], holdUntil: gate.promise }, { text: "It is done." }],
  });
  await send(terminal, "Make it.");
  await write(terminal, "and then");
  // Somebody who is typing when the question comes, however long that takes: each key follows what the last one drew.
  let isAsked = false;
  const stop = terminal.onWrite((text) => {
    if (isAsked) return;
    isAsked = text.includes("Allow once");
    // What a hand sends before it stops.
    terminal.type(isAsked ? "yyy\r" : ".");
  });
  terminal.type(".");
  gate.resolve();
  await asked(terminal, "Allow once");
  stop();
  expect(isAsked).toBe(true);
  expect(terminal.screen().join("\n")).toContain("Allow once");
  expect(existsSync(join(project, "made.txt"))).toBe(false);
  terminal.press("y");
  await terminal.shows("It is done.", waitMs);
  // Many keys wrap: a long row of dots takes its word along to the next line.
  await terminal.until(() => /^and\s+then[.\s]+$/.test(promptText(terminal)), "the draft", waitMs);
  expect(existsSync(join(project, "made.txt"))).toBe(true);
});
