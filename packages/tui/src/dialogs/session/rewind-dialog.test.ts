/** Going back: which points are listed, what is restored, and what is said before. */
import { expect, test, vi } from "vitest";
import { bareTheme } from "../../../test/bare-theme.ts";
import { foreignControls, insideOf, press, screenOf, type } from "../../../test/press.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import { createRewindDialog, type RewindPoint, type RewindWhat } from "./rewind-dialog.ts";

const theme = bareTheme();
const minuteMs = 60_000;
const now = 1_000 * minuteMs;

const points: readonly RewindPoint[] = [
  { id: "c", label: "Now add\nthe tests 漢字", time: now - 3_000, files: 3 },
  { id: "b", label: "Rename it", time: now - 5 * minuteMs, files: 1 },
  { id: "a", label: "What is this?", time: now - 180 * minuteMs, files: 0 },
];

function rewind(given: readonly RewindPoint[] = points) {
  const onChoose = vi.fn<(id: string, what: RewindWhat) => void>();
  const dialog = createRewindDialog({ points: given, theme: () => theme, now: () => now, onChoose });
  dialog.render(76, 22);
  return { dialog, onChoose };
}

test("points with what changed since and their age", () => {
  expect(screenOf(rewind().dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Rewind ─────────────────────────────────────────────────╮
    │ ❯                              3 entries, type to filter │
    │                                                          │
    │ ❯ Now add the tests 漢字  3 files                    now │
    │   Rename it  1 file                            5 min ago │
    │   What is this?  no files changed                3 h ago │
    │                                                          │
    │ up/down select · enter choose · esc close                │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("nothing to go back to", () => {
  expect(screenOf(rewind([]).dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Rewind ─────────────────────────────────────────────────────────────────────╮
    │ ❯                                                                  0 entries │
    │                                                                              │
    │ Nothing to rewind to yet. Each prompt creates a restore point.               │
    │                                                                              │
    │ up/down select · enter choose · esc close                                    │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
});

test("what comes back is chosen next, with a line that says what will happen", () => {
  const { dialog } = rewind();
  press(dialog, "enter");
  expect(screenOf(dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Rewind ─────────────────────────────────────────────────────────────────────╮
    │ Rewind to before this prompt:                                                │
    │ Now add the tests 漢字                                                       │
    │                                                                              │
    │ ❯ b  Conversation and files                                                  │
    │   c  Conversation only                                                       │
    │   f  Files only                                                              │
    │                                                                              │
    │ Rewind the conversation and restore 3 files.                                 │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
  press(dialog, "down");
  press(dialog, "down");
  expect(insideOf(dialog).at(-1)).toBe("Restore 3 files; keep the conversation.");
});

test.each([
  [
    ["enter", "enter"],
    ["c", "both"],
  ],
  [
    ["enter", "c"],
    ["c", "conversation"],
  ],
  [
    ["down", "enter", "f"],
    ["b", "files"],
  ],
  [
    ["down", "enter", "escape", "up", "enter", "b"],
    ["c", "both"],
  ],
  [
    ["end", "enter", "enter"],
    ["a", "conversation"],
  ],
])("%j restores %j", (keys, chosen) => {
  const { dialog, onChoose } = rewind();
  for (const key of keys) press(dialog, key);
  expect(onChoose.mock.calls).toEqual([chosen]);
});

test("where no file changed, files are not offered", () => {
  const { dialog, onChoose } = rewind();
  type(dialog, "what");
  for (const key of ["enter", "f", "b"]) press(dialog, key);
  expect(onChoose).not.toHaveBeenCalled();
});

test("Escape closes the list", () => {
  expect(press(rewind().dialog, "escape")).toBe(false);
});

test.each([20, 60])("hostile prompts stay on their lines at %i columns", (width) => {
  const { dialog } = rewind([{ id: "x", label: "\u001b[2Jevil\u202e\nline ".repeat(20), time: 0, files: 2 }]);
  for (const key of ["", "enter"]) {
    if (key !== "") press(dialog, key);
    const lines = dialog.render(width, 20);
    expect(lines.flatMap(foreignControls)).toEqual([]);
    for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
  }
});
