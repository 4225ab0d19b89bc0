/** The session list: days, families, badges, and renaming, archiving and deleting from the keyboard. */
import { stripVTControlCharacters } from "node:util";
import type { MessagePage, MessageView, SessionStatus, SessionSummary } from "@kedge/protocol";
import { expect, test, vi } from "vitest";
import { dayMs, hourMs, noon, summary, theme } from "../../../test/picker-samples.ts";
import { insideOf, press, screenOf, type } from "../../../test/press.ts";
import { createSessionDialog, type SessionDialogProps } from "./session-dialog.ts";
import type { PreviewedSession } from "./session-preview.ts";

const filled: readonly SessionSummary[] = [
  summary("a", { title: "Mend the crane 漢字", updatedAt: noon - 5_000 }),
  summary("b", { title: "Paint the boat", updatedAt: noon - 2 * hourMs }),
  summary("c", { title: "Another colour", updatedAt: noon - hourMs, parentId: "d" }),
  summary("d", { title: "Old plan", updatedAt: noon - 9 * dayMs }),
  summary("e", { title: "In another place", updatedAt: noon - dayMs, directory: "/home/me/work/quay/pier" }),
  summary("f", { title: "Days ago", updatedAt: noon - 3 * dayMs }),
  summary("g", { title: "", updatedAt: noon - 40 * dayMs, parentId: "gone" }),
];
const busy: { readonly [id: string]: SessionStatus } = { a: { state: "busy" }, e: { state: "waiting" } };

function list(props: Partial<SessionDialogProps> = {}) {
  const calls: (readonly unknown[])[] = [];
  const dialog = createSessionDialog({
    sessions: () => filled,
    statuses: () => busy,
    current: "b",
    directory: "/home/me/harbour",
    now: () => noon,
    theme,
    onChoose: (id) => calls.push(["choose", id]),
    onRename: (id, title) => calls.push(["rename", id, title]),
    onArchive: (id) => calls.push(["archive", id]),
    onDelete: (id) => calls.push(["delete", id]),
    ...props,
  });
  dialog.render(76, 22);
  return { dialog, calls };
}

test("days, forks under their parents, badges, other places", () => {
  expect(screenOf(list().dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Sessions ───────────────────────────────────────────────────────────────────╮
    │ ❯                                                  7 entries, type to filter │
    │                                                                              │
    │ Today                                                                        │
    │ ❯ Mend the crane 漢字                                                running │
    │   Old plan                                                           9 d ago │
    │   ╰─ Another colour                                                  1 h ago │
    │   Paint the boat  current                                            2 h ago │
    │ Yesterday                                                                    │
    │   In another place  …/quay/pier                                      waiting │
    │ This week                                                                    │
    │   Days ago                                                           3 d ago │
    │ Older                                                                        │
    │   Untitled g                                                        40 d ago │
    │                                                                              │
    │ up/down select · enter choose · ctrl+r rename · ctrl+a archive               │
    │ ctrl+d delete · esc close                                                    │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
});

test("at 60 columns", () => {
  expect(screenOf(list({ onSearchText: () => undefined }).dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Sessions ───────────────────────────────────────────────╮
    │ ❯                              7 entries, type to filter │
    │                                                          │
    │ Today                                                    │
    │ ❯ Mend the crane 漢字                            running │
    │   Old plan                                       9 d ago │
    │   ╰─ Another colour                              1 h ago │
    │   Paint the boat  current                        2 h ago │
    │ Yesterday                                                │
    │   In another place  …/quay/pier                  waiting │
    │ This week                                                │
    │   Days ago                                       3 d ago │
    │ Older                                                    │
    │   Untitled g                                    40 d ago │
    │                                                          │
    │ up/down select · enter choose · ctrl+r rename            │
    │ ctrl+a archive · ctrl+d delete · ctrl+s search           │
    │ esc close                                                │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("loading, failed and empty", () => {
  let sessions: readonly SessionSummary[] | undefined;
  let problem: string | undefined;
  const { dialog } = list({ sessions: () => sessions, problem: () => problem });
  expect(insideOf(dialog)[2]).toBe("Loading sessions…");
  problem = "The store cannot be read. kedge doctor tells more.";
  expect(insideOf(dialog)[2]).toBe(problem);
  sessions = [];
  problem = undefined;
  expect(insideOf(dialog)[2]).toBe("No sessions yet. Send a prompt to start one.");
});

test("enter chooses, ctrl+a archives the selected one", () => {
  const { dialog, calls } = list();
  press(dialog, "enter");
  type(dialog, "paint");
  press(dialog, "ctrl+a");
  press(dialog, "enter");
  expect(calls).toEqual([
    ["choose", "a"],
    ["archive", "b"],
    ["choose", "b"],
  ]);
});

test("what is typed at the start filters at once", () => {
  const { dialog } = list({ query: "quay" });
  expect(insideOf(dialog).slice(0, 4)).toEqual([
    expect.stringMatching(/^❯ quay +1 of 7$/),
    "",
    "Yesterday",
    expect.stringMatching(/^❯ In another place {2}…\/quay\/pier +waiting$/),
  ]);
});

test("ctrl+r asks for the title inside of the dialog, and Escape goes back to the list", () => {
  const { dialog, calls } = list();
  press(dialog, "ctrl+r");
  expect(screenOf(dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Rename session ─────────────────────────────────────────╮
    │ New title:                                               │
    │ ❯ Mend the crane 漢字                                    │
    │                                                          │
    │ enter done · esc back                                    │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
  type(dialog, "!");
  press(dialog, "enter");
  press(dialog, "ctrl+r");
  expect(press(dialog, "escape")).toBe(true);
  expect(dialog.title).toBe("Sessions");
  expect(press(dialog, "escape")).toBe(false);
  expect(calls).toEqual([["rename", "a", "Mend the crane 漢字!"]]);
});

test("ctrl+d asks before it deletes, and keeping is what enter does", () => {
  const { dialog, calls } = list();
  press(dialog, "ctrl+d");
  expect(screenOf(dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Delete session ─────────────────────────────────────────╮
    │ Delete “Mend the crane 漢字” permanently? Project files  │
    │ are not affected.                                        │
    │                                                          │
    │ ❯ n  Cancel                                              │
    │   y  Delete                                              │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
  press(dialog, "enter");
  press(dialog, "ctrl+d");
  press(dialog, "escape");
  expect(calls).toEqual([]);
  press(dialog, "ctrl+d");
  press(dialog, "y");
  expect(calls).toEqual([["delete", "a"]]);
  expect(dialog.title).toBe("Sessions");
});

test("ctrl+s looks for words in what was said, where that is offered", () => {
  const onSearchText = vi.fn<(text: string) => void>();
  const { dialog } = list({ onSearchText });
  press(dialog, "ctrl+s");
  type(dialog, "rusty bolt");
  press(dialog, "enter");
  expect(onSearchText.mock.calls).toEqual([["rusty bolt"]]);
});

test("a status that changes is seen at once, and the selection stays where it was", () => {
  let statuses: { readonly [id: string]: SessionStatus } = {};
  const { dialog, calls } = list({ statuses: () => statuses });
  press(dialog, "down");
  expect(insideOf(dialog)[3]).toMatch(/now$/);
  statuses = { a: { state: "retry" } };
  expect(insideOf(dialog)[3]).toMatch(/retrying$/);
  press(dialog, "enter");
  expect(calls).toEqual([["choose", "d"]]);
});

test("sessions that name each other as parents are all listed, once", () => {
  const circle = [summary("x", { parentId: "y" }), summary("y", { parentId: "x" })];
  const { dialog } = list({ sessions: () => circle });
  expect(insideOf(dialog).slice(3, 5)).toEqual([
    expect.stringMatching(/^❯ Session x +1 h ago$/),
    expect.stringMatching(/^ {2}╰─ Session y +1 h ago$/),
  ]);
});

test("a thousand sessions: as many rows as there is room for, and the same lines while nothing changes", () => {
  const many = Array.from({ length: 1_000 }, (_, index) => summary(`s${index}`, { updatedAt: noon - index * hourMs }));
  const { dialog } = list({ sessions: () => many });
  const lines = dialog.render(76, 22);
  expect(lines).toHaveLength(22);
  expect(dialog.render(76, 22)).toBe(lines);
});

const said = (id: string, role: "user" | "assistant", text: string): MessageView =>
  ({ id, role, parts: [{ id, type: "text", text }], createdAt: noon }) as unknown as MessageView;

test("the selected session is shown with its local time, its size, its branch and what was said last", () => {
  const pages: { readonly [id: string]: PreviewedSession } = {
    a: { messages: [said("1", "user", "Mend it.\u001b[2J"), said("2", "assistant", "Mended.\nAll of it.")] },
    b: { messages: [said("3", "user", "Paint it blue.")], before: "2", branch: "topic/\u001b[2Jblue" },
  };
  const { dialog } = list({ sessions: () => filled.slice(0, 2), preview: (id) => pages[id] });
  const keys = ["", "up/down select · enter choose · ctrl+r rename · ctrl+a archive", "ctrl+d delete · esc close"];
  const below = () => insideOf(dialog, { width: 76 }).slice(-7);
  const first = ["", expect.stringMatching(/^11:59 · 2 messages · [\w/-]+$/), "❯ Mend it.", "  Mended. All of it."];
  expect(below()).toEqual([...first, ...keys]);
  press(dialog, "down");
  const second = ["", expect.stringMatching(/^10:00 · 1\+ messages · \S+ topic\/blue · /), "❯ Paint it blue.", ""];
  expect(below()).toEqual([...second, ...keys]);
});

test.each([
  [12, 3],
  [8, 2],
  [6, 0],
])("at %i lines %i of the preview say something, and the keys always are", (height, shown) => {
  const pages: { readonly [id: string]: MessagePage } = {
    a: { messages: [said("1", "user", "Mend it."), said("2", "assistant", "Mended.")] },
  };
  const { dialog } = list({ sessions: () => filled.slice(0, 1), preview: (id) => pages[id] });
  const lines = dialog.render(76, height).map((line) => stripVTControlCharacters(line).trimEnd());
  expect(lines.length).toBeLessThanOrEqual(height);
  expect(lines.at(-1)).toBe("ctrl+d delete · esc close");
  expect(lines.filter((line) => /^(?:11:59 |❯ Mend it| {2}Mended)/.test(line))).toHaveLength(shown);
});
