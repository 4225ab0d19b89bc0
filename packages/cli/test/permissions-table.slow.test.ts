/** Proves `kedge permissions test`: a user's own table of commands against the rules that hold. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench([], {
    permission: { bash: { "git push *": "deny", "git commit *": "allow", "npm publish": "ask" } },
  });
});
afterAll(() => bench.close());

type Row = { readonly [member: string]: unknown } | string;

/** The rows may hold a text that is no JSON. */
function judge(rows: readonly Row[], flags: readonly string[] = []) {
  const text = rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row))).join("\n");
  writeFileSync(join(bench.project, "table.jsonl"), text);
  return bench.run(["permissions", "test", "table.jsonl", ...flags]);
}

const sound: readonly Row[] = [
  { command: "git push origin", expected: "deny" },
  "",
  { command: "git commit -m x", expected: "allow", why: "for the reader" },
  { command: "npm publish", expected: "ask" },
  { command: "git push x && ls", expected: "ask", also_ok: ["deny"] },
  { command: "src/a.ts", tool: "read", expected: "allow" },
  { command: "make", rules: { "*": "deny" }, cwd: "/home/dev/proj", expected: "deny" },
];

test("a table in which all is as expected", async () => {
  expect(await judge(sound)).toEqual({ code: 0, stdout: "6 of 6 as expected\n", stderr: "" });
  const { code, stdout } = await judge(sound, ["--json"]);
  expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, cases: 6, wrong: [] });
});

const unsound: readonly Row[] = [
  { command: "git push origin", expected: "allow" },
  { command: "ls", expected: "allow" },
  "",
  { command: "npm publish", expected: "deny", also_ok: ["allow"] },
  { command: "make \u001b[2J", expected: "allow" },
  { command: "make", rules: { "*": "perhaps" }, expected: "ask" },
];

test("what is not as expected is listed with its line, what was found, and why", async () => {
  const { code, stdout, stderr } = await judge(unsound);
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  expect(stdout.split("\n")).toEqual([
    "line 1: git push origin",
    '  expected allow, got deny: the user rule bash "git push *" denies git push origin',
    "line 4: npm publish",
    '  expected deny or allow, got ask: the user rule bash "npm publish" asks about npm publish',
    "line 5: make \u241b[2J",
    expect.stringMatching(/^ {2}expected allow, got ask: /),
    "line 6: make",
    expect.stringMatching(/^ {2}expected ask, got error: .* must be /),
    "1 of 5 as expected",
    "",
  ]);
  expect(stdout).not.toContain("\u001b");
});

test("the same as one JSON object", async () => {
  const { code, stdout } = await judge(unsound.slice(0, 2), ["--json"]);
  const why = 'the user rule bash "git push *" denies git push origin';
  const wrong = [{ line: 1, command: "git push origin", expected: ["allow"], found: "deny", why, ok: false }];
  expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 1, cases: 2, wrong });
});

test("rules of the command line and of further files count", async () => {
  const row = { command: "git push origin", expected: "allow" };
  const settings = join(bench.directory, "more.json");
  writeFileSync(settings, JSON.stringify({ permission: { bash: { "make all": "allow" } } }));
  expect(await judge([{ command: "make all", expected: "allow" }], ["--settings", settings])).toMatchObject({
    code: 0,
  });
  expect(await judge([{ command: "make all", expected: "allow" }])).toMatchObject({ code: 1 });
  expect(await judge([{ ...row, expected: "deny" }], ["--deny", "bash(git push *)"])).toMatchObject({ code: 0 });
});

test("an empty table holds", async () => {
  expect(await judge([])).toEqual({ code: 0, stdout: "0 of 0 as expected\n", stderr: "" });
});

test.each<[string, readonly Row[], number]>([
  ["no JSON", [{ command: "ls", expected: "allow" }, "{ half"], 2],
  ["no object", ["[]"], 1],
  ["no command", [{ expected: "allow" }], 1],
  ["no expectation", [{ command: "ls" }], 1],
  ["an expectation that is no word", [{ command: "ls", expected: 1 }], 1],
])("%s: the line is named and nothing is judged", async (_, rows, line) => {
  const { code, stdout, stderr } = await judge(rows);
  const place = `line ${line} of ${bench.project}/table.jsonl`;
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toBe(`kedge: ${place} must be an object such as {"command": "git push", "expected": "ask"}\n`);
});

test("a file that does not exist is told", async () => {
  const { code, stderr } = await bench.run(["permissions", "test", "gone.jsonl"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^kedge: .*\/project\/gone\.jsonl cannot be read: ENOENT/);
});

test.each([[[]], [["test"]], [["test", "a", "b"]], [["try", "a"]]])("%j is wrong usage", async (words) => {
  const { code, stdout, stderr } = await bench.run(["permissions", ...words]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("kedge: Usage: kedge permissions test <file>. The file has one JSON object per line:");
});
