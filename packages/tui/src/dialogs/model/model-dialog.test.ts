/** The model picker: what stands first, what is missing a key, and what each key does. */
import { expect, test, vi } from "vitest";
import { click, manyProviders, providers, theme } from "../../../test/picker-samples.ts";
import { insideOf, press, screenOf, type } from "../../../test/press.ts";
import { createModelDialog, type ModelDialogProps, type ProviderList } from "./model-dialog.ts";

function models(props: Partial<ModelDialogProps> = {}) {
  const onChoose = vi.fn<(model: string) => void>();
  const onLogin = vi.fn<(providerId: string) => void>();
  const onToggleFavourite = vi.fn<(model: string) => void>();
  const none: readonly string[] = [];
  const dialog = createModelDialog({
    providers: () => providers,
    current: () => "anthropic/sonnet",
    recent: [],
    favourites: () => none,
    theme,
    onChoose,
    onLogin,
    onToggleFavourite,
    ...props,
  });
  return { dialog, onChoose, onLogin, onToggleFavourite };
}

test("favourites and recent ones stand first, each model once, those without a key are marked, figures in columns", () => {
  const liked = ["local/qwen", "gone/model"];
  const { dialog } = models({ recent: ["openai/gpt", "local/qwen"], favourites: () => liked });
  expect(screenOf(dialog)).toMatchInlineSnapshot(`
    "
    ╭─ Models ─────────────────────────────────────────────────────────────────────╮
    │ ❯                                                  5 entries, type to filter │
    │                                                                              │
    │ Favorites                                                                    │
    │   local/qwen                                                   free          │
    │ Recent                                                                       │
    │   GPT  no key · openai/gpt                                          400k     │
    │ Anthropic                                                                    │
    │ ❯ Claude Sonnet  current · anthropic/sonnet                  $3/$15 200k trv │
    │   Claude Opus  anthropic/opus                          $0.075/$1.25 1.0M t - │
    │   Claude Haiku  anthropic/haiku                                     200k     │
    │                                                                              │
    │ up/down select · enter choose · ctrl+f favorite · esc close                  │
    │ $ per million in/out · t tools · r reasoning · v vision                      │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
});

test("at 60 columns", () => {
  expect(screenOf(models().dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Models ─────────────────────────────────────────────────╮
    │ ❯                              5 entries, type to filter │
    │                                                          │
    │ Anthropic                                                │
    │ ❯ Claude Sonnet  current · anthro…       $3/$15 200k trv │
    │   Claude Opus  anthropic/opus      $0.075/$1.25 1.0M t - │
    │   Claude Haiku  anthropic/haiku                 200k     │
    │ Local 漢字                                               │
    │   local/qwen                               free          │
    │ OpenAI                                                   │
    │   GPT  no key · openai/gpt                      400k     │
    │                                                          │
    │ up/down select · enter choose · ctrl+f favorite          │
    │ esc close                                                │
    │ $ per million in/out · t tools · r reasoning · v vision  │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("loading, then failed, then there, without being opened anew", () => {
  let list: ProviderList | undefined;
  let problem: string | undefined;
  const { dialog } = models({ providers: () => list, problem: () => problem });
  expect(screenOf(dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Models ─────────────────────────────────────────────────╮
    │ ❯                                              0 entries │
    │                                                          │
    │ Loading models…                                          │
    │                                                          │
    │ up/down select · enter choose · ctrl+f favorite          │
    │ esc close                                                │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
  problem = "The engine did not answer. Try again.";
  expect(insideOf(dialog, { width: 56 })[2]).toBe("The engine did not answer. Try again.");
  problem = undefined;
  list = providers;
  expect(insideOf(dialog)[3]).toMatch(/^❯ Claude Sonnet {2}current · anthropic\/sonnet +\$3\/\$15 200k trv$/);
  list = { providers: [] };
  expect(insideOf(dialog)[2]).toBe("No models available. Sign in to a provider with /login.");
});

test("a problem beside a list that is known stands below it", () => {
  const { dialog } = models({ problem: () => "The list is old." });
  expect(insideOf(dialog).at(-1)).toBe("The list is old.");
});

test("enter chooses, and a model without a key asks for one", () => {
  const { dialog, onChoose, onLogin } = models();
  press(dialog, "enter");
  type(dialog, "opus");
  press(dialog, "enter");
  press(dialog, "ctrl+u");
  type(dialog, "gpt openai");
  press(dialog, "enter");
  expect(onChoose.mock.calls).toEqual([["anthropic/sonnet"], ["anthropic/opus"]]);
  expect(onLogin.mock.calls).toEqual([["openai"]]);
});

test("ctrl+f makes a favorite, which moves up and stays selected", () => {
  let liked: readonly string[] = [];
  const { dialog, onChoose } = models({
    favourites: () => liked,
    onToggleFavourite: (model) => {
      liked = [model];
    },
  });
  press(dialog, "down");
  press(dialog, "ctrl+f");
  expect(insideOf(dialog).slice(2, 5)).toEqual([
    "Favorites",
    expect.stringMatching(/^❯ Claude Opus {2}anthropic\/opus +\$0.075\/\$1.25 1.0M t -$/),
    "Anthropic",
  ]);
  press(dialog, "enter");
  expect(onChoose.mock.calls).toEqual([["anthropic/opus"]]);
});

test("a click chooses the model on its line, and Escape is left to the stack", () => {
  const { dialog, onChoose } = models();
  dialog.render(76, 22);
  click(dialog, 4);
  expect(onChoose.mock.calls).toEqual([["anthropic/opus"]]);
  expect(press(dialog, "escape")).toBe(false);
});

test("a thousand models: as many rows as there is room for, and the same lines while nothing changes", () => {
  const list = manyProviders(1_000);
  const { dialog } = models({ providers: () => list });
  const lines = dialog.render(76, 22);
  expect(lines).toHaveLength(22);
  expect(dialog.render(76, 22)).toBe(lines);
});

test("a model in use that no list has stands first", () => {
  const { dialog } = models({ current: () => "mine/special" });
  expect(insideOf(dialog).slice(2, 5)).toEqual(["Current", "❯ mine/special  current", "Anthropic"]);
});
