import { chmodSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { findRipgrep } from "./find-ripgrep.ts";
import { createGrepTool, type GrepInput } from "./grep.ts";

let workshop: Workshop;
const tool = createGrepTool({ ripgrepPath: findRipgrep, childEnvironment: () => ({}) });

beforeEach(() => {
  workshop = openWorkshop();
  workshop.put(".gitignore", "ignored/\nsecret.ts\n");
  workshop.put("src/a.ts", "const needle = 1;\nconst other = 2;\n");
  workshop.put("src/deep/b.ts", "first\r\nneedle again\r\nneedle twice\r\n");
  workshop.put("src/c.js", "needle\n");
  workshop.put("readme.md", "# needle\n");
  workshop.put("ignored/d.ts", "needle\n");
  workshop.put("src/secret.ts", "needle\n");
  workshop.put(".git/config.ts", "needle\n");
  workshop.put(".hidden/e.ts", "nothing\n");
});
afterEach(() => workshop.close());

function grep(input: unknown, context = workshop.newContext()) {
  const parsed = tool.parse(input);
  if (!parsed.ok) throw new Error(parsed.report);
  return tool.run(parsed.input, context);
}
const text = async (input: GrepInput) => (await grep(input)).output;

test("lines under their file, with those around them", async () => {
  expect(await grep({ pattern: "needle" })).toEqual({
    output:
      "readme.md\n  1:# needle\nsrc/a.ts\n  1:const needle = 1;\n  2-const other = 2;\nsrc/c.js\n  1:needle\n" +
      "src/deep/b.ts\n  1-first\n  2:needle again\n  3:needle twice",
    title: "needle",
    metadata: { count: 5, fileCount: 4, truncated: false, missingPaths: [], skippedFiles: [] },
  });
  expect(await text({ pattern: "other", context: 0 })).toBe("src/a.ts\n  2:const other = 2;");
  expect(await text({ pattern: "OTHER", i: true, context: 0 })).toBe("src/a.ts\n  2:const other = 2;");
  workshop.put("ten.txt", Array.from({ length: 10 }, (_, index) => `line ${index + 1}`).join("\n"));
  expect(await text({ pattern: "line 5", path: "ten.txt" })).toBe(
    "ten.txt\n  4-line 4\n  5:line 5\n  6-line 6\n  7-line 7\n  8-line 8",
  );
});

test("a pattern with a line feed matches across lines, those of Windows too", async () => {
  const expected = "src/a.ts\n  1:const needle = 1;\n  2:const other = 2;";
  expect(await text({ pattern: "1;\\nconst", context: 0 })).toBe(expected);
  expect(await text({ pattern: "1;\nconst", context: 0 })).toBe(expected);
  expect(await grep({ pattern: "again\\nneedle", context: 0 })).toMatchObject({
    output: "src/deep/b.ts\n  2:needle again\n  3:needle twice",
    metadata: { count: 1 },
  });
  expect(await text({ pattern: "twice$", context: 0 })).toBe("src/deep/b.ts\n  3:needle twice");
});

test("counts, files, and only what is included, never what is ignored unless asked for", async () => {
  expect(await text({ pattern: "needle", mode: "files" })).toBe("readme.md\nsrc/a.ts\nsrc/c.js\nsrc/deep/b.ts");
  expect(await text({ pattern: "needle", mode: "count", include: "*.ts" })).toBe("src/a.ts: 1\nsrc/deep/b.ts: 2");
  const included = (include: string) => text({ pattern: "needle", mode: "files", include });
  expect(await included("*.{md,js}")).toBe("readme.md\nsrc/c.js");
  expect(await included("*.md, *.js")).toBe("readme.md\nsrc/c.js");
  expect(await included("src/*.ts")).toBe("src/a.ts");
  expect(await included("!*.ts")).toBe("readme.md\nsrc/c.js");
  expect(await included("[ab].ts")).toBe("src/a.ts\nsrc/deep/b.ts");
  expect(await text({ pattern: "needle", mode: "files", gitignore: false, include: "*.ts" })).toBe(
    "ignored/d.ts\nsrc/a.ts\nsrc/deep/b.ts\nsrc/secret.ts",
  );
  expect(await text({ pattern: "needle", mode: "files", path: ".git" })).toBe(".git/config.ts");
});

test("several paths, globs and lines of a file", async () => {
  const files = (paths: readonly string[]) => text({ pattern: "needle", mode: "files", paths });
  expect(await files(["readme.md", "src/deep"])).toBe("readme.md\nsrc/deep/b.ts");
  expect(await files(["src/*.ts"])).toBe("src/a.ts");
  expect(await files(["src/*.ts", "src/*.js", "readme.md"])).toBe("readme.md\nsrc/a.ts\nsrc/c.js");
  expect(await files(["readme.md, src/deep"])).toBe("readme.md\nsrc/deep/b.ts");
  expect(await files(["src", "src/deep", "src/deep/b.ts"])).toBe("src/a.ts\nsrc/c.js\nsrc/deep/b.ts");
  expect(await grep({ pattern: "needle", paths: ["src", "src/deep/b.ts"], context: 0 })).toMatchObject({
    output: "src/a.ts\n  1:const needle = 1;\nsrc/c.js\n  1:needle\nsrc/deep/b.ts\n  2:needle again\n  3:needle twice",
    metadata: { count: 4 },
  });
  expect(await grep({ pattern: "needle", paths: ["gone", "readme.md"] })).toMatchObject({
    output: "readme.md\n  1:# needle\n(left out, does not exist: gone)",
    metadata: { missingPaths: ["gone"] },
  });
  expect(await text({ pattern: "needle", path: "src/deep/b.ts:3-9", context: 0 })).toBe(
    "src/deep/b.ts\n  3:needle twice",
  );
  expect(await text({ pattern: "needle", path: "src/deep/b.ts:1,2+1", context: 0 })).toContain("2:needle again");
  expect(await grep({ pattern: "needle", path: "src/deep/b.ts:7-9" })).toMatchObject({
    output: "Nothing matches needle.",
    metadata: { useless: true },
  });
});

test("no file fills the page, and skip shows every match once", async () => {
  for (let file = 0; file < 30; file++)
    workshop.put(`many/${String(file).padStart(2, "0")}.txt`, "match\n".repeat(file === 0 ? 25 : 3));
  const first = await grep({ pattern: "match", path: "many", context: 0 });
  expect(first.metadata).toMatchObject({ count: 77, fileCount: 20, truncated: true, nextSkip: 77 });
  expect(first.output).toMatch(
    /\n\(more than 20 matches in many\/00.txt; search it alone to see more\)\n\(matches 1-77 of 107; continue with skip 77\)$/,
  );
  const second = await grep({ pattern: "match", path: "many", context: 0, skip: 77 });
  expect(second.metadata).toMatchObject({ count: 30, fileCount: 10, truncated: false });
  expect(second.output.startsWith("many/20.txt\n  1:match\n")).toBe(true);
  expect(await grep({ pattern: "match", path: "many", skip: 107 })).toMatchObject({
    output: "There are only 107 matches; skip 107 is past the end.",
    metadata: { count: 0, useless: true },
  });
  // With few lines each file still gets its turn before any gets a second.
  const short = await grep({ pattern: "match", path: "many", context: 0, limit: 41 });
  expect(short.output.split("\n").slice(0, 5)).toEqual([
    "many/00.txt",
    "  1:match",
    "  2:match",
    "many/01.txt",
    "  1:match",
  ]);
  expect(short.metadata).toMatchObject({ count: 21, fileCount: 20, nextSkip: 21 });
  const alone = await grep({ pattern: "match", path: "many/00.txt", context: 0 });
  expect(alone.metadata).toMatchObject({ count: 25, truncated: false });
});

test("pages together hold every match once", async () => {
  for (let file = 0; file < 45; file++)
    workshop.put(`many/${file}.txt`, "a match\nnone\nnone\nnone\nnone\nnone\n".repeat(7));
  const seen: string[] = [];
  for (let skip: unknown = 0; typeof skip === "number"; ) {
    const { output, metadata } = await grep({ pattern: "match", path: "many", skip });
    expect(output.split("\n").length).toBeLessThanOrEqual(251);
    let file = "";
    for (const line of output.split("\n")) {
      if (line.startsWith("many/")) file = line;
      else if (/^ {2}\d+:/.test(line)) seen.push(`${file}${line}`);
    }
    skip = metadata?.["nextSkip"];
  }
  expect(seen).toHaveLength(45 * 7);
  expect(new Set(seen).size).toBe(45 * 7);
});

test("a search ends after 2,000 matches with the same ones each time", async () => {
  for (let file = 0; file < 150; file++) workshop.put(`many/${file}.txt`, "match\n".repeat(20));
  const input = { pattern: "match", path: "many", context: 0, skip: 1_900 };
  const first = await grep(input);
  expect(first.metadata).toMatchObject({ truncated: true });
  expect(first.output).toMatch(/only the first 2000 matches were looked at|of more than 2000/);
  expect(await grep(input)).toEqual(first);
});

test("long lines are cut, large files left out by name, binary ones told of", async () => {
  workshop.put("long.txt", `match${"é".repeat(3_000)}\n`);
  const cut = await text({ pattern: "match", path: "long.txt" });
  expect(cut).toBe(`long.txt\n  1:match${"é".repeat(507)}…`);
  workshop.put("late.txt", `${"é".repeat(2_000)}match${"x".repeat(2_000)}\n12:34\nmatch 5:6\n`);
  const late = await text({ pattern: "match", path: "late.txt" });
  expect(late).toContain(`  1:…${"é".repeat(120)}match${"x".repeat(387)}…\n`);
  expect(late).toContain("12:34\n");
  expect(late).toMatch(/3:match 5:6$/);
  const large = `${"filler\n".repeat(800_000)}match\n`;
  workshop.put("large.log", large);
  workshop.put("ignored/large.log", large);
  expect(await grep({ pattern: "match", include: "*.log" })).toMatchObject({
    output: "Nothing matches match.\n(left out, over 4 MiB: large.log; search one by its path)",
    metadata: { skippedFiles: ["large.log"] },
  });
  expect(await text({ pattern: "match", include: "*.md" })).toBe("Nothing matches match.");
  for (const mode of ["files", "count"] as const)
    expect((await grep({ pattern: "match", mode, include: "*.log" })).metadata).toMatchObject({
      count: 0,
      skippedFiles: ["large.log"],
    });
  expect(await text({ pattern: "match", path: "large.log", context: 0 })).toBe("large.log\n  800001:match");
  workshop.put("data.bin", Buffer.from("match\n\0\0\n"));
  expect(await text({ pattern: "match", path: "data.bin" })).toBe(
    "Nothing matches match.\n(binary, matches not all shown: data.bin)",
  );
});

test("names of any kind, links in a circle and patterns with a dash in front", async () => {
  workshop.put("odd/new\nline.txt", "odd -v\n");
  workshop.put("odd/-dash.txt", "odd -v\n");
  workshop.put("odd/größe 日本.txt", "odd -v\n");
  symlinkSync(workshop.directory, workshop.at("odd/circle"));
  expect(await text({ pattern: "-v" })).toBe(
    'odd/-dash.txt\n  1:odd -v\nodd/größe 日本.txt\n  1:odd -v\n"odd/new\\nline.txt"\n  1:odd -v',
  );
  expect(await text({ pattern: "--version", path: "odd" })).toBe("Nothing matches --version.");
  for (const mode of ["files", "count"] as const)
    expect((await text({ pattern: "odd", mode, path: "odd" })).split("\n")).toHaveLength(3);
});

test("parentheses and braces without a partner are taken as they are, and it says so", async () => {
  workshop.put("code.go", "call(interface{}, x)\nfunc main() {\n");
  const note = (pattern: string) => `\n(the pattern was not a regular expression; searched for ${pattern} instead)`;
  expect(await text({ pattern: "call(", context: 0 })).toBe(`code.go\n  1:call(interface{}, x)${note("call\\(")}`);
  expect(await text({ pattern: "interface{}", context: 0 })).toBe(
    `code.go\n  1:call(interface{}, x)${note("interface\\{\\}")}`,
  );
  expect(await text({ pattern: "main() {", context: 0 })).toContain(note("main() \\{"));
});

test("it says what it cannot do", async () => {
  expect(await grep({ pattern: "absent" })).toMatchObject({
    output: "Nothing matches absent.",
    metadata: { count: 0, useless: true },
  });
  expect(await grep({ pattern: "[a" })).toEqual({
    output:
      "The pattern is not a valid regular expression: unclosed character class. Correct it, or put a backslash before characters that should match literally.",
    isError: true,
    title: "[a",
  });
  expect(await grep({ pattern: "x", path: "none" })).toMatchObject({
    output: "none does not exist. Check the path, or search from a directory above.",
    isError: true,
  });
  expect(await grep({ pattern: "x", path: "/" })).toMatchObject({ isError: true });
  expect(await grep({ pattern: "x" }, workshop.newContext(AbortSignal.abort()))).toMatchObject({
    output: "The search was interrupted.",
    isError: true,
  });
});

test("what cannot be read hides nothing else", async () => {
  chmodSync(workshop.directory, 0o755);
  workshop.put("closed/f.ts", "needle\n");
  chmodSync(workshop.at("closed"), 0);
  chmodSync(workshop.at("src/a.ts"), 0);
  // The superuser may read everything, so ripgrep runs as somebody else.
  const script = workshop.put("rg.sh", `#!/bin/sh\nexec setpriv --reuid=65534 --clear-groups ${findRipgrep()} "$@"\n`);
  chmodSync(script, 0o755);
  const ripgrepPath = () => (process.getuid?.() === 0 ? script : findRipgrep());
  const childEnvironment = () => ({ PATH: process.env["PATH"] ?? "" });
  const input = { pattern: "needle", mode: "files" } as const;
  expect(await createGrepTool({ ripgrepPath, childEnvironment }).run(input, workshop.newContext())).toMatchObject({
    output: "readme.md\nsrc/c.js\nsrc/deep/b.ts",
  });
  chmodSync(workshop.at("closed"), 0o755);
});

test("an abort in the middle ends the search", async () => {
  for (let file = 0; file < 300; file++) workshop.put(`many/${file}.txt`, "text\n".repeat(20_000));
  const stop = new AbortController();
  const running = grep({ pattern: "absent" }, workshop.newContext(stop.signal));
  setImmediate(() => stop.abort());
  expect(await running).toMatchObject({ output: "The search was interrupted.", isError: true });
});

test("needs are the paths, without the lines behind them", () => {
  const paths = (input: GrepInput) => tool.needs(input, "/place").flatMap((need) => need.paths);
  expect(paths({ pattern: "x" })).toEqual(["/place"]);
  expect(paths({ pattern: "x", path: "/etc/passwd:1-5" })).toContain("/etc/passwd");
  expect(paths({ pattern: "x", paths: ["src", "../up/*.ts"] })).toEqual(["/place/src", "/up"]);
});
