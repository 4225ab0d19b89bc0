import { expect, test } from "vitest";
import { createKeyReader, sequenceTimeoutMs } from "./key-reader.ts";
import { createKeybinds } from "./keybinds.ts";

function openReader() {
  let time = 50_000;
  const { keybinds } = createKeybinds();
  const reader = createKeyReader({ keybinds: () => keybinds, now: () => time });
  return {
    ...reader,
    wait(ms: number) {
      time += ms;
    },
  };
}

test("a sequence is followed key by key", () => {
  const reader = openReader();
  expect(reader.read("ctrl+x")).toEqual({ kind: "pending" });
  expect(reader.pending()).toEqual(["ctrl+x"]);
  reader.wait(sequenceTimeoutMs - 1);
  expect(reader.read("m")).toEqual({ kind: "action", action: "model_list" });
  expect(reader.pending()).toEqual([]);
  expect(reader.read("m")).toEqual({ kind: "none" });
});

test("after two seconds the beginning is forgotten, and the key is free again", () => {
  const reader = openReader();
  reader.read("ctrl+x");
  reader.wait(sequenceTimeoutMs);
  expect(reader.pending()).toEqual([]);
  expect(reader.read("m")).toEqual({ kind: "none" });
});

test("a key that ends a sequence without a meaning is spent", () => {
  const reader = openReader();
  reader.read("ctrl+x");
  expect(reader.read("z")).toEqual({ kind: "dropped", keys: ["ctrl+x", "z"] });
  expect(reader.read("enter")).toEqual({ kind: "action", action: "submit" });
});

test("a sequence can be given up", () => {
  const reader = openReader();
  reader.read("ctrl+x");
  reader.cancel();
  expect(reader.read("m")).toEqual({ kind: "none" });
});

test("the context decides what counts", () => {
  const reader = openReader();
  expect(reader.read("enter", "reading")).toEqual({ kind: "none" });
  expect(reader.read("pageUp", "reading")).toEqual({ kind: "action", action: "scroll_page_up" });
});
