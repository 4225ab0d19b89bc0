import { expect, test } from "vitest";
import { changeBetween } from "./lines.ts";
import { hashText, tagOf } from "./tag.ts";
import { createVersionStore, unseenLines, wholeFile } from "./versions.ts";

const limits = { pathsMax: 3, versionsMax: 2, fileBytesMax: 100, totalBytesMax: 150 };

test("a tag is the first four digits of the normalised text's hash, whatever its endings and mark", () => {
  const versions = createVersionStore();
  const expected = { tag: "9111", hash: hashText("a\nb\n"), text: "a\nb\n", shown: [] };
  expect(versions.record("/x", "\uFEFFa\r\nb\r", [])).toMatchObject(expected);
  expect(versions.record("/y", "a\nb\n", [])).toMatchObject(expected);
});

test("a version whose tag is taken gets the next digits", () => {
  const hash = "AAAABBBBCCCC".padEnd(64, "0");
  expect(tagOf(hash, new Set())).toBe("AAAA");
  expect(tagOf(hash, new Set(["AAAA", "BBBB"]))).toBe("CCCC");
});

test("two texts whose tags collide in one file are told apart, and keep their tags", () => {
  const versions = createVersionStore({ ...limits, versionsMax: 100, totalBytesMax: 1e9 });
  const byTag = new Map<string, string>();
  let pair: readonly [string, string] | undefined;
  for (let number = 0; pair === undefined; number += 1) {
    const tag = hashText(`${number}`).slice(0, 4);
    const other = byTag.get(tag);
    if (other !== undefined) pair = [other, `${number}`];
    byTag.set(tag, `${number}`);
  }
  const [first, second] = pair.map((text) => versions.record("/x", text, []));
  expect(second?.tag).toBe(second?.hash.slice(4, 8));
  expect(versions.find("/x", first?.tag ?? "")?.text).toBe(pair[0]);
  expect(versions.find("/x", second?.tag ?? "")?.text).toBe(pair[1]);
  expect(versions.record("/x", pair[1], [])?.tag).toBe(second?.tag);
});

test("the path not used for the longest time goes first, then the oldest version", () => {
  const versions = createVersionStore(limits);
  const tagIn = (path: string, text: string) => versions.record(path, text, [])?.tag ?? "none";
  const tags = { a: tagIn("/a", "a"), b: tagIn("/b", "b"), c: tagIn("/c", "c") };
  tagIn("/a", "a");
  tagIn("/d", "d");
  expect(versions.find("/b", tags.b)).toBeUndefined();
  expect(versions.find("/a", tags.a)?.text).toBe("a");
  tagIn("/a", "a2");
  tagIn("/a", "a3");
  expect(versions.find("/a", tags.a)).toBeUndefined();
  expect(tagIn("/big", "x".repeat(101))).toBe("none");
  tagIn("/e", "e".repeat(90));
  tagIn("/f", "f".repeat(90));
  expect(versions.find("/c", tags.c)).toBeUndefined();
  expect(versions.findContent("/e", hashText("e".repeat(90)))).toBeUndefined();
  const kept = tagIn("/f", "g".repeat(90));
  expect(versions.findContent("/f", hashText("f".repeat(90)))).toBeUndefined();
  expect(versions.find("/f", kept)?.text).toBe("g".repeat(90));
});

test("own edits lead from one version to another until a foreign one comes between", () => {
  const versions = createVersionStore();
  versions.record("/x", "1\n2\n", wholeFile);
  const edit = (before: string, after: string) =>
    versions.recordEdit("/x", { before, after, changes: changeBetween(before, after) });
  edit("1\n2\n", "1\nx\n2\n");
  edit("1\nx\n2\n", "1\nx\n");
  const path = (from: string, to: string) => versions.ownEdits("/x", hashText(from), hashText(to));
  expect(path("1\n2\n", "1\nx\n")).toEqual([
    [{ index: 1, removed: 0, added: ["x"] }],
    [{ index: 2, removed: 1, added: [] }],
  ]);
  versions.record("/x", "foreign\n", []);
  expect(path("1\nx\n", "foreign\n")).toBeUndefined();
  edit("foreign\n", "mine\n");
  expect(path("1\nx\n", "mine\n")).toBeUndefined();
  expect(path("foreign\n", "mine\n")).toHaveLength(1);
});

test("edits that undo each other do not lead in a circle for ever", () => {
  const versions = createVersionStore();
  versions.recordEdit("/x", { before: "a\n", after: "b\n", changes: [] });
  versions.recordEdit("/x", { before: "b\n", after: "a\n", changes: [] });
  expect(versions.ownEdits("/x", hashText("c\n"), hashText("a\n"))).toBeUndefined();
});

test("what was shown stays shown through edits, with the lines they bring", () => {
  const versions = createVersionStore();
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  const before = `${lines.join("\n")}\n`;
  versions.record("/x", before, [{ first: 3, last: 6 }]);
  versions.record("/x", before, [
    { first: 7, last: 8 },
    { first: 12, last: 12 },
  ]);
  const changes = [
    { index: 4, removed: 1, added: ["new", "newer", "newest"] },
    { index: 14, removed: 0, added: ["far"] },
  ];
  const after = `${lines.toSpliced(14, 0, "far").toSpliced(4, 1, "new", "newer", "newest").join("\n")}\n`;
  const version = versions.recordEdit("/x", { before, after, changes });
  expect(version?.shown).toEqual([
    { first: 3, last: 10 },
    { first: 14, last: 14 },
    { first: 17, last: 17 },
  ]);
  expect(version && unseenLines(version, [2, 3, 10, 11, 14, 17, 18])).toEqual([2, 11, 18]);
});

test("a clone starts with everything and then goes its own way", () => {
  const versions = createVersionStore();
  const tag = versions.record("/x", "a", [])?.tag ?? "none";
  const clone = versions.clone();
  expect(clone.find("/x", tag)?.text).toBe("a");
  const other = clone.record("/x", "b", [])?.tag ?? "none";
  expect(versions.find("/x", other)).toBeUndefined();
});

test("edits without effect are counted while the same one is tried", () => {
  const versions = createVersionStore();
  expect([1, 2, 3].map(() => versions.countNoop("/x", "same"))).toEqual([1, 2, 3]);
  expect(versions.countNoop("/x", "other")).toBe(1);
  expect(versions.countNoop("/x", "same")).toBe(1);
  versions.clearNoops("/x");
  expect(versions.countNoop("/x", "same")).toBe(1);
});
