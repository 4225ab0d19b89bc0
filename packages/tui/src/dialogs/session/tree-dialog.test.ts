/** The tree and the points to go back to: what rows messages become, and what the dialog does with them. */
import { expect, test } from "vitest";
import { message, noon, patch, theme, words } from "../../../test/picker-samples.ts";
import { insideOf, press, screenOf, type } from "../../../test/press.ts";
import { createRewindDialog } from "./rewind-dialog.ts";
import { rewindPointsOf } from "./rewind-points.ts";
import { createTreeDialog } from "./tree-dialog.ts";
import { type TreeRow, treeRowsOf } from "./tree-rows.ts";

const call = {
  type: "tool",
  callId: "c",
  tool: "bash",
  state: { status: "completed", input: "{}", output: "", endedAt: noon },
} as const;

const messages = [
  message("m1", [words("Mend the\ncrane 漢字")]),
  message("m2", [call, patch("a.ts", "b.ts")], { role: "assistant", treeParent: "m1" }),
  message("m3", [words("It is mended.")], { role: "assistant", treeParent: "m2" }),
  message("m4", [words("Paint it red")], { treeParent: "m3", createdAt: noon + 1 }),
  message("m5", [words("Red it is."), patch("b.ts", "c.ts")], { role: "assistant", treeParent: "m4" }),
  message("m6", [words("Paint it blue")], { treeParent: "m3", createdAt: noon + 2 }),
  message("m7", [patch("d.ts"), call, call], { role: "assistant", treeParent: "m6" }),
  message("m8", [words("And then?")], { isQueued: true }),
];
const labels = [{ messageId: "m5", label: "red" }];
const rows = treeRowsOf(messages, "m7", labels);

test("rows: every branch, the way to the leaf, names, and no answer that only calls tools", () => {
  expect(rows).toEqual([
    { entryId: "m1", depth: 0, text: "Mend the crane 漢字", isOnPath: true, isLeaf: false, role: "user" },
    { entryId: "m3", depth: 0, text: "It is mended.", isOnPath: true, isLeaf: false, role: "assistant" },
    { entryId: "m4", depth: 1, text: "Paint it red", isOnPath: false, isLeaf: false, role: "user" },
    { entryId: "m5", depth: 1, text: "Red it is.", isOnPath: false, isLeaf: false, role: "assistant", label: "red" },
    { entryId: "m6", depth: 1, text: "Paint it blue", isOnPath: true, isLeaf: false, role: "user" },
    { entryId: "m7", depth: 1, text: "used bash", isOnPath: true, isLeaf: true, role: "assistant" },
  ]);
});

test("rows of nothing, of a page whose beginning is not known, and of a leaf that does not exist", () => {
  expect(treeRowsOf([], undefined, [])).toEqual([]);
  expect(treeRowsOf(messages.slice(5, 6), "gone", [])).toEqual([
    { entryId: "m6", depth: 0, text: "Paint it blue", isOnPath: false, isLeaf: false, role: "user" },
  ]);
});

test("a summary and attachments have words of their own", () => {
  const summed = message("s", [
    {
      type: "compaction",
      trigger: "manual",
      shortSummary: "What was said.",
      tokensBefore: 9,
      tokensAfter: 1,
      itemsReplaced: 3,
      boundary: {},
    },
  ]);
  const picture = message("p", [{ type: "file", media: { name: "a.png", mediaType: "image/png", base64: "" } }], {
    treeParent: "s",
  });
  expect(treeRowsOf([summed, picture], "p", []).map(({ text }) => text)).toEqual([
    "Summary: What was said.",
    "1 attachment",
  ]);
  expect(rewindPointsOf([summed, picture])).toEqual([{ id: "p", label: "1 attachment", time: noon, files: 0 }]);
});

test("points to go back to: prompts on the way, newest first, with the files changed since", () => {
  expect(rewindPointsOf(messages, "m7")).toEqual([
    { id: "m6", label: "Paint it blue", time: noon + 2, files: 1 },
    { id: "m1", label: "Mend the crane 漢字", time: noon, files: 3 },
  ]);
  expect(rewindPointsOf(messages, "m5")).toEqual([
    { id: "m4", label: "Paint it red", time: noon + 1, files: 2 },
    { id: "m1", label: "Mend the crane 漢字", time: noon, files: 3 },
  ]);
  expect(rewindPointsOf(messages)).toEqual(rewindPointsOf(messages, "m7"));
  const dialog = createRewindDialog({ points: rewindPointsOf(messages), theme, now: () => noon, onChoose: () => {} });
  expect(insideOf(dialog)[2]).toMatch(/^❯ Paint it blue {2}1 file +now$/);
});

function tree(given: () => readonly TreeRow[] | undefined, query?: string) {
  const calls: (readonly unknown[])[] = [];
  const dialog = createTreeDialog({
    rows: given,
    theme,
    onChoose: (entryId) => calls.push(["choose", entryId]),
    onLabel: (entryId, label) => calls.push(["label", entryId, label]),
    ...(query !== undefined && { query }),
  });
  dialog.render(76, 22);
  return { dialog, calls };
}

test("the dialog begins at the leaf", () => {
  expect(screenOf(tree(() => rows).dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Tree ───────────────────────────────────────────────────╮
    │ ❯                              6 entries, type to filter │
    │                                                          │
    │   • you: Mend the crane 漢字                             │
    │   • It is mended.                                        │
    │       you: Paint it red                                  │
    │       [red] Red it is.                                   │
    │   •   you: Paint it blue                                 │
    │ ❯ →   used bash                                     here │
    │                                                          │
    │ up/down select · enter choose · ctrl+l label             │
    │ ctrl+d remove label · esc close                          │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("at 80 columns, with a branch far in and a long text", () => {
  const deep = rows.map((row) => ({ ...row, depth: row.depth * 20, text: `${row.text} and more words`.repeat(4) }));
  expect(screenOf(tree(() => deep).dialog, { height: 12 })).toMatchInlineSnapshot(`
    "
    ╭─ Tree ───────────────────────────────────────────────────────────────────────╮
    │ ❯                                                  6 entries, type to filter │
    │                                                                              │
    │   • It is mended. and more wordsIt is mended. and more wordsIt is mended. a… │
    │                     you: Paint it red and more wordsPaint it red and more w… │
    │                     [red] Red it is. and more wordsRed it is. and more word… │
    │   •                 you: Paint it blue and more wordsPaint it blue and more… │
    │ ❯ →                 used bash and more wordsused bash and more wordsus… here │
    │                                                                              │
    │ up/down select · enter choose · ctrl+l label · ctrl+d remove label           │
    │ esc close                                                                    │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
});

test("loading, then there with the leaf selected, then empty", () => {
  let known: readonly TreeRow[] | undefined;
  const { dialog } = tree(() => known);
  expect(insideOf(dialog)[2]).toBe("Loading the session…");
  known = rows;
  expect(insideOf(dialog).find((line) => line.startsWith("❯ →"))).toMatch(/used bash +here$/);
  known = [];
  expect(insideOf(dialog)[2]).toBe("No messages yet. Send a prompt to start the tree.");
});

test("goes to a place, names it and takes a name away", () => {
  const { dialog, calls } = tree(() => rows, "red it is");
  press(dialog, "ctrl+d");
  press(dialog, "ctrl+u");
  type(dialog, "blue");
  press(dialog, "ctrl+d");
  press(dialog, "ctrl+l");
  type(dialog, "sky");
  press(dialog, "enter");
  press(dialog, "enter");
  press(dialog, "ctrl+l");
  expect(press(dialog, "escape")).toBe(true);
  expect(dialog.title).toBe("Tree");
  expect(calls).toEqual([
    ["label", "m5", undefined],
    ["label", "m6", "sky"],
    ["choose", "m6"],
  ]);
});
