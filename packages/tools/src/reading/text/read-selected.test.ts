// Covers what may stand in the place of a plain path: selectors, artifacts, and paths that lack their beginning.
import { mkdirSync, symlinkSync } from "node:fs";
import type { ChildCall, ToolContext } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { hashContent } from "../../file-content.ts";
import { findRipgrep } from "../../searching/find-ripgrep.ts";
import { createReadTool, type ReadInput } from "../read.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const tool = createReadTool({
  ripgrepPath: findRipgrep,
  childEnvironment: () => ({ PATH: process.env["PATH"] ?? "" }),
  wallClockMs: () => Date.now(),
});

const read = (input: ReadInput, context: ToolContext = workshop.newContext()) => tool.run(input, context);
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
const rows = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `${first + index}|line ${first + index}\n`).join("");

test("ranges behind the path show their lines with a little around them", async () => {
  const path = workshop.put("a.ts", lines(60));
  const shown = async (selector: string) => (await read({ filePath: `a.ts:${selector}` })).output;
  expect(await shown("10-12")).toBe(`${rows(9, 15)}(lines 9-15 of 60; continue with a.ts:16)`);
  expect(await shown("58")).toBe(`${rows(57, 60)}(lines 57-60 of 60)`);
  expect(await shown("2-3,40+2")).toBe(
    `${rows(1, 6)}…\n${rows(39, 44)}(lines 1-6, 39-44 of 60; continue with a.ts:45)`,
  );
  expect(await shown("59-,500-600")).toBe(`${rows(58, 60)}(lines 58-60 of 60)`);
  expect(await shown("1-2,70-80")).toBe(`${rows(1, 5)}(lines 1-5 of 60; continue with a.ts:6)`);
  expect(workshop.files.known(path)).toBe(hashContent(lines(60)));
});

test("a range past the end is answered in words, not as an error", async () => {
  workshop.put("a.ts", lines(10));
  expect(await read({ filePath: "a.ts:11-20" })).toEqual({
    output: "There are only 10 lines; 11 is past the end.",
    title: "a.ts",
    metadata: { firstLine: 10, lastLine: 10, totalLines: 10 },
  });
});

test("a bad range, and lines chosen twice, are refused", async () => {
  workshop.put("a.ts", lines(10));
  expect(await read({ filePath: "a.ts:0" })).toEqual({
    output: ":0 is not a range of lines: they count from 1, and the end must not be before the start.",
    isError: true,
    title: "a.ts",
  });
  for (const lines of [{ offset: 1 }, { limit: 1 }])
    expect(await read({ filePath: "a.ts:2-3", ...lines })).toEqual({
      output: "Select lines either in the path or with offset and limit, not both.",
      isError: true,
      title: "a.ts",
    });
});

test("raw is the text itself, of a range or of all, and still has limits", async () => {
  workshop.put("a.txt", "one\r\ntwo\n…\nend");
  expect((await read({ filePath: "a.txt:raw" })).output).toBe("one\r\ntwo\n…\nend\n");
  expect((await read({ filePath: "a.txt:raw:2-3" })).output).toBe(
    "two\n…\n(lines 2-3 of 4; continue with a.txt:raw:4)",
  );
  expect((await read({ filePath: "a.txt:2-2:raw" })).output).toBe("two\n(lines 2-2 of 4; continue with a.txt:raw:3)");
  workshop.put("long.txt", "😀".repeat(20_000));
  expect((await read({ filePath: "long.txt:raw" })).output).toBe(
    `${"😀".repeat(6_000)}… (line cut at 12000 characters)\n`,
  );
  workshop.put("many.txt", "x\n".repeat(3_000));
  expect((await read({ filePath: "many.txt:1-900,1000-2500,2800-" })).output).toMatch(
    /\(lines 1-903, 999-2095 of 3000; continue with many.txt:2096\)$/,
  );
});

test("a file that really has the colon in its name wins, and both names need permission", async () => {
  workshop.put("a.ts", lines(5));
  workshop.put("a.ts:2", "the other\n");
  workshop.put("a:b", "colon\n");
  expect((await read({ filePath: "a.ts:2" })).output).toBe("1|the other\n(lines 1-1 of 1)");
  expect((await read({ filePath: "a:b" })).output).toBe("1|colon\n(lines 1-1 of 1)");
  expect((await read({ filePath: "a:b:1-1" })).output).toBe("1|colon\n(lines 1-1 of 1)");
  expect((await read({ filePath: "a.ts:2:raw" })).output).toBe("the other\n");
  expect(tool.needs({ filePath: ".env:2:raw" }, "/w")).toEqual([
    {
      permission: "read",
      patterns: [".env:2:raw", ".env:2", ".env"],
      always: [".env:2:raw", ".env:2", ".env"],
      access: "read",
      paths: ["/w/.env:2:raw", "/w/.env:2", "/w/.env"],
    },
  ]);
});

test("an artifact is read by number and range, and a wrong number is told the right ones", async () => {
  expect((await read({ filePath: "artifact://0" })).output).toBe(
    "artifact://0 does not exist. There are no artifacts in this session.",
  );
  for (let count = 0; count < 22; count += 1) {
    const artifact = workshop.artifacts.create("test");
    artifact.write(count === 1 ? lines(30) : "short\n");
    artifact.close();
  }
  expect(await read({ filePath: "artifact://1:10-11" })).toEqual({
    output: `${rows(9, 14)}(lines 9-14 of 30; continue with artifact://1:15)`,
    title: "artifact://1",
    metadata: { firstLine: 9, lastLine: 14, totalLines: 30 },
  });
  expect((await read({ filePath: "artifact://1", offset: 29, limit: 1 })).output).toBe(
    `${rows(29, 29)}(lines 29-29 of 30; continue with artifact://1:30)`,
  );
  const numbers = Array.from({ length: 20 }, (_, index) => `artifact://${index + 2}`).join(", ");
  for (const [name, problem] of [
    ["artifact://22", "artifact://22 does not exist."],
    ["artifact://../x", "Artifacts have numbers, and artifact://../x has none."],
  ] as const)
    expect(await read({ filePath: name })).toEqual({
      output: `${problem} There are the last 20: ${numbers}`,
      isError: true,
      title: name,
    });
  expect(tool.needs({ filePath: "artifact://1:5-9" }, "/w")).toEqual([
    { permission: "read", patterns: ["artifact://1"], always: ["artifact://1"], access: "read" },
  ]);
});

test("a path that lacks its beginning is read by a call of its own", async () => {
  workshop.put("packages/tools/src/deep.ts", lines(30));
  const calls: ChildCall[] = [];
  const context: ToolContext = {
    ...workshop.newContext(),
    children: {
      run: async (children) => {
        calls.push(...children);
        return children.map(({ tool }) => ({ tool, output: "what it says", isError: false }));
      },
    },
  };
  expect(await read({ filePath: "src/deep.ts:4-5" }, context)).toEqual({
    output: "(src/deep.ts does not exist; this is packages/tools/src/deep.ts)\nwhat it says",
    title: "packages/tools/src/deep.ts",
  });
  expect(calls).toEqual([{ tool: "read", input: { filePath: "packages/tools/src/deep.ts:4-5" } }]);
});

test("several files that end so are listed; pictures and links to nothing are not read in passing", async () => {
  workshop.put("one/src/a.ts", "");
  workshop.put("two/src/a.ts", "");
  workshop.put("three/xsrc/a.ts", "");
  expect(await read({ filePath: "src/a.ts" })).toEqual({
    output: `${workshop.at("src/a.ts")} does not exist. Read one of these instead:\none/src/a.ts\ntwo/src/a.ts`,
    isError: true,
    title: "src/a.ts",
  });
  workshop.put("assets/logo.png", "");
  expect((await read({ filePath: "logo.png" })).output).toBe(
    `${workshop.at("logo.png")} does not exist. Read one of these instead:\nassets/logo.png`,
  );
  mkdirSync(workshop.at("links"));
  symlinkSync("nowhere", workshop.at("links/lost.ts"));
  expect((await read({ filePath: "lost.ts" })).output).toBe(`${workshop.at("lost.ts")} does not exist.`);
  expect((await read({ filePath: "links/lost.ts" })).output).toBe(
    `${workshop.at("links/lost.ts")} is a broken symbolic link.`,
  );
});
