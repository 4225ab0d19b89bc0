import { chmodSync, mkdirSync, symlinkSync, utimesSync } from "node:fs";
import type { OutputSink } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { findRipgrep } from "./find-ripgrep.ts";
import { createGlobTool, type GlobInput, type GlobOperations } from "./glob.ts";

let workshop: Workshop;
const parts = { ripgrepPath: findRipgrep, childEnvironment: () => ({}) };

function put(name: string, modifiedSeconds: number): void {
  utimesSync(workshop.put(name, "needle\n"), modifiedSeconds, modifiedSeconds);
}

beforeEach(() => {
  workshop = openWorkshop();
  workshop.put(".gitignore", "ignored/\nsecret.ts\n");
  utimesSync(workshop.at(".gitignore"), 1_000, 1_000);
  put("src/a.ts", 3_000);
  put("src/deep/b.ts", 5_000);
  put("src/c.js", 4_000);
  put("readme.md", 2_000);
  put("ignored/d.ts", 9_000);
  put("src/secret.ts", 9_000);
  put(".git/config.ts", 9_000);
  put(".hidden/e.ts", 2_500);
});
afterEach(() => workshop.close());

function glob(input: unknown, context = workshop.newContext()) {
  const tool = createGlobTool(parts);
  const parsed = tool.parse(input);
  if (!parsed.ok) throw new Error(parsed.report);
  return tool.run(parsed.input, context);
}

const text = async (input: GlobInput) => (await glob(input)).output;
const files = async (input: GlobInput) => (await glob(input)).metadata?.["files"];

test("a pattern that no file matches finds directories, with their slash and not expanded", async () => {
  expect(await text({ pattern: "de*" })).toBe("src/deep/");
  expect(await text({ pattern: "src/d*" })).toBe("src/deep/");
  expect(await text({ pattern: "ignored*" })).toBe("No files match ignored*.");
  expect(await text({ pattern: "nothing*" })).toBe("No files match nothing*.");
});

test("directories that match stand before the files that match too", async () => {
  put("src/deep-dive.ts", 1_000);
  expect(await text({ pattern: "de*" })).toBe("src/deep/\n# src/\ndeep-dive.ts");
  expect(await files({ pattern: "src/de*" })).toEqual(["src/deep/", "src/deep-dive.ts"]);
});

test("a fraction of a limit is rounded down, and one that is too high is the highest", async () => {
  expect(await files({ pattern: "*.ts", limit: 2.9 })).toEqual(["src/deep/b.ts", "src/a.ts"]);
  expect(await files({ pattern: "*.ts", limit: 1_000 })).toHaveLength(3);
  expect(createGlobTool(parts).parse({ pattern: "*.ts", limit: 0.9 }).ok).toBe(false);
});

test("a tree of what matches, newest first, without what is ignored", async () => {
  expect(await glob({ pattern: "*.ts" })).toEqual({
    output: "# src/\na.ts\n## deep/\nb.ts\n# .hidden/\ne.ts",
    title: "*.ts",
    metadata: {
      scopePath: ".",
      fileCount: 3,
      files: ["src/deep/b.ts", "src/a.ts", ".hidden/e.ts"],
      truncated: false,
      resultLimitReached: false,
      missingPaths: [],
    },
  });
  expect(await text({ pattern: "*.md" })).toBe("readme.md");
  expect(await text({ pattern: "deep/*.ts", path: "src" })).toBe("# src/deep/\nb.ts");
});

test("a wildcard in the first segment reaches every depth, one further down keeps its base", async () => {
  expect(await files({ pattern: "src/*.{ts,js}" })).toEqual(["src/c.js", "src/a.ts"]);
  expect(await files({ pattern: "src/**" })).toEqual(["src/deep/b.ts", "src/c.js", "src/a.ts"]);
  expect(await files({ pattern: "*.ts", path: "src" })).toEqual(["src/deep/b.ts", "src/a.ts"]);
  expect(await files({ pattern: "src\\deep\\*.ts" })).toEqual(["src/deep/b.ts"]);
  expect(await files({ pattern: "{src/deep,.hidden}/*.ts" })).toEqual(["src/deep/b.ts", ".hidden/e.ts"]);
});

test("a path without wildcards is a file, all below a directory, or a name further down", async () => {
  expect(await files({ pattern: "src/a.ts" })).toEqual(["src/a.ts"]);
  expect(await files({ pattern: "src/deep/" })).toEqual(["src/deep/b.ts"]);
  expect(await files({ pattern: "b.ts" })).toEqual(["src/deep/b.ts"]);
  expect(await files({ path: "src/deep" })).toEqual(["src/deep/b.ts"]);
});

test("several roots are merged, without duplicates; those that miss are named", async () => {
  expect(await files({ paths: ["readme.md", "src/*.ts", "src", ".hidden"] })).toEqual([
    "src/deep/b.ts",
    "src/c.js",
    "src/a.ts",
    ".hidden/e.ts",
    "readme.md",
  ]);
  expect(await files({ pattern: "*.ts", paths: ["src/deep", ".hidden"] })).toEqual(["src/deep/b.ts", ".hidden/e.ts"]);
  const found = await glob({ paths: ["src/deep", "gone", "lost/*.ts"] });
  expect(found.output).toBe("# src/deep/\nb.ts\n(left out, does not exist: gone, lost)");
  expect(found.metadata).toMatchObject({ missingPaths: ["gone", "lost"], truncated: false });
});

test("entries that were joined by mistake are taken apart if their parts exist", async () => {
  expect(await files({ pattern: "src/deep, .hidden;gone" })).toEqual(["src/deep/b.ts", ".hidden/e.ts"]);
  expect(await files({ pattern: "src/deep .hidden/*.ts" })).toEqual(["src/deep/b.ts", ".hidden/e.ts"]);
  expect(await text({ pattern: "src/deep gone/x" })).toContain("does not exist");
  expect(await files({ pattern: "*.md, *.js" })).toEqual(["src/c.js", "readme.md"]);
  put("src, .hidden/f.ts", 6_000);
  expect(await files({ pattern: "src, .hidden" })).toEqual(["src, .hidden/f.ts"]);
});

test("directories that look like a glob are found by their name", async () => {
  put("app/[id]/page.tsx", 6_000);
  put("app/[id]/more/page.tsx", 5_000);
  expect(await files({ pattern: "app/[id]/page.tsx" })).toEqual(["app/[id]/page.tsx"]);
  expect(await files({ pattern: "app/[id]/*.tsx" })).toEqual(["app/[id]/page.tsx"]);
});

test("hidden and ignored files are a choice, .git is entered only by name", async () => {
  expect(await files({ pattern: "*.ts", hidden: false })).toEqual(["src/deep/b.ts", "src/a.ts"]);
  expect(await files({ pattern: "*.ts", gitignore: false })).toEqual([
    "ignored/d.ts",
    "src/secret.ts",
    "src/deep/b.ts",
    "src/a.ts",
    ".hidden/e.ts",
  ]);
  expect(await files({ pattern: ".git/*" })).toEqual([".git/config.ts"]);
  expect(await files({ pattern: "**/.git/*.ts" })).toEqual([".git/config.ts"]);
});

test("it says when it cut, found nothing or cannot look", async () => {
  expect(await glob({ pattern: "*.ts", limit: 1 })).toMatchObject({
    output: "# src/deep/\nb.ts\n(cut: the newest 1 of 3 files; narrow the pattern to see others)",
    metadata: { fileCount: 1, truncated: true, resultLimitReached: true },
  });
  expect(await glob({ pattern: "*.rs" })).toMatchObject({
    output: "No files match *.rs.",
    metadata: { fileCount: 0, files: [], useless: true },
  });
  expect(await glob({ pattern: "*.ts", path: "none" })).toEqual({
    output: "none does not exist. Check the path, or search from a directory above.",
    isError: true,
    title: "*.ts",
  });
  for (const pattern of ["/", "/*", "/**/x"])
    expect(await glob({ pattern })).toMatchObject({ isError: true, output: expect.stringContaining("too large") });
});

test("empty entries and limits below one are refused, larger ones lowered, a single path taken for a list", () => {
  const { parse } = createGlobTool(parts);
  expect(parse({ pattern: "x", limit: 0 }).ok).toBe(false);
  expect(parse({ pattern: " " }).ok).toBe(false);
  expect(parse({ paths: ["a", ""] }).ok).toBe(false);
  expect(parse({ paths: [] }).ok).toBe(false);
  expect(parse({}).ok).toBe(false);
  expect(parse({ paths: "src" })).toEqual({ ok: true, input: { paths: ["src"] } });
});

test("at most 200 files are shown", async () => {
  for (let index = 0; index < 205; index++) put(`many/${index}.txt`, 1_000 + index);
  const { output, metadata } = await glob({ pattern: "many/*", limit: 5_000 });
  expect(metadata).toMatchObject({ fileCount: 200, truncated: true });
  expect(output).toContain("\n(cut: the newest 200 of 205 files; narrow the pattern to see others)");
  expect(output.split("\n").slice(0, 2)).toEqual(["# many/", "204.txt"]);
});

test("names of any kind are found and shown on one line each", async () => {
  put("odd/new\nline.txt", 6_000);
  put("odd/-dash.txt", 5_000);
  put("odd/#sharp.txt", 4_000);
  put("odd/größe 日本 😀.txt", 3_000);
  expect(await text({ pattern: "odd/*.txt" })).toBe(
    '# odd/\n"new\\nline.txt"\n-dash.txt\n./#sharp.txt\ngröße 日本 😀.txt',
  );
  expect(await files({ pattern: "-dash*" })).toEqual(["odd/-dash.txt"]);
  expect(await files({ pattern: "*本 ?.txt" })).toEqual(["odd/größe 日本 😀.txt"]);
});

test("links that lead in a circle end the search nowhere", async () => {
  symlinkSync(workshop.directory, workshop.at("src/deep/circle"));
  symlinkSync("self", workshop.at("src/self"));
  expect(await files({ pattern: "src/**/*.ts" })).toEqual(["src/deep/b.ts", "src/a.ts"]);
  expect(await text({ pattern: "src/self" })).toContain("does not exist");
});

test("needs are the places that may be searched, however the entry is read", () => {
  const paths = (input: GlobInput) =>
    createGlobTool(parts)
      .needs(input, "/place/here")
      .flatMap((need) => need.paths);
  expect(paths({ pattern: "**/*.ts" })).toEqual(["/place/here"]);
  expect(paths({ pattern: "name.ts" })).toEqual(["/place/here"]);
  expect(paths({ pattern: "../x/*.ts" })).toEqual(["/place/x"]);
  expect(paths({ paths: ["src/*.ts", "/etc/*"] })).toEqual(["/place/here/src", "/etc"]);
  expect(paths({ pattern: "src, /etc" })).toContain("/etc");
  expect(paths({ pattern: "src /etc" })).toContain("/etc");
});

test("an abort ends the search", async () => {
  expect(await glob({ pattern: "*" }, workshop.newContext(AbortSignal.abort()))).toMatchObject({
    output: "The search was interrupted.",
    isError: true,
  });
});

test("when the time is up, what was found so far is shown", async () => {
  const script = workshop.put("slow.sh", `#!/bin/sh\nprintf '%s\\0' '${workshop.at("src/a.ts")}'\nexec sleep 60\n`);
  chmodSync(script, 0o755);
  const slow = { ripgrepPath: () => script, childEnvironment: () => ({ PATH: process.env["PATH"] ?? "" }) };
  expect(await createGlobTool(slow).run({ pattern: "*.ts", timeout: 0.01 }, workshop.newContext())).toMatchObject({
    output: "# src/\na.ts\n(incomplete: stopped after 0.5 s with 1 found; narrow the pattern or raise timeout)",
    metadata: { truncated: true, resultLimitReached: false },
  });
});

test("another workspace gets the options, shows progress, and what it had when the time was up", async () => {
  const written: string[] = [];
  const seen: unknown[] = [];
  const { promise: shown, resolve: onShown } = Promise.withResolvers<void>();
  const sink: OutputSink = {
    ...workshop.newContext().sink,
    write: (chunk) => {
      written.push(chunk);
      onShown();
    },
  };
  const globOperations: GlobOperations = {
    look: async (path) =>
      path.includes("*") ? undefined : { kind: path === "/far/one.ts" ? "file" : "directory", modifiedMs: 7 },
    glob: async ({ root, hidden, gitignore, ignore, timeoutMs, onFile }) => {
      seen.push({ root, hidden, gitignore, ignore, timeoutMs });
      onFile("/far/lib/two.ts", 8);
      await shown;
      return { kind: "timed-out" };
    },
  };
  const tool = createGlobTool({ ...parts, globOperations });
  const input = { paths: ["one.ts", "lib/*.ts"], hidden: false, gitignore: false, timeout: 600 };
  expect(await tool.run(input, { ...workshop.newContext(), cwd: "/far", sink })).toEqual({
    output:
      "one.ts\n# lib/\ntwo.ts\n(incomplete: stopped after 60 s with 2 found; narrow the pattern or raise timeout)",
    title: "one.ts, lib/*.ts",
    metadata: {
      scopePath: "one.ts, lib",
      fileCount: 2,
      files: ["lib/two.ts", "one.ts"],
      truncated: true,
      resultLimitReached: false,
      missingPaths: [],
    },
  });
  const ignore = ["**/node_modules/**", "**/.git/**"];
  expect(seen).toEqual([{ root: "/far/lib", hidden: false, gitignore: false, ignore, timeoutMs: 60_000 }]);
  expect(written).toEqual(["one.ts\nlib/two.ts\n"]);
});

test("an empty directory holds nothing", async () => {
  mkdirSync(workshop.at("empty"));
  expect(await text({ pattern: "empty" })).toBe("No files match empty.");
});
