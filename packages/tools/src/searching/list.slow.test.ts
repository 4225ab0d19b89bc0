import { execFileSync } from "node:child_process";
import { mkdirSync, utimesSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { findRipgrep } from "./find-ripgrep.ts";
import { createListTool, type ListInput } from "./list.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
  const put = (name: string, modifiedSeconds: number) =>
    utimesSync(workshop.put(name, ""), modifiedSeconds, modifiedSeconds);
  workshop.put(".gitignore", "ignored/\n");
  utimesSync(workshop.at(".gitignore"), 1_000, 1_000);
  put("src/a.ts", 3_000);
  put("src/deep/b.ts", 5_000);
  put("src/c.js", 4_000);
  put("readme.md", 2_000);
  put("ignored/d.ts", 9_000);
  put(".git/config", 9_000);
});
afterEach(() => workshop.close());

const list = (input: ListInput, signal?: AbortSignal) =>
  createListTool({ ripgrepPath: findRipgrep, childEnvironment: () => ({}) }).run(input, workshop.newContext(signal));

test("a tree, newest first, without what is ignored or left out", async () => {
  expect(await list({})).toEqual({
    output: "readme.md\n.gitignore\n# src/\nc.js\na.ts\n## deep/\nb.ts",
    title: ".",
    metadata: { count: 5, truncated: false },
  });
  expect((await list({ path: "src", ignore: ["*.js", "deep"] })).output).toBe("a.ts");
  expect((await list({ path: "src", ignore: ["!*.js", " "] })).output).toBe("a.ts\n# deep/\nb.ts");
  expect((await list({ path: "src/a.ts" })).output).toBe("src/a.ts");
  expect((await list({ path: ".git" })).output).toBe("config");
});

test("it says what it cannot do", async () => {
  expect(await list({ path: "none" })).toMatchObject({ isError: true, output: expect.stringContaining("not exist") });
  expect(await list({ path: "/" })).toMatchObject({ isError: true });
  expect(await list({}, AbortSignal.abort())).toMatchObject({ output: "The search was interrupted.", isError: true });
  mkdirSync(workshop.at("empty"));
  expect(await list({ path: "empty" })).toMatchObject({
    output: "No files below empty.",
    metadata: { useless: true },
  });
});

test("50,000 files in one directory are counted and the newest 1,000 shown, in little memory", async () => {
  mkdirSync(workshop.at("many"));
  execFileSync("sh", ["-c", "seq -f file-%.0f 0 49999 | xargs touch"], { cwd: workshop.at("many") });
  for (let index = 0; index < 10; index++) utimesSync(workshop.at(`many/file-${index}`), 4e9 - index, 4e9 - index);
  const before = process.memoryUsage().heapUsed;
  const { output, metadata } = await list({ path: "many" });
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(60 * 1_024 * 1_024);
  const lines = output.split("\n");
  expect(lines.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, index) => `file-${index}`));
  expect(lines).toHaveLength(1_001);
  expect(lines.at(-1)).toBe("(cut: the newest 1000 of 50000 files; list a subdirectory to see others)");
  expect(metadata).toEqual({ count: 1_000, truncated: true });
});
