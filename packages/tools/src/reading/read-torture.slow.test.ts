// Covers what could hang or drown a reader: endless, huge and strange files, and directories of any size.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { findRipgrep } from "../searching/find-ripgrep.ts";
import { createReadTool } from "./read.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const nowMs = 1_700_000_000_000;
const tool = createReadTool({
  ripgrepPath: findRipgrep,
  childEnvironment: () => ({ PATH: process.env["PATH"] ?? "" }),
  wallClockMs: () => nowMs,
});
const read = (filePath: string, context = workshop.newContext()) => tool.run({ filePath }, context);
const megabyte = 1_024 * 1_024;

function put(name: string, { ageSeconds = 0, content = "" }: { ageSeconds?: number; content?: string }): void {
  const path = workshop.put(name, content);
  utimesSync(path, nowMs / 1_000 - ageSeconds, nowMs / 1_000 - ageSeconds);
}

test("devices and pipes are refused before a byte is read, selectors or not", async () => {
  execFileSync("mkfifo", [workshop.at("pipe")]);
  for (const name of ["/dev/zero", "/dev/zero:1-5", "pipe", "pipe:raw"])
    expect(await read(name), name).toMatchObject({
      output: expect.stringContaining("is a device, pipe or socket; only regular files can be read."),
      isError: true,
    });
});

test("files under /proc that cannot be read like files are refused in words", async () => {
  for (const [name, code] of [
    ["/proc/self/pagemap", "EINVAL"],
    ["/proc/self/mem", "EIO"],
  ] as const)
    expect(await read(name)).toEqual({
      output: `${name} cannot be read (${code}); look at it with bash.`,
      isError: true,
      title: name,
    });
});

test("5 GB of nothing are refused at once; 5 GB that begin as text show their beginning", async () => {
  const sparse = (name: string, beginning: string) => {
    const descriptor = openSync(workshop.at(name), "w");
    writeSync(descriptor, beginning);
    ftruncateSync(descriptor, 5 * 1_024 * megabyte);
    closeSync(descriptor);
  };
  sparse("empty.bin", "");
  expect((await read("empty.bin")).output).toBe(`${workshop.at("empty.bin")} cannot be shown: binary file, 5.0 GB.`);
  sparse("log.txt", "some line of a log\n".repeat(60_000));
  const before = process.memoryUsage().rss;
  expect(await read("log.txt")).toMatchObject({
    output: expect.stringMatching(
      /\n2000\|some line of a log\n\(lines 1-2000 of more than \d+; continue with offset 2001\)$/,
    ),
    metadata: { firstLine: 1, lastLine: 2_000 },
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * megabyte);
  expect(workshop.files.known(workshop.at("log.txt"))).toBeUndefined();
  expect(await read("log.txt", workshop.newContext(AbortSignal.abort()))).toMatchObject({
    output: "Reading was interrupted.",
    isError: true,
  });
});

test("one line of 200 MB is shown cut, in bounded memory", async () => {
  const chunk = "x".repeat(10 * megabyte);
  for (let count = 0; count < 20; count += 1) appendFileSync(workshop.at("line.txt"), chunk);
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  const [plain, raw] = [await read("line.txt"), await read("line.txt:raw")];
  clearInterval(timer);
  expect(plain.output).toBe(`1|${"x".repeat(2_000)}… (line cut at 2000 characters)\n(lines 1-1 of 1)`);
  expect(raw.output).toBe(`${"x".repeat(12_000)}… (line cut at 12000 characters)\n`);
  expect(Math.max(peak, process.memoryUsage().rss) - before).toBeLessThan(150 * megabyte);
});

test("a directory shows two levels, the newest first, with sizes and ages", async () => {
  put("dir/old.txt", { ageSeconds: 3 * 86_400, content: "x".repeat(1_536) });
  put("dir/new.txt", { ageSeconds: 5 });
  for (let index = 0; index < 14; index += 1) put(`dir/sub/f${index}`, { ageSeconds: 60 * (index + 1) });
  symlinkSync("nowhere", workshop.at("dir/sub/deep-link"));
  mkdirSync(workshop.at("dir/sub/below"));
  put("dir/sub/below/unseen", {});
  for (const [name, age] of [
    ["dir/sub/below", 20],
    ["dir/sub", 3_600],
  ] as const)
    utimesSync(workshop.at(name), nowMs / 1_000 - age, nowMs / 1_000 - age);
  const { output, metadata } = await read("dir");
  const rows = output.split("\n");
  expect(rows.slice(0, 2)).toEqual(["new.txt  0 bytes  5s", "sub/  1h"]);
  // The link was made just now, which is after the clock of this test.
  expect(rows.slice(2, 5)).toEqual(["  deep-link  7 bytes  0s", "  below/  20s", "  f0  0 bytes  1m"]);
  expect(rows.slice(13)).toEqual([
    "  f9  0 bytes  10m",
    "  … 4 more",
    "old.txt  1.5 KB  3d",
    "(3 of 3 entries, the newest first)",
  ]);
  expect(metadata).toEqual({ entries: 3 });
});

test("a directory of 20,000 entries is looked at in part, and listed whole by name", async () => {
  mkdirSync(workshop.at("huge"));
  for (let index = 0; index < 20_000; index += 1) writeFileSync(workshop.at(`huge/${index}`), "");
  const { output } = await read("huge");
  expect(output.split("\n")).toHaveLength(13);
  expect(output).toMatch(
    /\(12 of more than 1000 entries, the newest first among those looked at; all by name with offset 1\)$/,
  );
  const listed = await tool.run({ filePath: "huge", offset: 19_999 }, workshop.newContext());
  expect(listed.output).toBe("19999|9998\n20000|9999\n(entries 19999-20000 of 20000)");
});

test("names of any script are read, and names with control characters cannot break out of their row", async () => {
  const strange = ["größe-日本語-😀.txt", "two\nlines.txt", "red\u001b[31m.txt", " padded ", "quote'\"$(x).txt"];
  for (const name of strange) {
    put(`dir/${name}`, { content: "here\n" });
    expect((await read(`dir/${name}`)).output, name).toBe("1|here\n(lines 1-1 of 1)");
  }
  const rows = (await read("dir")).output.split("\n");
  expect(rows).toHaveLength(strange.length + 1);
  expect(rows).toContain('"two\\nlines.txt"  5 bytes  0s');
  expect(rows).toContain('"red\\u001b[31m.txt"  5 bytes  0s');
  const listed = await tool.run({ filePath: "dir", offset: 1 }, workshop.newContext());
  expect(listed.output).toMatch(/\(entries 1-5 of 5\)$/);
  expect((await read("dir/two\nlines.tx")).output).toContain('Similar names there: "two\\nlines.txt"');
});
