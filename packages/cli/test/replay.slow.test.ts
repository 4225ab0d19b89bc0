/** `kedge session replay` with the real program: looks, checks, goes on from a fact, and asks another model. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Ended, openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
let temporary = "";

beforeEach(async () => {
  bench = await openWorkbench([
    { toolCalls: [{ name: "read", input: { filePath: "a.txt" } }] },
    { toolCalls: [{ name: "edit", input: { filePath: "a.txt", oldString: "one", newString: "two" } }] },
    { text: "It says two now." },
    { text: "Another answer." },
  ]);
  temporary = join(bench.directory, "tmp");
  writeFileSync(join(bench.project, "a.txt"), "one\n");
  const ended = await kedge("-p", "Change one to two.", "--permission-mode", "accept-edits");
  expect(ended).toEqual({ code: 0, stdout: "It says two now.\n", stderr: "" });
});

afterEach(() => bench.close());

/** Temporary files go where the test can look. */
function kedge(...argv: readonly string[]): Promise<Ended> {
  mkdirSync(temporary, { recursive: true });
  return bench.run(argv, { environment: { TMPDIR: temporary } });
}

test("a session is looked at, up to a fact or whole", async () => {
  const whole = await kedge("session", "replay", "last");
  expect(whole.code).toBe(0);
  expect(whole.stdout).toContain("> Change one to two.\n");
  expect(whole.stdout).toContain("It says two now.\n");
  const begun = await kedge("session", "replay", "--view", "--until", "2", "--speed", "0");
  expect(begun).toEqual({ code: 0, stdout: "> Change one to two.\n", stderr: "" });
  expect(await kedge("session", "replay", "--until", "9999")).toMatchObject({ code: 2, stdout: "" });
});

test("a session and its export are checked without asking the model, and a changed outcome is named", async () => {
  const asked = bench.model.requests.length;
  const checked = await kedge("session", "replay", "--check", "--json");
  expect(checked.code).toBe(0);
  expect(JSON.parse(checked.stdout)).toMatchObject({ requestsCompared: 3 });
  expect(await kedge("session", "replay", "Change one", "--check")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/: matches the record; 3 requests compared, \d tool calls rerun, \d taken/),
  });
  const file = join(bench.directory, "bug.json");
  expect((await kedge("session", "export", "last", file, "--no-redact")).code).toBe(0);
  expect((await kedge("session", "replay", file, "--check")).code).toBe(0);
  const whole = readFileSync(file, "utf8").split("\n");
  const line = whole.findIndex((each) => each.includes('"type":"tool.ended"') && each.includes('"payload"'));
  const seq = /"seq":(\d+)/.exec(whole[line] ?? "")?.[1];
  whole[line] = whole[line]?.replace("one", "One") ?? "";
  writeFileSync(file, whole.join("\n"));
  const changed = await kedge("session", "replay", file, "--check");
  expect(changed.code).toBe(1);
  expect(changed.stdout).toContain(
    `differs from its record at fact ${seq}. The record was changed after it was written`,
  );
  expect(bench.model.requests).toHaveLength(asked);
  expect(readdirSync(temporary)).toEqual([]);
});

test("what is no record is refused", async () => {
  writeFileSync(join(bench.project, "notes.txt"), "hello");
  expect(await kedge("session", "replay", "notes.txt", "--check")).toEqual({
    code: 1,
    stdout: "",
    stderr: "kedge: Not a kedge export. Create one with kedge session export --format json.\n",
  });
  expect((await kedge("session", "replay", "nowhere")).code).toBe(1);
});

test("a session goes on from a fact, and the source stays as it is", async () => {
  const before = await kedge("session", "show", "last", "--json");
  const opened = await kedge("session", "replay", "last", "--until", "4", "--json");
  expect(opened.code).toBe(0);
  const { sessionId, directory } = JSON.parse(opened.stdout) as {
    readonly sessionId: string;
    readonly directory: string;
  };
  expect(directory.startsWith(temporary)).toBe(true);
  const shown = await kedge("session", "show", sessionId);
  expect(shown.stdout).toContain("> Change one to two.\n");
  expect((await kedge("session", "show", "last", "--json")).stdout).toBe(before.stdout);
  rmSync(directory, { recursive: true });
});

test("the same prompts with another model, side by side", async () => {
  const rerun = await kedge("session", "replay", "last", "--model", "mock/mock-model", "--json");
  expect(rerun.code).toBe(0);
  const { recorded, rerun: now } = JSON.parse(rerun.stdout) as { readonly recorded: object; readonly rerun: object };
  expect(recorded).toMatchObject({ model: "mock/mock-model", turns: 3, ends: ["completed"] });
  expect(now).toMatchObject({ model: "mock/mock-model", turns: 1, filesChanged: 0, ends: ["completed"] });
});
