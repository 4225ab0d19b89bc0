// Covers list, glob and grep on the real ripgrep.
import { utimesSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../test/workshop.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
  const put = (name: string, content: string, modifiedSeconds: number) =>
    utimesSync(workshop.put(name, content), modifiedSeconds, modifiedSeconds);
  put(".gitignore", "ignored/\nsecret.ts\n", 1_000);
  put("src/a.ts", "const needle = 1;\nconst other = 2;\n", 3_000);
  put("src/deep/b.ts", "first\r\nneedle again\r\nneedle twice\r\n", 5_000);
  put("src/c.js", "needle\n", 4_000);
  put("readme.md", "# needle\n", 2_000);
  put("ignored/d.ts", "needle\n", 9_000);
  put("src/secret.ts", "needle\n", 9_000);
  put(".git/config.ts", "needle\n", 9_000);
  put(".hidden/e.ts", "nothing\n", 2_500);
});
afterEach(() => workshop.close());

const output = async (name: string, input: unknown) => (await workshop.run(name, input)).output;

test("glob finds newest first and leaves out what is ignored, even if the pattern names it", async () => {
  expect(await workshop.run("glob", { pattern: "*.ts" })).toEqual({
    output: "src/deep/b.ts\nsrc/a.ts\n.hidden/e.ts",
    title: "*.ts",
    metadata: { count: 3 },
  });
  expect(await output("glob", { pattern: "src/*.{ts,js}" })).toBe("src/c.js\nsrc/a.ts");
  expect(await output("glob", { pattern: "src/**" })).toBe("src/deep/b.ts\nsrc/c.js\nsrc/a.ts");
  expect(await output("glob", { pattern: "**/*.ts", path: "src" })).toBe("src/deep/b.ts\nsrc/a.ts");
});

test("glob without wildcards means a file, all below a directory, or a name further down", async () => {
  expect(await output("glob", { pattern: "src/a.ts" })).toBe("src/a.ts");
  expect(await output("glob", { pattern: "src/deep" })).toBe("src/deep/b.ts");
  expect(await output("glob", { pattern: "b.ts" })).toBe("src/deep/b.ts");
});

test("glob says when it cut, found nothing or cannot look", async () => {
  expect(await output("glob", { pattern: "*.ts", limit: 1 })).toBe("src/deep/b.ts\n(cut: the newest 1 of 3 files)");
  expect(await output("glob", { pattern: "*.rs" })).toBe("No files match *.rs.");
  expect(await workshop.run("glob", { pattern: "*.ts", path: "none" })).toEqual({
    output: `${workshop.at("none")} does not exist.`,
    isError: true,
    title: "*.ts",
  });
  expect(await workshop.run("glob", { pattern: "*", path: "/" })).toMatchObject({ isError: true });
});

test("list groups by directory, newest first, and leaves out what it is told to", async () => {
  expect(await output("list", {})).toBe(
    "src/deep/\n  b.ts\nsrc/\n  c.js\n  a.ts\n.hidden/\n  e.ts\n./\n  readme.md\n  .gitignore",
  );
  expect(await output("list", { path: "src", ignore: ["*.js", "deep"] })).toBe("./\n  a.ts");
  expect(await output("list", { path: "none" })).toBe(`${workshop.at("none")} does not exist.`);
});

test("list says when it cut", async () => {
  for (let index = 0; index < 1_005; index++) workshop.put(`many/${index}`, "");
  const text = await output("list", { path: "many" });
  expect(text.split("\n")).toHaveLength(1_002);
  expect(text).toMatch(/\n\(cut: the newest 1000 of 1005 files\)$/);
});

test("grep shows lines under their file", async () => {
  expect(await workshop.run("grep", { pattern: "needle" })).toEqual({
    output:
      "readme.md\n  1:# needle\nsrc/a.ts\n  1:const needle = 1;\nsrc/c.js\n  1:needle\n" +
      "src/deep/b.ts\n  2:needle again\n  3:needle twice",
    title: "needle",
    metadata: { count: 5 },
  });
  expect(await output("grep", { pattern: "other", context: 1 })).toBe(
    "src/a.ts\n  1-const needle = 1;\n  2:const other = 2;",
  );
  expect(await output("grep", { pattern: "needle", path: "src/c.js" })).toBe("src/c.js\n  1:needle");
  expect(await output("grep", { pattern: "1;\\nconst" })).toBe("src/a.ts\n  1:const needle = 1;\n  2:const other = 2;");
});

test("grep counts, lists files and searches only what is included, never what is ignored", async () => {
  expect(await output("grep", { pattern: "needle", mode: "files" })).toBe(
    "readme.md\nsrc/a.ts\nsrc/c.js\nsrc/deep/b.ts",
  );
  expect(await output("grep", { pattern: "needle", mode: "count", include: "*.ts" })).toBe(
    "src/a.ts: 1\nsrc/deep/b.ts: 2",
  );
  expect(await output("grep", { pattern: "needle", mode: "files", include: "*.{md,js}" })).toBe("readme.md\nsrc/c.js");
  expect(await output("grep", { pattern: "needle", mode: "files", include: "src/*.ts" })).toBe("src/a.ts");
});

test("grep says when it cut, found nothing or cannot search", async () => {
  expect(await output("grep", { pattern: "needle", limit: 2 })).toBe(
    "readme.md\n  1:# needle\nsrc/a.ts\n  1:const needle = 1;\n(cut after 2 lines; narrow the search to see the rest)",
  );
  expect(await output("grep", { pattern: "absent" })).toBe("Nothing matches absent.");
  expect(await output("grep", { pattern: "-v" })).toBe("Nothing matches -v.");
  const broken = await workshop.run("grep", { pattern: "a(b" });
  expect(broken.isError).toBe(true);
  expect(broken.output).toContain("unclosed group");
  expect(await workshop.run("grep", { pattern: "x", path: "none" })).toMatchObject({ isError: true });
});

test("an aborted search is reported as such", async () => {
  const context = workshop.newContext(AbortSignal.abort());
  expect(await workshop.run("grep", { pattern: "x" }, context)).toMatchObject({
    output: "The search was interrupted.",
    isError: true,
  });
});
