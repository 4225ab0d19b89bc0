/** What every command about the conversation sends, and what it tells. */
import type { Fact } from "@kedge/protocol";
import { expect, test } from "vitest";
import { type BenchParts, type Doing, openBench, Refusal, sessionId, summaryOf } from "../../test/command-bench.ts";

const created = { type: "session.create", mode: "default", model: "mock/model" };
const closed = { type: "session.close", sessionId };
const refused = "No. Try another one.";
const undone = { promptText: "do it", files: [{ path: "a.ts", status: "modified" }], uncovered: [] };
const project = { projectId: "prj_1", limit: 1_000 };
const lookedFor: readonly Doing[] = [
  ["sessions", project],
  ["sessions", { ...project, isArchived: true }],
];

function record(id: string): Fact {
  return { type: "message.added", messageId: id, kind: "note", text: id };
}

/** Two branches: a, b, c and then d beside b. */
const branches: readonly Fact[] = [
  record("a"),
  record("b"),
  record("c"),
  { type: "leaf.moved", leafId: "a" },
  record("d"),
];

type Case = readonly [line: string, parts: BenchParts, doings: readonly Doing[]];

const cases: readonly Case[] = [
  [
    "/clear",
    { answers: { "session.create": { sessionId: "ses_2" } } },
    [
      ["send", created],
      ["open session", "ses_2"],
      ["send", closed],
      ["info", "New session. The previous one is in /sessions."],
    ],
  ],
  [
    "/new",
    { answers: { "session.create": new Refusal("No.") } },
    [
      ["send", created],
      ["error", refused],
    ],
  ],
  ["/sessions", {}, [["open", "sessions"]]],
  [
    "/resume the parser",
    { sessions: [summaryOf("ses_2", "Fix the Parser")], answers: { "session.resume": { interrupted: true } } },
    [
      ...lookedFor,
      ["send", { type: "session.resume", sessionId: "ses_2" }],
      ["open session", "ses_2"],
      ["send", closed],
      ["warning", "The last run was interrupted. Resume it with /continue."],
    ],
  ],
  [
    "/resume parser",
    { sessions: [summaryOf("ses_2", "Fix the parser"), summaryOf("ses_3", "Parser again", true)] },
    [...lookedFor, ["open", "sessions", "parser"]],
  ],
  [
    "/resume Parser",
    {
      sessions: [summaryOf("ses_2", "Fix the parser"), summaryOf("ses_3", "Parser", true)],
      answers: { "session.resume": { interrupted: false } },
    },
    [
      ...lookedFor,
      ["send", { type: "session.resume", sessionId: "ses_3" }],
      ["open session", "ses_3"],
      ["send", closed],
    ],
  ],
  [
    "/history nothing",
    { sessions: [summaryOf("ses_2", "Fix the parser")] },
    [...lookedFor, ["warning", 'No session matches "nothing". List sessions with /sessions.']],
  ],
  [
    `/session ${sessionId}`,
    { sessions: [summaryOf(sessionId, "A title")] },
    [...lookedFor, ["info", "You are already in this session."]],
  ],
  ["/continue", {}, [["send", { type: "run.continue", sessionId, options: {} }]]],
  [
    "/undo",
    { answers: { "session.undo": undone } },
    [
      ["send", { type: "session.undo", sessionId, evenIfChanged: false }],
      ["success", "Undone: 1 file changed: a.ts (modified)."],
      ["offer", "do it"],
    ],
  ],
  [
    "/undo force",
    { answers: { "session.undo": new Refusal("No.") } },
    [
      ["send", { type: "session.undo", sessionId, evenIfChanged: true }],
      ["error", refused],
    ],
  ],
  [
    "/undo all",
    {},
    [["warning", "Usage: /undo [force]. With force, your own edits to the same files are overwritten."]],
  ],
  [
    "/redo force",
    { answers: { "session.redo": { files: [] } } },
    [
      ["send", { type: "session.redo", sessionId, evenIfChanged: true }],
      ["success", "Redone: no files changed."],
    ],
  ],
  [
    "/redo",
    { answers: { "session.redo": new Refusal("No.") } },
    [
      ["send", { type: "session.redo", sessionId, evenIfChanged: false }],
      ["error", refused],
    ],
  ],
  ["/rewind", {}, [["open", "rewind"]]],
  ["/checkpoints", {}, [["open", "rewind"]]],
  [
    "/checkpoint discard",
    { answers: { "checkpoint.discard": { goal: "find the cause" } } },
    [
      ["send", { type: "checkpoint.discard", sessionId }],
      ["info", "Checkpoint discarded: find the cause"],
    ],
  ],
  ["/checkpoint keep", {}, [["warning", "Usage: /checkpoint discard, or /rewind to go back."]]],
  ["/tree", {}, [["open", "tree"]]],
  ["/tree labelled parser", {}, [["open", "tree", "labelled parser"]]],
  [
    "/tree 4",
    { facts: branches, answers: { "leaf.move": { promptText: "say it anew" } } },
    [
      ["send", { type: "leaf.move", sessionId, entryId: "d" }],
      ["offer", "say it anew"],
    ],
  ],
  [
    "/tree 3 summary",
    { facts: branches },
    [
      ["send", { type: "leaf.move", sessionId, entryId: "c", summary: "summary" }],
      ["info", "Continuing after entry 3."],
    ],
  ],
  [
    "/tree 1 summary only the errors",
    { facts: branches, answers: { "leaf.move": { promptText: "hello" } } },
    [
      ["send", { type: "leaf.move", sessionId, entryId: "a", summary: { instructions: "only the errors" } }],
      ["info", "Continuing before entry 1:\nhello"],
    ],
  ],
  [
    "/tree 5",
    { facts: branches },
    [["warning", "No entry 5. Usage: /tree <number> [summary]. With summary, the branch you leave is summarized."]],
  ],
  [
    "/tree 2 sumary",
    {},
    [["warning", "Usage: /tree <number> [summary]. With summary, the branch you leave is summarized."]],
  ],
  [
    "/label the beginning",
    { facts: branches },
    [
      ["send", { type: "entry.label", sessionId, entryId: "d", label: "the beginning" }],
      ["info", "Labeled: the beginning."],
    ],
  ],
  [
    "/label",
    { facts: branches },
    [
      ["send", { type: "entry.label", sessionId, entryId: "d" }],
      ["info", "Label removed."],
    ],
  ],
  ["/label a", {}, [["warning", "Nothing to label yet. Send a prompt first."]]],
  [
    "/rename A better title",
    {},
    [
      ["send", { type: "session.update", sessionId, title: "A better title" }],
      ["info", "Session renamed to A better title."],
    ],
  ],
  ["/rename", {}, [["info", "Title: A title. Change it with /rename <title>."]]],
  ["/title", { title: "" }, [["info", "The session has no title yet. Change it with /rename <title>."]]],
  [
    "/compact keep the\nerrors",
    { answers: { "context.compact": { tokensBefore: 900, tokensAfter: 90, shortSummary: "" } } },
    [["send", { type: "context.compact", sessionId, instructions: "keep the\nerrors" }]],
  ],
  [
    "/compress",
    { answers: { "context.compact": new Refusal("No.") } },
    [
      ["send", { type: "context.compact", sessionId }],
      ["error", refused],
    ],
  ],
  [
    "/shake",
    { answers: { "context.shake": { resultCount: 3, tokensFreed: 12_345 } } },
    [
      ["send", { type: "context.shake", sessionId, images: false }],
      ["success", "3 results dropped from the context, about 12k tokens freed."],
    ],
  ],
  [
    "/shake images",
    { answers: { "context.shake": { resultCount: 0, tokensFreed: 0 } } },
    [
      ["send", { type: "context.shake", sessionId, images: true }],
      ["info", "Nothing to drop."],
    ],
  ],
  ["/shake it", {}, [["warning", "Usage: /shake, or /shake images for images only."]]],
  [
    "/handoff the tests",
    { answers: { "session.handoff": { sessionId: "ses_2" }, "session.resume": { interrupted: false } } },
    [
      ["send", { type: "session.handoff", sessionId, focus: "the tests" }],
      ["send", { type: "session.resume", sessionId: "ses_2" }],
      ["open session", "ses_2"],
      ["send", closed],
      ["success", "Continuing in a new session. The previous one is in /sessions."],
    ],
  ],
  [
    "/handoff",
    { answers: { "session.handoff": { sessionId } } },
    [
      ["send", { type: "session.handoff", sessionId }],
      ["info", "No handoff was possible. The conversation was summarized instead."],
    ],
  ],
];

test.each(cases)("%s does what it says (%#)", async (line, parts, doings) => {
  expect(await openBench(parts).run(line)).toEqual(doings);
});

test("a fork is asked for, and gone over to", async () => {
  const doings = await openBench({ answers: { "session.fork": { sessionId: "ses_2" } } }).run("/fork");
  expect(doings[0]).toEqual(["send", { type: "session.fork", sessionId }]);
  expect(doings).toContainEqual(["open session", "ses_2"]);
});

test.each([
  "/continue",
  "/undo",
  "/redo",
  "/fork",
  "/rename a",
  "/compact",
  "/shake",
  "/handoff",
  "/tree 1",
  "/label a",
])("%s needs a session", async (line) => {
  expect(await openBench({ hasSession: false }).run(line)).toEqual([
    ["warning", "No session yet. Choose a model with /model to start one."],
  ]);
});
