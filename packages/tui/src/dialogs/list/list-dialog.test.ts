/** The list: what is found and selected by keys, the mouse and live changes, and how it looks. */
import { expect, test, vi } from "vitest";
import { bareTheme } from "../../../test/bare-theme.ts";
import { foreignControls, insideOf, press, screenOf, type } from "../../../test/press.ts";
import { keyName } from "../../screen/input.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import { createListDialog, type ListDialogProps, type ListItem } from "./list-dialog.ts";

const theme = bareTheme();
const models: readonly ListItem<string>[] = [
  { value: "son", label: "Sonnet", detail: "balanced", right: "$3", group: "Anthropic", keywords: "claude" },
  { value: "opu", label: "Opus", detail: "deep", right: "$15", group: "Anthropic", keywords: "claude" },
  { value: "gpt", label: "GPT", detail: "by OpenAI", right: "$2", group: "OpenAI" },
  { value: "loc", label: "Local 漢字 👩‍👩‍👧", detail: "on this machine" },
];

function list(props: Partial<ListDialogProps<string>> = {}) {
  const onChoose = vi.fn<(value: string) => void>();
  const onSelect = vi.fn<(value: string) => void>();
  const dialog = createListDialog<string>({
    title: "Models",
    items: () => models,
    theme: () => theme,
    onChoose,
    onSelect,
    emptyText: "No model yet; add a key with /connect.",
    hint: "ctrl+f favourite",
    ...props,
  });
  dialog.render(76, 22);
  return { dialog, onChoose, onSelect };
}

test("filled: groups, details, prices at the edge, the count and the keys", () => {
  expect(screenOf(list().dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Models ─────────────────────────────────────────────────────────────────────╮
    │ ❯                                                  4 entries, type to filter │
    │                                                                              │
    │ ❯ Local 漢字 👩👩👧  on this machine                                         │
    │ Anthropic                                                                    │
    │   Sonnet  balanced                                                        $3 │
    │   Opus  deep                                                             $15 │
    │ OpenAI                                                                       │
    │   GPT  by OpenAI                                                          $2 │
    │                                                                              │
    │ up/down select · enter choose · ctrl+f favourite                             │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
});

test("at 60 columns details are cut, and every line fits", () => {
  const long = [
    { value: "x", label: "A label 漢字 ".repeat(4), detail: "detail ".repeat(20), right: "right ".repeat(3) },
  ];
  expect(screenOf(list({ items: () => long }).dialog, { width: 60, height: 10 })).toMatchInlineSnapshot(`
    "
    ╭─ Models ─────────────────────────────────────────────────╮
    │ ❯                                                1 entry │
    │ ❯ A label 漢字 A label 漢字 A label … right right right  │
    │ up/down select · enter choose · ctrl+f favourite         │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("empty: says what to do", () => {
  expect(screenOf(list({ items: () => [] }).dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Models ─────────────────────────────────────────────────╮
    │ ❯                                              0 entries │
    │                                                          │
    │ No model yet; add a key with /connect.                   │
    │                                                          │
    │ up/down select · enter choose · ctrl+f favourite         │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("typing filters over labels and keywords, keeps groups in order and selects the best match", () => {
  const { dialog, onChoose } = list();
  type(dialog, "clau op");
  expect(insideOf(dialog).slice(0, 4)).toEqual([
    expect.stringMatching(/^❯ clau op +1 of 4$/),
    "",
    "Anthropic",
    expect.stringMatching(/^❯ Opus {2}deep +\$15$/),
  ]);
  press(dialog, "enter");
  type(dialog, "zzz");
  expect(insideOf(dialog)[2]).toBe("No matches. Press Backspace to widen the search.");
  press(dialog, "enter");
  press(dialog, "ctrl+u");
  expect(insideOf(dialog)[0]).toMatch(/ 4 entries, type to filter$/);
  expect(onChoose.mock.calls).toEqual([["opu"]]);
});

test("arrows go round, page keys and ends do not, and each selection is told", () => {
  const { dialog, onSelect, onChoose } = list();
  for (const key of ["down", "ctrl+n", "up", "ctrl+p", "up", "pageUp", "end", "home", "pageDown"]) press(dialog, key);
  press(dialog, "enter");
  expect(onSelect.mock.calls.flat()).toEqual(["son", "opu", "son", "loc", "gpt", "loc", "gpt", "loc", "gpt"]);
  expect(onChoose.mock.calls).toEqual([["gpt"]]);
});

test("other keys are the owner's before they are typed, and Escape is left to the stack", () => {
  const onKey = vi.fn((key: Parameters<typeof keyName>[0]) => keyName(key) === "ctrl+f");
  const { dialog } = list({ onKey, selected: "gpt" });
  expect(press(dialog, "ctrl+f")).toBe(true);
  expect(onKey.mock.calls.map(([key, value]: readonly unknown[]) => [key, value])).toMatchObject([
    [{ name: "f", ctrl: true }, "gpt"],
  ]);
  expect(press(dialog, "escape")).toBe(false);
  expect(insideOf(dialog)[0]).toMatch(/^❯ {3,}4 entries, type to filter$/);
});

test("the selection stays with its value when the list changes, and falls to the neighbour when that is gone", () => {
  const row = (value: string): ListItem<{ readonly id: string }> => ({ value: { id: value }, label: value });
  let items = ["a", "b", "c"].map(row);
  const chosen: string[] = [];
  const dialog = createListDialog<{ readonly id: string }>({
    title: "Live",
    items: () => items,
    theme: () => theme,
    onChoose: ({ id }) => chosen.push(id),
    emptyText: "",
    sameAs: (left, right) => left.id === right.id,
    selected: { id: "b" },
  });
  press(dialog, "enter");
  items = ["x", "y", "a", "b", "c"].map(row);
  press(dialog, "enter");
  items = ["x", "y", "a", "c"].map(row);
  press(dialog, "enter");
  expect(chosen).toEqual(["b", "b", "c"]);
});

test("a click chooses the item on its line, on a group nothing, and the wheel moves", () => {
  const { dialog, onChoose } = list();
  const mouse = (kind: "click" | "wheel", y: number, wheelLines?: number) =>
    dialog.handle({ kind: "mouse", mouse: { type: kind, x: 3, y, ...(wheelLines !== undefined && { wheelLines }) } });
  mouse("click", 3);
  mouse("click", 5);
  mouse("click", 0);
  mouse("click", 40);
  mouse("wheel", 0, 1);
  press(dialog, "enter");
  expect(onChoose.mock.calls.flat()).toEqual(["opu", "gpt"]);
});

test("nothing changed gives the same lines, and of a long list only what is shown is drawn", () => {
  let labelsRead = 0;
  const many = Array.from({ length: 1_000 }, (_, index) => ({
    value: String(index),
    get label() {
      labelsRead += 1;
      return `Session ${index}`;
    },
    detail: "a detail of some length",
    group: `Day ${Math.floor(index / 100)}`,
  }));
  const { dialog } = list({ items: () => many });
  const lines = dialog.render(80, 30);
  expect(dialog.render(80, 30)).toBe(lines);
  labelsRead = 0;
  for (let key = 0; key < 200; key += 1) {
    press(dialog, "down");
    dialog.render(80, 30);
  }
  expect(labelsRead).toBeLessThanOrEqual(200 * 2 * 30);
  expect(insideOf(dialog, { width: 80, height: 30 }).some((line) => line.startsWith("❯ Session 200 "))).toBe(true);
});

test.each([8, 20, 60, 120])("hostile texts keep to their line at %i columns", (width) => {
  const evil = "\u001b[2J\u001b[31mred\nnext\u202e\tend\u0007";
  const items = () => [{ value: "x", label: evil, detail: evil, right: evil, group: evil, keywords: evil }];
  const { dialog } = list({ items, hint: evil });
  for (const height of [1, 3, 8, 24]) {
    const lines = dialog.render(width, height);
    expect(lines.length).toBeLessThanOrEqual(height);
    for (const line of lines) {
      expect(visibleWidth(line)).toBeLessThanOrEqual(width);
      expect(foreignControls(line)).toEqual([]);
    }
  }
});
