/** The first start: every way through its screens by keys, and the check of a key while it runs, fails and is stopped. */
import { expect, test, vi } from "vitest";
import { bareTheme } from "../../../test/bare-theme.ts";
import { foreignControls, insideOf, press, screenOf, type } from "../../../test/press.ts";
import { visibleWidth } from "../../screen/text-width.ts";
import { createWelcome, type WelcomeProps } from "./welcome-dialogs.ts";

const theme = bareTheme();

const providers: WelcomeProps["providers"] = [
  { id: "anthropic", label: "Anthropic", detail: "Claude models", needsKey: true },
  { id: "ollama", label: "Use Ollama on this machine", detail: "3 models found 漢字", needsKey: false },
  { id: "demo", label: "Look around without a model", detail: "a recorded demo", needsKey: false },
];

function welcome(props: Partial<WelcomeProps> = {}) {
  const checks: { readonly attempt: unknown; readonly signal: AbortSignal }[] = [];
  const pending = Promise.withResolvers<{ readonly ok: boolean; readonly sentence: string }>();
  const changed = Promise.withResolvers<void>();
  const onDone = vi.fn<(providerId: string) => void>();
  const onLeave = vi.fn<(providerId: string | undefined) => void>();
  const dialog = createWelcome({
    providers,
    theme: () => theme,
    now: () => 300,
    check(attempt, signal) {
      checks.push({ attempt, signal });
      return pending.promise;
    },
    onDone,
    onLeave,
    onChange: () => changed.resolve(),
    ...props,
  });
  dialog.render(72, 22);
  const keys = (...names: readonly string[]) => names.map((name) => press(dialog, name));
  return { dialog, keys, checks, pending, changed, onDone, onLeave };
}

test("providers to choose from", () => {
  expect(screenOf(welcome().dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Welcome to kedge ───────────────────────────────────────────────────────────╮
    │ ❯                                                  3 entries, type to filter │
    │                                                                              │
    │ ❯ Anthropic  Claude models                                                   │
    │   Use Ollama on this machine  3 models found 漢字                            │
    │   Look around without a model  a recorded demo                               │
    │                                                                              │
    │ up/down select · enter choose · esc exit                                     │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
});

test("without any provider it says what to do, at 60 columns", () => {
  expect(screenOf(welcome({ providers: [] }).dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Welcome to kedge ───────────────────────────────────────╮
    │ ❯                                              0 entries │
    │                                                          │
    │ No providers found. Press Escape to exit, or add one     │
    │ under provider in ~/.kedge/config.json.                  │
    │                                                          │
    │ up/down select · enter choose · esc exit                 │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("what needs no key goes on to the three screens, and Enter ends them", () => {
  const { dialog, keys, onDone } = welcome();
  keys("down", "enter");
  const screens = [screenOf(dialog, { width: 60 })];
  keys("enter");
  screens.push(screenOf(dialog, { width: 60 }));
  keys("enter");
  screens.push(screenOf(dialog, { width: 60 }));
  expect(screens.join("")).toMatchInlineSnapshot(`
    "
    ╭─ Welcome to kedge ───────────────────────────────────────╮
    │ Trust                                                    │
    │                                                          │
    │ A project can contain its own settings, instructions and │
    │ commands.                                                │
    │ kedge asks before it uses any of them, and asks again    │
    │ when they change.                                        │
    │ Trust a project only if you would run its code.          │
    │                                                          │
    │ 1/3 · enter next · esc exit                              │
    ╰──────────────────────────────────────────────────────────╯

    ╭─ Welcome to kedge ───────────────────────────────────────╮
    │ Modes                                                    │
    │                                                          │
    │ In default mode, kedge asks before it edits files or     │
    │ runs commands.                                           │
    │ In accept-edits mode, it edits files without asking. In  │
    │ plan mode, it only reads and proposes.                   │
    │ Press Tab to switch plan mode on or off.                 │
    │                                                          │
    │ 2/3 · enter next · esc exit                              │
    ╰──────────────────────────────────────────────────────────╯

    ╭─ Welcome to kedge ───────────────────────────────────────╮
    │ Undo                                                     │
    │                                                          │
    │ Every prompt is a point that you can return to.          │
    │ /undo reverts the last prompt, including its file        │
    │ changes; /redo restores it.                              │
    │ Press Escape twice to rewind to any prompt.              │
    │                                                          │
    │ 3/3 · enter start · esc exit                             │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
  expect(onDone).not.toHaveBeenCalled();
  keys("enter");
  expect(onDone.mock.calls).toEqual([["ollama"]]);
});

test("a key is shown as dots, checked with a line that moves, and refused with a sentence", async () => {
  const { dialog, keys, checks, pending, changed } = welcome();
  keys("enter");
  type(dialog, "sk-bad");
  expect(screenOf(dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Welcome to kedge ───────────────────────────────────────╮
    │ API key for Anthropic (stored on this machine)           │
    │ ❯ ••••••                                                 │
    │                                                          │
    │ enter done · esc back                                    │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
  keys("enter");
  expect(checks.map(({ attempt }) => attempt)).toEqual([{ id: "anthropic", key: "sk-bad" }]);
  expect(insideOf(dialog)).toEqual(["⠸ Verifying the key… esc cancel"]);
  pending.resolve({ ok: false, sentence: "Anthropic refused the key; make a new one in its console." });
  await pending.promise;
  await changed.promise;
  expect(insideOf(dialog)).toContain("Anthropic refused the key; make a new one in its console.");
});

test("a key that works leads to the screens", async () => {
  const { dialog, keys, pending, onDone } = welcome();
  keys("enter");
  type(dialog, "sk-good");
  keys("enter");
  pending.resolve({ ok: true, sentence: "" });
  await pending.promise;
  await expect.poll(() => insideOf(dialog)[0]).toBe("Trust");
  keys("enter", "enter", "enter");
  expect(onDone.mock.calls).toEqual([["anthropic"]]);
});

test("a check that breaks is told, and the key can be entered again", async () => {
  const { dialog, keys } = welcome({ check: () => Promise.reject(new Error("no network")) });
  keys("enter");
  type(dialog, "sk");
  keys("enter");
  await expect.poll(() => insideOf(dialog)).toContain("Could not verify the key: no network. Try again.");
});

test.each(["escape", "close"])("a check is stopped by %s, and its result counts no more", async (how) => {
  const { dialog, keys, checks, pending } = welcome();
  keys("enter");
  type(dialog, "sk");
  keys("enter");
  if (how === "escape") keys("escape");
  else dialog.closed?.();
  expect(checks.map(({ signal }) => signal.aborted)).toEqual([true]);
  const before = insideOf(dialog);
  pending.resolve({ ok: true, sentence: "" });
  await pending.promise;
  expect(insideOf(dialog)).toEqual(before);
});

test("Escape goes back from the key, and leaves from the first screen and from the texts", () => {
  const { keys, dialog, onLeave } = welcome();
  keys("enter", "escape");
  expect(insideOf(dialog)[0]).toMatch(/ 3 entries, type to filter$/);
  expect(onLeave).not.toHaveBeenCalled();
  keys("escape");
  keys("end", "enter", "escape");
  expect(onLeave.mock.calls).toEqual([[undefined], ["demo"]]);
});

test("hostile names and sentences are harmless", async () => {
  const evil = "\u001b[2Jx\u202e\ny\u0007";
  const { dialog, keys } = welcome({
    providers: [{ id: evil, label: evil, detail: evil, needsKey: true }],
    check: () => Promise.resolve({ ok: false, sentence: evil }),
  });
  const harmless = () => {
    const lines = dialog.render(40, 20);
    expect(lines.flatMap(foreignControls)).toEqual([]);
    for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(40);
  };
  harmless();
  keys("enter");
  harmless();
  type(dialog, "k");
  keys("enter");
  await expect.poll(() => insideOf(dialog)).toContain("x");
  harmless();
});
