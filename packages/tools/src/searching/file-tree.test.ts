import { expect, test } from "vitest";
import { showFileTree } from "./file-tree.ts";
import { createNewestFiles } from "./newest-files.ts";

test("chains of directories share a heading, files come before directories", () => {
  const paths = ["a/b/c/1.ts", "a/b/c/d/2.ts", "a/b/c/e/f/3.ts", "top.ts", "/etc/x/4"];
  expect(showFileTree(paths, 1_000)).toEqual({
    text: "top.ts\n# a/b/c/\n1.ts\n## d/\n2.ts\n## e/f/\n3.ts\n# /etc/x/\n4",
    count: 5,
  });
});

test("paths are left out from the end until the text fits", () => {
  const paths = Array.from({ length: 500 }, (_, index) => `directory-${index}/file-${index}`);
  const { text, count } = showFileTree(paths, 2_000);
  expect(text.length).toBeLessThanOrEqual(2_000);
  expect(count).toBeGreaterThan(30);
  expect(text).toBe(showFileTree(paths.slice(0, count), 2_000).text);
});

test("of many files the newest are kept, each once", () => {
  const newest = createNewestFiles(3);
  for (let index = 0; index < 5_000; index++) newest.add(`file-${index % 2_500}`, (index % 2_500) * 7);
  expect(newest.result()).toEqual({
    files: [2_499, 2_498, 2_497].map((index) => ({ path: `file-${index}`, modifiedMs: index * 7 })),
    more: true,
  });
  expect(newest.total).toBe(5_000);
});
