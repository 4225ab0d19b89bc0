/** Proves the console's commands about the conversation itself: size, summary, tree, copies and names. */
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

/** The words of each message of one request. */
function said(index: number): readonly string[] {
  const messages = bench?.model.requests[index]?.body.messages ?? [];
  return messages.map((message) => JSON.stringify(message)).filter((text) => !text.includes('"system"'));
}

async function converse(script: readonly MockTurn[], lines: readonly string[], settings = {}): Promise<string> {
  bench = await openWorkbench([...script], { titles: { enabled: false }, ...settings });
  const { code, stdout, stderr } = await bench.run(["--console"], { input: `${lines.join("\n")}\n` });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

test("the tree is shown with numbers, a number goes there and gives the prompt back, and names stay", async () => {
  const script = [{ text: "One done." }, { text: "Two done." }, { text: "Other done." }];
  const lines = [
    "/tree",
    "one",
    "/label good",
    "two",
    "/tree",
    "/tree 3",
    "other",
    "/tree",
    "/tree 99",
    "/tree 5x",
    "/tree user",
    "/tree labelled",
    "/tree done two",
    "/tree nowhere",
    "/tree 5",
  ];
  const stdout = await converse(script, lines);
  expect(stdout).toContain("> /tree\n(no messages yet)\n");
  expect(stdout).toContain("(labeled good)\n");
  expect(stdout).toContain("* 1  you: one\n* 2  [good] model: One done.\n* 3  you: two\n> 4  model: Two done.\n");
  expect(stdout).toContain("(continuing before entry 3)\ntwo\n");
  expect(stdout).toContain(
    [
      "* 1  you: one",
      "* 2  [good] model: One done.",
      "  3    you: two",
      "  4    model: Two done.",
      "* 5    you: other",
      "> 6    model: Other done.",
    ].join("\n"),
  );
  expect(stdout).toContain("No entry 99.");
  expect(stdout.match(/Usage: \/tree <number> \[summary\]/g)).toHaveLength(2);
  expect(stdout).toContain("> /tree user\n* 1  you: one\n  3    you: two\n* 5    you: other\n");
  expect(stdout).toContain("> /tree labelled\n* 2  [good] model: One done.\n");
  expect(stdout).toContain("> /tree done two\n  4    model: Two done.\n");
  expect(stdout).toContain("> /tree nowhere\n(no matching entries)\n");
  expect(stdout).toContain("(continuing before entry 5)\nother\n");
  expect(said(2).join("\n")).not.toContain("two");
});

test("a summary, the size of the conversation, and what is out of sight", async () => {
  const long = "word ".repeat(2_000);
  const script = [
    { text: `First. ${long}` },
    { text: "Second." },
    { text: "## Goal\nMend the parser." },
    { text: "Third." },
  ];
  const lines = [
    "one",
    "two",
    "/context",
    "/compact keep the names",
    "three",
    "/shake",
    "/shake images",
    "/shake all",
    "/context",
  ];
  const stdout = await converse(script, lines);
  expect(stdout).toMatch(/mock\/mock-model: \d+ of 32,000 tokens .*\nAuto-compacts at 24,000 \(\d\d,\d{3} left\)/);
  expect(stdout).toMatch(
    /\nname +kind +place +origin +tokens \(estimated\)\nbase prompt +policy +prefix +default +\d+\n[\s\S]*\ntool definitions +[\d,]+\nprompts +\d/,
  );
  expect(stdout.match(/Conversation compacted .*/g)).toEqual([
    expect.stringMatching(/^Conversation compacted from [\d,]+ to [\d,]+ tokens\. Summary: Mend the parser\.\)$/),
  ]);
  expect(JSON.stringify(bench?.model.requests[2]?.body)).toContain("keep the names");
  expect(said(3)[0]).toContain("conversation-record");
  expect(stdout.match(/\(nothing to drop\)/g)).toHaveLength(2);
  expect(stdout).toContain("Usage: /shake, or /shake images for images only.");
  expect(stdout).toMatch(/\nsummary +[\d,]+\n/);
});

test("the conversation goes over to a copy and to a new session, and back", async () => {
  const script = [{ text: "One done." }, { text: "Two done." }, { text: "The document." }, { text: "Gone on." }];
  const lines = ["one", "/rename  The parser", "/rename", "/fork", "two", "/handoff the lexer", "/help"];
  const stdout = await converse(script, lines);
  expect(stdout.match(/\(title: The parser\)/g)).toHaveLength(2);
  const [, copy = "", first = ""] =
    /\(copied to session (ses_\w+), now open\. Return with kedge --resume (ses_\w+)\.\)/.exec(stdout) ?? [];
  const [, handed = "", left = ""] =
    /\(handed off to session (ses_\w+), now open\. Return with kedge --resume (ses_\w+)\.\)/.exec(stdout) ?? [];
  expect(left).toBe(copy);
  expect(new Set([first, copy, handed]).size).toBe(3);
  expect(said(1).map((text) => JSON.parse(text).content)).toEqual(["one", "One done.", "two"]);
  expect(JSON.stringify(bench?.model.requests[2]?.body)).toContain("about this: the lexer");
  for (const name of ["/compact", "/shake", "/context", "/handoff", "/tree", "/fork", "/label", "/rename"]) {
    expect(stdout).toContain(`\n${name}`);
  }
  await bench?.run(["-p", "go on", "--resume", handed]);
  expect(said(3)[0]).toContain("The document.");
  expect(said(3)[1]).toContain("go on");
});
