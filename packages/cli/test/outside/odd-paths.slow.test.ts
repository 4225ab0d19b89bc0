/** Gives tools, JSON lines and imports paths and numbers that no file has: each answer comes, and the run goes on. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { MockToolCall } from "@kedge/testing";
import { expect, test } from "vitest";
import { openWorkbench } from "../workbench.ts";
import { runCalls } from "./run-calls.ts";

const paths = [
  "",
  " ",
  ".",
  "..",
  "/",
  "//",
  "\u0000",
  "a\u0000b",
  "x".repeat(5000),
  `${"a/".repeat(2500)}b`,
  "../".repeat(500),
  `${"../".repeat(60)}etc/hostname`,
  "\ud800",
  "a\udfff.txt",
  "loop",
  "loop/x",
  "pipe",
  "socket",
  "null",
  "zero",
  "random",
  "tty",
  "dead",
  "folder/",
  "open.txt/",
  "open.txt/x",
  "~",
  "~root",
  "~nobody/x",
  "$HOME",
  "-",
  "--help",
  "-rf",
  "file:///etc/passwd",
  "C:\\Windows",
  "\\\\server\\share",
  "CON",
  "\u202egnp.txt",
  "a\nb",
  "a\u2028b",
  "a\tb",
  "*",
  "**",
  "[",
  "{a,b",
  "?",
  "open.txt:999999999999-",
  "open.txt:-5",
  "open.txt:0-0",
  "open.txt:5-1",
  "open.txt:1e9",
  "open.txt:conflicts:raw",
  "artifact://0",
  "artifact://-1",
  "artifact://999999999999999999999",
  "artifact://../../auth.json",
  "conflict://1",
  "conflict://-1",
  "/proc/self/fd/0",
  "/proc/self/fd",
  "/dev/stdin",
  "/dev/tty",
  "/dev/full",
  "/proc/kmsg",
  "http://[::1",
  "https://",
  "a.zip:x",
  "open.txt?q=SELECT 1",
  "\u{1F4A9}",
  "é",
  "é",
];

const calls: readonly MockToolCall[] = [
  ...paths.flatMap((path): readonly MockToolCall[] => [
    { name: "read", input: { filePath: path } },
    { name: "grep", input: { pattern: "x", path } },
    { name: "glob", input: { pattern: path === "" ? "*" : path, path: "." } },
    { name: "glob", input: { pattern: "*", path } },
    { name: "list", input: { path } },
    { name: "ast_grep", input: { pat: "$A", paths: [path] } },
    { name: "write", input: { filePath: path, content: "x" } },
    { name: "edit", input: { filePath: path, oldString: "a", newString: "b" } },
    { name: "bash", input: { command: "true", description: "x", workdir: path } },
  ]),
  { name: "grep", input: { pattern: "(", path: "." } },
  { name: "grep", input: { pattern: "(a+)+$", path: "." } },
  { name: "grep", input: { pattern: `${"(".repeat(2000)}a${")".repeat(2000)}`, path: "." } },
  { name: "grep", input: { pattern: "\\p{Nothing}", path: "." } },
  { name: "grep", input: { pattern: "a{1000}{1000}{1000}", path: "." } },
  { name: "read", input: { filePath: "open.txt", offset: 9007199254740991 } },
];

const portions = Array.from({ length: Math.ceil(calls.length / 150) }, (_, at) =>
  calls.slice(at * 150, at * 150 + 150),
);

for (const [portion, given] of portions.entries())
  test(`no path ends a run or makes it wait, portion ${portion + 1}`, async () => {
    const server = createServer();
    const run = await runCalls(given, {
      argv: ["--max-turns", "2000"],
      settings: { permission: { edit: "allow", external_directory: "ask" } },
      prepare: ({ project }) => {
        const at = (name: string) => join(project, name);
        symlinkSync("loop", at("loop"));
        execFileSync("mkfifo", [at("pipe"), at(".ignore"), at(".rgignore")]);
        server.listen(at("socket"));
        for (const device of ["null", "zero", "tty"]) symlinkSync(`/dev/${device}`, at(device));
        symlinkSync("/dev/urandom", at("random"));
        symlinkSync("nowhere", at("dead"));
        mkdirSync(at("folder"));
        execFileSync("mkfifo", [at("folder/.gitignore"), at(".gitignore")]);
        writeFileSync(at("open.txt"), "x\n");
      },
    });
    server.close();
    const odd = given.flatMap((call, at) => {
      const { outcome = "missing", output = "" } = run.results[at] ?? {};
      const bug =
        /TypeError|RangeError|ERR_|undefined|\[object|at \w+ \(|EISDIR|ENOTDIR|ELOOP|ENAMETOOLONG|root:x/.exec(
          output,
        )?.[0];
      return outcome === "missing" || bug !== undefined || output.length > 60_000
        ? [`${call.name} ${JSON.stringify(call.input).slice(0, 90)} (${outcome}): ${bug} ${output.slice(0, 200)}`]
        : [];
    });
    if (process.env["OUTSIDE_SHOW"])
      console.log(
        run.code,
        run.results.length,
        given.length,
        run.stdout.trim().split("\n").at(-1)?.replaceAll('"tool_results",', "").slice(-400),
        run.stderr.slice(-300),
      );
    expect({ code: run.code, odd }).toEqual({ code: 0, odd: [] });
  }, 180_000);

test("line separators of other alphabets are no ends of lines", async () => {
  const bench = await openWorkbench([{ text: "One." }, { text: "Two." }]);
  try {
    const input = ["a\u2028b\u2029c\u0085d\u000be\u000cf", "second"]
      .map((text) => JSON.stringify({ type: "user", text }))
      .join("\n");
    const run = await bench.run(["-p", "--input-format", "stream-json", "--output-format", "stream-json"], { input });
    expect(
      [run.code, run.stdout.split("\n").filter((line) => line.includes('"type":"result"')).length],
      run.stderr,
    ).toEqual([0, 2]);
    expect(bench.model.requests[0]?.raw.toString()).toContain("a\u2028b\u2029c");
    for (const ending of ["\r\n", "\n\n\n", "\n"]) {
      const lines = ['{"text":"a\u2028b"}', '{"text":"c\u2029d"}'].join(ending);
      const told = await bench.run(["explain", "text", "--jsonl"], { input: lines });
      expect(told.stdout.trim().split("\n").length, JSON.stringify([ending, told.stdout, told.stderr])).toBe(2);
    }
  } finally {
    await bench.close();
  }
});

test("an import with impossible numbers is refused or read, and the store stays whole", async () => {
  const bench = await openWorkbench([{ text: "One." }]);
  try {
    expect((await bench.run(["-p", "hi"])).code).toBe(0);
    const exported = await bench.run(["session", "export", "last", "--format", "jsonl"]);
    const source =
      exported.code === 0
        ? exported.stdout
        : (await bench.run(["session", "export", "last", "--format", "json"])).stdout;
    expect(source.length, exported.stderr).toBeGreaterThan(10);
    const told: string[] = [];
    for (const number of [
      "1e999",
      "-1",
      "1e308",
      "9007199254740993",
      "0.5",
      '"x"',
      "null",
      "-0",
      "1e21",
      "NaN",
      "[]",
      '"__proto__"',
    ]) {
      for (const key of ["seq", "time", "createdAt", "inputTokens", "input", "cost", "usd", "version"]) {
        const pattern = new RegExp(`("${key}":\\s*)-?[\\d.]+`, "g");
        if (!pattern.test(source)) continue;
        const file = join(bench.directory, "broken.jsonl");
        writeFileSync(file, source.replace(pattern, `$1${number}`));
        const run = await bench.run(["session", "import", file]);
        if (/at \w+.*\(.*:\d+:\d+\)|TypeError|RangeError|SQLITE|Invalid time|ERR_/.test(run.stderr + run.stdout))
          told.push(`${key}=${number}: ${run.stderr.slice(0, 200)}`);
        if (run.code === 0) {
          for (const look of [
            ["session", "list", "--json"],
            ["session", "verify"],
            ["stats", "--json"],
            ["session", "show", "last", "--json"],
          ]) {
            const after = await bench.run(look);
            if (after.code !== 0 || /NaN|Infinity|Invalid/.test(after.stdout))
              told.push(
                `${key}=${number} then ${look.join(" ")}: ${after.code} ${(after.stderr || after.stdout).slice(0, 200)}`,
              );
          }
        }
      }
    }
    expect(told).toEqual([]);
  } finally {
    await bench.close();
  }
}, 170_000);

test("a backslash at the start of a path ends no run", async () => {
  const call = { name: "write", input: { filePath: "\\a", content: "x" } };
  const run = await runCalls([call], { settings: { permission: { edit: "allow" } }, prepare: () => {} });
  expect([run.code, run.results.length], run.stderr).toEqual([0, 1]);
});

test("undo works beside a pipe in the place of a .gitignore", async () => {
  const call = { name: "write", input: { filePath: "a.txt", content: "x" } };
  const run = await runCalls([call], {
    settings: { permission: { edit: "allow" } },
    prepare: ({ project }) => execFileSync("mkfifo", [join(project, ".gitignore")]),
  });
  expect(run.stderr).not.toContain("Undo is off");
});
