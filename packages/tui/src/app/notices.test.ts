/** Proves that an error leaves the screen once it was overcome, and that nothing else does. */
import { expect, test } from "vitest";
import type { ClientState } from "../state/client-state.ts";
import { createStateStore } from "../state/state-store.ts";
import { createNotices } from "./notices.ts";

function open(ids: readonly string[]) {
  const state = { messages: ids.map((id) => ({ id })), notices: [] } as unknown as ClientState;
  const store = createStateStore(state);
  const show = (shown: readonly string[]) =>
    store.update((before) => ({ ...before, messages: shown.map((id) => ({ id })) }) as unknown as ClientState);
  return { tell: createNotices(store), show, texts: () => store.get().notices.map(({ text }) => text) };
}

test("a refused undo leaves with the one that was forced, although its message is gone", () => {
  const { tell, show, texts } = open(["a", "b"]);
  tell("error", "Files changed since.");
  show(["a"]);
  tell("success", "Undone: 1 file changed.");
  expect(texts()).toEqual(["Undone: 1 file changed."]);
});

test("errors of earlier messages, warnings and information stay", () => {
  const { tell, show, texts } = open(["a"]);
  tell("error", "The run failed.");
  show(["a", "b"]);
  tell("warning", "80% used.");
  tell("info", "Model changed.");
  tell("error", "No such label.");
  tell("info", "Nothing changed.");
  expect(texts()).toHaveLength(5);
  tell("success", "Labeled.");
  expect(texts()).toEqual(["The run failed.", "80% used.", "Model changed.", "Nothing changed.", "Labeled."]);
});
