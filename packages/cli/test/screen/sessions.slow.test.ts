/** Ways through the conversations: back to an earlier point, into a copy, another session, another branch, a file. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MockToolCall } from "@kedge/testing";
import { bashCall, type ScreenTerminal } from "@kedge/testing/screen-terminal";
import { expect, test } from "vitest";
import { closed, openStage, promptIs, send, startTimeoutMs, userTexts, waitMs } from "./stage.ts";

const open = openStage();
const slow = { timeout: startTimeoutMs };

/** Bytes that a text editor would change: no line end, a carriage return, letters of several bytes. */
const versions = ["one\r\nαβγ\u0000 end", "two\n🫖", "three"] as const;

/** In a shell, so that every byte arrives as it is. */
function writing(content: string): MockToolCall {
  const octets = [...Buffer.from(content)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  return bashCall(`printf '${octets}' > data.txt`);
}

async function openTwice() {
  const scene = await open({
    settings: { permission: { bash: "allow", edit: "allow" } },
    files: { "data.txt": versions[0] },
    script: [
      { toolCalls: [writing(versions[1])] },
      { text: "First change made." },
      { toolCalls: [writing(versions[2])] },
      { text: "Second change made." },
      { text: "Where were we?" },
    ],
  });
  await send(scene.terminal, "Make it two.");
  await scene.terminal.shows("First change made.", waitMs);
  await send(scene.terminal, "Make it three.");
  await scene.terminal.shows("Second change made.", waitMs);
  expect(bytesOf(scene.project)).toEqual(Buffer.from(versions[2]));
  return scene;
}

function bytesOf(project: string): Buffer {
  return readFileSync(join(project, "data.txt"));
}

async function rewindTo(terminal: ScreenTerminal, prompt: string, key: "b" | "c" | "f"): Promise<void> {
  await send(terminal, "/rewind");
  await terminal.shows("╭─ Rewind", waitMs);
  terminal.type(prompt);
  await terminal.shows(`❯ ${prompt} `);
  terminal.press("enter");
  await terminal.shows("Rewind to before this prompt:", waitMs);
  terminal.press(key);
  await closed(terminal, "Rewind");
}

test("rewind takes back files and conversation", slow, async () => {
  const { terminal, project, model } = await openTwice();
  await rewindTo(terminal, "Make it two", "b");
  await promptIs(terminal, "Make it two.");
  await terminal.until((screen) => !screen.join("\n").includes("change made."), "an empty conversation", waitMs);
  expect(bytesOf(project)).toEqual(Buffer.from(versions[0]));
  terminal.press("ctrl+c");
  await promptIs(terminal, "");
  await send(terminal, "And now?");
  await terminal.shows("Where were we?", waitMs);
  expect(userTexts(await model.waitForRequest(5))).toEqual(["And now?"]);
});

test("rewind takes back the conversation alone", slow, async () => {
  const { terminal, project, model } = await openTwice();
  await rewindTo(terminal, "Make it three", "c");
  await promptIs(terminal, "Make it three.");
  await terminal.until((screen) => !screen.join("\n").includes("Second change made."), "an earlier place", waitMs);
  expect(terminal.screen().join("\n")).toContain("First change made.");
  expect(bytesOf(project)).toEqual(Buffer.from(versions[2]));
  terminal.press("ctrl+c");
  await promptIs(terminal, "");
  await send(terminal, "And now?");
  await terminal.shows("Where were we?", waitMs);
  const texts = userTexts(await model.waitForRequest(5));
  expect(texts.filter((text) => text.startsWith("Make"))).toEqual(["Make it two."]);
});

test("rewind takes back the files alone, and redo brings them again", slow, async () => {
  const { terminal, project } = await openTwice();
  await rewindTo(terminal, "Make it three", "f");
  await terminal.shows("Undone: 1 file changed: data.txt (modified).", waitMs);
  await terminal.shows("Second change made.", waitMs);
  await promptIs(terminal, "");
  expect(bytesOf(project)).toEqual(Buffer.from(versions[1]));
  await send(terminal, "/redo");
  await terminal.shows("Redone: 1 file changed: data.txt (modified).", waitMs);
  expect(bytesOf(project)).toEqual(Buffer.from(versions[2]));
  expect(terminal.screen().join("\n")).toContain("Second change made.");
});

test("a copy goes its own way, and the other session is found by its title", slow, async () => {
  const { terminal, model } = await open({
    script: [{ text: "The first answer." }, { text: "Only in the copy." }, { text: "Only in the first." }],
  });
  await send(terminal, "Begin.");
  await terminal.shows("The first answer.", waitMs);
  await send(terminal, "/rename The first one");
  await terminal.shows("Session renamed to The first one.", waitMs);
  await send(terminal, "/fork");
  await terminal.shows("You are in a fork. The original session is unchanged.", waitMs);
  await terminal.shows("The first answer.");
  await send(terminal, "/rename The copy");
  await terminal.shows("Session renamed to The copy.", waitMs);
  await send(terminal, "In the copy.");
  await terminal.shows("Only in the copy.", waitMs);
  await send(terminal, "/sessions");
  await terminal.shows(/The first one[\s\S]*The copy {2}current/, waitMs);
  terminal.type("first one");
  await terminal.shows(/│ ❯ first one +1 of 2 │/, waitMs);
  terminal.press("enter");
  await closed(terminal, "Sessions");
  await terminal.until((screen) => !screen.join("\n").includes("Only in the copy."), "the first session", waitMs);
  await terminal.shows("The first answer.");
  await send(terminal, "In the first.");
  await terminal.shows("Only in the first.", waitMs);
  expect(userTexts(await model.waitForRequest(3)).filter((text) => text.includes("copy"))).toEqual([]);
});

test("the tree leads back to an earlier place, and what was left stays in it", slow, async () => {
  const { terminal, model } = await open({
    script: [{ text: "Tea then." }, { text: "Black." }, { text: "Green." }],
  });
  await send(terminal, "Tea or coffee?");
  await terminal.shows("Tea then.", waitMs);
  await send(terminal, "Which tea?");
  await terminal.shows("Black.", waitMs);
  await send(terminal, "/tree");
  await terminal.shows("╭─ Tree", waitMs);
  terminal.type("Which tea");
  await terminal.shows("❯ • you: Which tea?", waitMs);
  terminal.press("enter");
  await promptIs(terminal, "Which tea?");
  await terminal.until((screen) => !screen.join("\n").includes("Black."), "the place before", waitMs);
  terminal.type(" Today");
  await promptIs(terminal, "Which tea? Today");
  terminal.press("enter");
  await terminal.shows("Green.", waitMs);
  expect(userTexts(await model.waitForRequest(3))).toEqual(["Tea or coffee?", "Which tea? Today"]);
  await send(terminal, "/tree");
  const tree = await terminal.shows(/Green\. +here/, waitMs);
  expect(tree.flatMap((row) => /│ [❯ ] [•→ ] +((?:you: )?[A-Z].*?)(?: +here)? *│$/.exec(row)?.[1] ?? [])).toEqual([
    "you: Tea or coffee?",
    "Tea then.",
    "you: Which tea?",
    "Black.",
    "you: Which tea? Today",
    "Green.",
  ]);
});

const long = { text: `A long answer. ${"Tea is good. ".repeat(2_000)}`, usage: { input: 9_000, output: 6_500 } };

test("the conversation is summed up for the model, and written to a file for the user", slow, async () => {
  const { terminal, project, model } = await open({
    script: [long, long, { text: "They spoke of tea." }, { text: "Of tea, I believe." }],
  });
  await send(terminal, "Tell me of tea.");
  await terminal.shows("Tea is good.", waitMs);
  await send(terminal, "And more.");
  await terminal.shows("48 % of 32k", waitMs);
  // A run that is still under way would be interrupted, and its answer left out.
  await terminal.settled(500, waitMs);
  await send(terminal, "/compact");
  await terminal.shows("── compacted: 16k → ", waitMs);
  await terminal.settled(500, waitMs);
  expect(
    terminal
      .screen()
      .join("\n")
      .match(/summarised: |summed up: |compacted: /g),
  ).toEqual(["compacted: "]);
  await send(terminal, "What was it about?");
  await terminal.shows("Of tea, I believe.", waitMs);
  const sent = JSON.stringify((await model.waitForRequest(4)).body.messages);
  expect(sent).toContain("They spoke of tea.");
  expect(sent.split("A long answer.").length - 1).toBe(1);
  await send(terminal, "/export talk.md");
  await terminal.shows("talk.md", waitMs);
  const talk = readFileSync(join(project, "talk.md"), "utf8");
  for (const text of ["Tell me of tea.", "A long answer.", "And more.", "Of tea, I believe."])
    expect(talk).toContain(text);
  expect(readdirSync(project)).toEqual([".git", "talk.md"]);
});
