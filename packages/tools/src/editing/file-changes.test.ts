// Covers what write and edit share: the stale-read rule, the lock, atomic writes and what they keep of a file.
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const unread = (name: string) => `${name} exists but has not been read in this session; read it first.`;
const changed = (name: string) => `${name} has changed since it was last read; read it again first.`;

test("write creates a file and its directories, shows the diff before and after", async () => {
  const input = { filePath: "new/dir/a.txt", content: "one\ntwo\n" };
  const diff = "--- /dev/null\n+++ b/new/dir/a.txt\n@@ -0,0 +1,2 @@\n+one\n+two";
  expect(await workshop.validate("write", input)).toBeUndefined();
  expect(await workshop.preview("write", input)).toBe(diff);
  expect(existsSync(workshop.at("new"))).toBe(false);
  expect(await workshop.run("write", input)).toEqual({
    output: "Created new/dir/a.txt (+2 -0 lines).",
    title: "new/dir/a.txt",
    metadata: { diff, additions: 2, deletions: 0, op: "create", firstChangedLine: 1, diagnostics: [] },
  });
  expect(workshop.text("new/dir/a.txt")).toBe("one\ntwo\n");
  expect(readdirSync(workshop.at("new/dir"))).toEqual(["a.txt"]);
});

test.each([
  ["write", { filePath: "a.txt", content: "new\n" }],
  ["edit", { filePath: "a.txt", oldString: "old", newString: "new" }],
])("%s refuses what was never read or has changed since, in validation and again when it runs", async (name, input) => {
  workshop.put("a.txt", "old\n");
  expect(await workshop.validate(name, input)).toBe(unread("a.txt"));
  expect(await workshop.run(name, input)).toEqual({ output: unread("a.txt"), isError: true, title: "a.txt" });

  await workshop.run("read", { filePath: "a.txt" });
  expect(await workshop.validate(name, input)).toBeUndefined();
  workshop.put("a.txt", "odd old\n");
  expect(await workshop.run(name, input)).toEqual({ output: changed("a.txt"), isError: true, title: "a.txt" });
  expect(await workshop.validate(name, input)).toBe(changed("a.txt"));
  expect(workshop.text("a.txt")).toBe("odd old\n");

  await workshop.run("read", { filePath: "a.txt" });
  expect((await workshop.run(name, input)).isError).toBeUndefined();
});

test("own changes count as read, so that edits can follow each other", async () => {
  await workshop.run("write", { filePath: "a.txt", content: "one\n" });
  await workshop.run("edit", { filePath: "a.txt", oldString: "one", newString: "two" });
  expect(await workshop.run("edit", { filePath: "a.txt", oldString: "two", newString: "three" })).toEqual({
    output: "Changed a.txt (+1 -1 lines).",
    title: "a.txt",
    metadata: {
      diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-two\n+three",
      additions: 1,
      deletions: 1,
      op: "update",
      firstChangedLine: 1,
      diagnostics: [],
    },
  });
  expect(workshop.text("a.txt")).toBe("three\n");
});

test("edits of one file that start together are both made", async () => {
  workshop.put("a.txt", "one\ntwo\n");
  symlinkSync(workshop.at("a.txt"), workshop.at("alias.txt"));
  await workshop.run("read", { filePath: "a.txt" });
  const results = await Promise.all([
    workshop.run("edit", { filePath: "a.txt", oldString: "one", newString: "1" }),
    workshop.run("edit", { filePath: "alias.txt", oldString: "two", newString: "2" }),
  ]);
  expect(results.map(({ output }) => output)).toEqual([
    "Changed a.txt (+1 -1 lines).",
    "Changed alias.txt (+1 -1 lines).",
  ]);
  expect(workshop.text("a.txt")).toBe("1\n2\n");
});

test("a file that appears after validation is not overwritten", async () => {
  const input = { filePath: "a.txt", content: "mine\n" };
  expect(await workshop.validate("write", input)).toBeUndefined();
  workshop.put("a.txt", "theirs\n");
  expect((await workshop.run("write", input)).output).toBe(unread("a.txt"));
  expect(workshop.text("a.txt")).toBe("theirs\n");
});

test("mode bits, byte order mark and line endings stay", async () => {
  const path = workshop.put("a.sh", "\uFEFFone\r\ntwo\r\n");
  chmodSync(path, 0o750);
  await workshop.run("read", { filePath: "a.sh" });
  await workshop.run("edit", { filePath: "a.sh", oldString: "one\ntwo", newString: "1\n2\n3" });
  expect(workshop.text("a.sh")).toBe("\uFEFF1\r\n2\r\n3\r\n");
  await workshop.run("write", { filePath: "a.sh", content: "x\ny\n" });
  expect(workshop.text("a.sh")).toBe("\uFEFFx\r\ny\r\n");
  expect(statSync(path).mode & 0o7777).toBe(0o750);
});

test("an edit leaves the endings of other lines alone", async () => {
  workshop.put("mixed.txt", "one\r\ntwo\nthree\r\nfour\r\n");
  await workshop.run("read", { filePath: "mixed.txt" });
  await workshop.run("edit", { filePath: "mixed.txt", oldString: "two\n", newString: "2\n2\n" });
  expect(workshop.text("mixed.txt")).toBe("one\r\n2\n2\nthree\r\nfour\r\n");
});

test("the new content takes the place of the file, never of its bytes", async () => {
  const path = workshop.put("a.txt", "old\n");
  linkSync(path, workshop.at("witness.txt"));
  await workshop.run("read", { filePath: "a.txt" });
  await workshop.run("write", { filePath: "a.txt", content: "new\n" });
  expect([workshop.text("a.txt"), workshop.text("witness.txt")]).toEqual(["new\n", "old\n"]);
});

test("a write through a link changes its target and keeps the link", async () => {
  workshop.put("real.txt", "old\n");
  symlinkSync("real.txt", workshop.at("alias.txt"));
  await workshop.run("read", { filePath: "alias.txt" });
  await workshop.run("write", { filePath: "alias.txt", content: "new\n" });
  expect(workshop.text("real.txt")).toBe("new\n");
  expect(lstatSync(workshop.at("alias.txt")).isSymbolicLink()).toBe(true);
  symlinkSync("nowhere", workshop.at("dangling"));
  expect(await workshop.validate("write", { filePath: "dangling", content: "" })).toBe(
    `${workshop.at("dangling")} is a symbolic link to a missing file; write to its target instead.`,
  );
});

const notebook = (source: string) => {
  const cell = { cell_type: "code", source, metadata: {}, execution_count: null, outputs: [] };
  return JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 4 });
};

test.each([
  ["write", "a.txt", "old\n", (filePath: string) => ({ filePath, content: "new\n" })],
  ["edit", "a.txt", "old\n", (filePath: string) => ({ filePath, oldString: "old", newString: "new" })],
  [
    "multi_edit",
    "a.txt",
    "old\n",
    (filePath: string) => ({ filePath, edits: [{ oldString: "old", newString: "new" }] }),
  ],
  [
    "notebook_edit",
    "a.ipynb",
    notebook("old"),
    (path: string) => ({ path, mode: "replace", cellId: "cell:1", source: "new" }),
  ],
] as const)(
  "%s refuses a link that leads out of the working directory and names the true path",
  async (tool, name, content, inputFor) => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), "kedge-outside-")));
    try {
      const target = join(outside, name);
      writeFileSync(target, content);
      symlinkSync(target, workshop.at("file-link"));
      symlinkSync(outside, workshop.at("directory-link"));
      await workshop.run("read", { filePath: target });
      for (const named of ["file-link", `directory-link/${name}`, workshop.at("file-link")]) {
        const problem = `${named} leads through a symbolic link out of the working directory, to ${target}; name that path.`;
        const title = named.startsWith("/") ? "file-link" : named;
        expect(await workshop.validate(tool, inputFor(named))).toBe(problem);
        expect(await workshop.preview(tool, inputFor(named))).toBeUndefined();
        expect(await workshop.run(tool, inputFor(named))).toEqual({ output: problem, isError: true, title });
      }
      expect([readdirSync(outside), readFileSync(target, "utf8")]).toEqual([[name], content]);

      // Named by its true path, the file is a matter of permission.
      expect((await workshop.run(tool, inputFor(target))).isError).toBeUndefined();
      expect(readFileSync(target, "utf8")).toBe(content.replace("old", "new"));
      expect(lstatSync(workshop.at("file-link")).isSymbolicLink()).toBe(true);
    } finally {
      rmSync(outside, { recursive: true });
    }
  },
);

test("a new file is not made behind a link that leads out, nor are its directories", async () => {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "kedge-outside-")));
  try {
    symlinkSync(outside, workshop.at("out"));
    const problem = `out/new/a.sh leads through a symbolic link out of the working directory, to ${join(outside, "new/a.sh")}; name that path.`;
    const title = "out/new/a.sh";
    const results = [
      await workshop.run("write", { filePath: title, content: "#!/bin/sh\n" }),
      await workshop.run("edit", { filePath: title, oldString: "", newString: "x\n" }),
    ];
    expect(results).toEqual(results.map(() => ({ output: problem, isError: true, title })));
    expect(readdirSync(outside)).toEqual([]);
  } finally {
    rmSync(outside, { recursive: true });
  }
});

test("a working directory that is reached through a link is no way out of itself", async () => {
  workshop.put("real/.keep", "");
  symlinkSync("real", workshop.at("home"));
  const context = { ...workshop.newContext(), cwd: workshop.at("home") };
  const { output } = await workshop.run("write", { filePath: "a.txt", content: "x\n" }, context);
  expect(output).toBe("Created a.txt (+1 -0 lines).");
  expect(workshop.text("real/a.txt")).toBe("x\n");
});

test("what cannot be text, a file or a path is refused in words", async () => {
  workshop.put("latin.txt", Buffer.from([0x66, 0xfc, 0x72, 0x0a]));
  workshop.put("dir/a", "");
  await workshop.run("read", { filePath: "latin.txt" });
  const write = (filePath: string) => workshop.validate("write", { filePath, content: "x" });
  expect(await write("latin.txt")).toBe(`${workshop.at("latin.txt")} is not UTF-8 text; change it with bash.`);
  expect(await write("dir")).toBe(`${workshop.at("dir")} is a directory.`);
  expect(await write("dir/a/b")).toBe(`A part of ${workshop.at("dir/a/b")} is a file, not a directory.`);
  expect(await workshop.validate("write", { filePath: "big", content: "x".repeat(5 * 1_024 * 1_024 + 1) })).toBe(
    "The content is larger than 5242880 bytes; write it in parts with bash.",
  );
  expect(readFileSync(workshop.at("latin.txt"))).toEqual(Buffer.from([0x66, 0xfc, 0x72, 0x0a]));
});

test("an aborted call writes nothing", async () => {
  const result = await workshop.run("write", { filePath: "a", content: "x" }, workshop.newContext(AbortSignal.abort()));
  expect(result.isError).toBe(true);
  expect(existsSync(workshop.at("a"))).toBe(false);
});

test("a rewrite of thousands of lines still has a diff, cut to a bearable size", async () => {
  writeFileSync(workshop.at("a.txt"), "old line of some length\n".repeat(5_000));
  await workshop.run("read", { filePath: "a.txt" });
  const { metadata } = await workshop.run("write", { filePath: "a.txt", content: "new line\n".repeat(4_000) });
  expect(metadata).toMatchObject({ additions: 4_000, deletions: 5_000 });
  expect(String(metadata?.["diff"]).length).toBeLessThan(101_000);
  expect(metadata?.["diff"]).toMatch(
    /^--- a\/a.txt\n\+\+\+ b\/a.txt\n@@ -1,5000 \+1,4000 @@\n-old[\s\S]*\n… \d+ more lines$/,
  );
});
