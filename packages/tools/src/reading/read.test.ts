import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { hashContent } from "../file-content.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const lines = (count: number, text = "line") =>
  Array.from({ length: count }, (_, index) => `${text} ${index + 1}\n`).join("");

test("numbers the lines, tells the range, and remembers the content", async () => {
  const path = workshop.put("a.txt", "one\r\ntwo\n\nfour");
  expect(await workshop.run("read", { filePath: "a.txt" })).toEqual({
    output: "1|one\n2|two\n3|\n4|four\n(lines 1-4 of 4)",
    title: "a.txt",
    metadata: { firstLine: 1, lastLine: 4, totalLines: 4 },
  });
  expect(workshop.files.known(path)).toBe(hashContent("one\r\ntwo\n\nfour"));
});

test("shows a window and how to get the rest", async () => {
  workshop.put("a.txt", lines(10));
  const { output } = await workshop.run("read", { filePath: "a.txt", offset: 3, limit: 2 });
  expect(output).toBe("3|line 3\n4|line 4\n(lines 3-4 of 10; continue with offset 5)");
  expect(await workshop.run("read", { filePath: "a.txt", offset: 11 })).toEqual({
    output: "There are only 10 lines; 11 is past the end.",
    title: "a.txt",
    metadata: { firstLine: 11, lastLine: 10, totalLines: 10 },
  });
});

test("stops after 2,000 lines, 50 KB, and 2,000 characters of a line", async () => {
  workshop.put("many.txt", lines(3_000));
  expect((await workshop.run("read", { filePath: "many.txt" })).output).toMatch(
    /2000\|line 2000\n\(lines 1-2000 of 3000; continue with offset 2001\)$/,
  );
  workshop.put("wide.txt", `${"ü".repeat(1_990)}\n`.repeat(60));
  const wide = await workshop.run("read", { filePath: "wide.txt" });
  expect(wide.output).toMatch(/\(lines 1-12 of 60; continue with offset 13\)$/);
  expect(Buffer.byteLength(wide.output)).toBeLessThan(51 * 1_024);
  workshop.put("long.txt", `${"x".repeat(2_001)}\nend\n`);
  expect((await workshop.run("read", { filePath: "long.txt" })).output).toBe(
    `1|${"x".repeat(2_000)}… (line cut at 2000 characters)\n2|end\n(lines 1-2 of 2)`,
  );
});

test("a large file gives the same lines and hash as a small one would", async () => {
  const content = `\uFEFF${lines(60_000, "größere Zeile")}last without end`;
  const path = workshop.put("large.txt", content);
  expect(Buffer.byteLength(content)).toBeGreaterThan(1_000_000);
  const { output } = await workshop.run("read", { filePath: "large.txt", offset: 59_999, limit: 5 });
  expect(output).toBe(
    "59999|größere Zeile 59999\n60000|größere Zeile 60000\n60001|last without end\n(lines 59999-60001 of 60001)",
  );
  expect((await workshop.run("read", { filePath: "large.txt", limit: 1 })).output).toMatch(/^1\|größere Zeile 1\n/);
  expect(workshop.files.known(path)).toBe(hashContent(content));
  workshop.put("one-line.txt", "y".repeat(700_000));
  expect((await workshop.run("read", { filePath: "one-line.txt" })).output).toBe(
    `1|${"y".repeat(2_000)}… (line cut at 2000 characters)\n(lines 1-1 of 1)`,
  );
});

test("a plain file is read to its end even if the call is interrupted", async () => {
  workshop.put("large.txt", lines(60_000));
  const aborted = workshop.newContext(AbortSignal.abort());
  expect((await workshop.run("read", { filePath: "large.txt", limit: 1 }, aborted)).output).toBe(
    "1|line 1\n(lines 1-1 of 60000; continue with offset 2)",
  );
});

test("lists the entries of a directory by name when lines are chosen, and tells empty ones in words", async () => {
  workshop.put("dir/b.txt", "");
  mkdirSync(workshop.at("dir/a"));
  expect((await workshop.run("read", { filePath: "dir", offset: 1 })).output).toBe("1|a/\n2|b.txt\n(entries 1-2 of 2)");
  expect((await workshop.run("read", { filePath: "dir", offset: 2, limit: 5 })).output).toBe(
    "2|b.txt\n(entries 2-2 of 2)",
  );
  expect((await workshop.run("read", { filePath: "dir/a" })).output).toBe("(the directory is empty)");
  expect((await workshop.run("read", { filePath: "dir/b.txt" })).output).toBe("(the file is empty)");
});

test("names near names for a missing file", async () => {
  for (const name of ["read-file.ts", "read-files.ts", "Read-File.js", "read-fil.ts", "zebra.md"])
    workshop.put(name, "");
  expect(await workshop.run("read", { filePath: "read-file.tsx" })).toEqual({
    output: `${workshop.at("read-file.tsx")} does not exist. Similar names there: read-file.ts, read-files.ts, read-fil.ts`,
    isError: true,
    title: "read-file.tsx",
  });
  expect((await workshop.run("read", { filePath: "none/a.ts" })).output).toBe(
    `${workshop.at("none/a.ts")} does not exist, and neither does its directory.`,
  );
});

test("refuses binary files, devices, pipes and sockets without hanging", async () => {
  workshop.put("zero.bin", Buffer.from([65, 0, 66]));
  workshop.put("program", Buffer.from("\x7fELF\x02\x01\x01\0\0\0\0", "latin1"));
  workshop.put("controls", Buffer.alloc(100, 1));
  execFileSync("mkfifo", [workshop.at("pipe")]);
  symlinkSync("/dev/zero", workshop.at("link-to-device"));
  const server = createServer().listen(workshop.at("socket"));
  await once(server, "listening");
  const refusals = [
    ["zero.bin", "binary file, 3 bytes"],
    ["program", "ELF program or library, 11 bytes"],
    ["controls", "binary file, 100 bytes"],
  ] as const;
  for (const [filePath, kind] of refusals)
    expect(await workshop.run("read", { filePath })).toEqual({
      output: `${workshop.at(filePath)} cannot be shown: ${kind}.`,
      isError: true,
      title: filePath,
    });
  for (const filePath of ["pipe", "link-to-device", "/dev/zero", "socket", "/dev/tty"])
    expect(await workshop.run("read", { filePath }), filePath).toMatchObject({ isError: true });
  server.close();
  await once(server, "close");
});

test("a file read through a link is known under its true path", async () => {
  const path = workshop.put("real.txt", "x\n");
  symlinkSync(path, workshop.at("alias.txt"));
  await workshop.run("read", { filePath: "alias.txt" });
  expect(workshop.files.known(path)).toBe(hashContent("x\n"));
});

test("a file that hides its size is read to its end", async () => {
  const { output } = await workshop.run("read", { filePath: "/proc/self/status" });
  expect(output).toMatch(/^1\|Name:/);
  expect(output.split("\n").length).toBeGreaterThan(20);
});

test("a path may be given as path, and pages are for documents", async () => {
  workshop.put("a.txt", "x\n");
  expect((await workshop.run("read", { path: "a.txt" })).output).toBe("1|x\n(lines 1-1 of 1)");
  expect(await workshop.run("read", { filePath: "a.txt", pages: "1" })).toMatchObject({
    output: `${workshop.at("a.txt")} is not a PDF; choose lines with offset and limit, not pages.`,
    isError: true,
  });
});
