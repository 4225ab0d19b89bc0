/** Reproductions of bugs through the real program: what counts as one, what voids it, and what waits for it. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

const put = (path: string, text: string) => writeFileSync(join(bench.project, path), text);

const git = (...words: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], { cwd: bench.project });

const buggy = "def total(prices):\n    return sum(prices) / len(prices)\n";
const fixed = "def total(prices):\n    return sum(prices) / len(prices) if prices else 0\n";
const shows = "from cart import total\nassert total([]) == 0\n";

function commitBug(): void {
  put("cart.py", buggy);
  git("add", ".");
  git("commit", "--quiet", "-m", "A cart");
}

async function reproduce(...words: readonly string[]) {
  const ran = await bench.run(["reproduce", "repro.py", "python3 repro.py", ...words, "--json"]);
  return { code: ran.code, stderr: ran.stderr, record: ran.stdout === "" ? undefined : JSON.parse(ran.stdout) };
}

test("a file proves a fix: it fails three times before and passes three times after", async () => {
  bench = await openWorkbench(() => ({ text: "No." }));
  commitBug();
  put("repro.py", shows);
  const named = ["--fails-with", "ZeroDivisionError", "--record", "record.json"];
  const unfixed = await reproduce(...named);
  expect(unfixed, unfixed.stderr).toMatchObject({ code: 1, record: { state: "fails-before", file: "repro.py" } });
  expect(unfixed.record.before.map((run: { exitCode: number }) => run.exitCode)).toEqual([1, 1, 1]);
  put("cart.py", fixed);
  const proven = await reproduce(...named);
  expect(proven).toMatchObject({ code: 0, record: { state: "proven", before: unfixed.record.before } });
  expect(proven.record.after.map((run: { exitCode: number }) => run.exitCode)).toEqual([0, 0, 0]);
  expect(proven.record.base).toBe(git("rev-parse", "HEAD").toString().trim());
  // Changed after the fix: what it proves is void.
  put("repro.py", `${shows}# changed\n`);
  const voided = await reproduce(...named);
  expect(voided).toMatchObject({ code: 1, record: { state: "broken" } });
  expect(voided.record.why).toContain("repro.py changed after it had failed");
  expect(readdirSync(join(bench.project, ".kedge", "worktrees"))).toEqual([".gitignore"]);
  expect(git("status", "--porcelain", "repro.py", "cart.py").toString()).toBe(" M cart.py\n?? repro.py\n");
});

test("a fix that is there already does not hide the bug of the base, and a fix of the base is no proof", async () => {
  bench = await openWorkbench(() => ({ text: "No." }));
  commitBug();
  put("repro.py", shows);
  put("cart.py", fixed);
  expect(await reproduce("--fails-with", "ZeroDivisionError")).toMatchObject({ code: 0, record: { state: "proven" } });
  git("commit", "--quiet", "-am", "Fix the cart");
  const late = await reproduce("--fails-with", "ZeroDivisionError");
  expect(late).toMatchObject({ code: 1, record: { state: "unproven", why: "On the base commit it passes." } });
  const base = await reproduce("--fails-with", "ZeroDivisionError", "--base", "HEAD~1");
  expect(base).toMatchObject({ code: 0, record: { state: "proven" } });
});

test.each([
  ["an import that fails", "import no_such_module\n", "exit 1", "an import that fails"],
  [
    "a file that changes itself",
    "open('repro.py', 'a').write('#')\nraise ValueError('odd')\n",
    "ValueError: odd",
    "its own file",
  ],
  ["a look at the network", "import socket\nsocket.create_connection(('192.0.2.1', 80), 2)\n", "exit 1", "network"],
])("%s proves nothing", async (_, text, failsWith, why) => {
  bench = await openWorkbench(() => ({ text: "No." }));
  commitBug();
  put("repro.py", text);
  const ran = await reproduce("--fails-with", failsWith);
  expect(ran, ran.stderr).toMatchObject({ code: 1, record: { state: "unproven", after: [] } });
  expect(ran.record.why).toContain(why);
});

test("what cannot be a reproduction is refused before anything runs", async () => {
  bench = await openWorkbench(() => ({ text: "No." }));
  const empty = await reproduce("--fails-with", "ZeroDivisionError");
  expect(empty).toMatchObject({ code: 1, record: undefined });
  expect(empty.stderr).toContain("File not found: repro.py");
  put("repro.py", shows);
  expect((await reproduce("--fails-with", "ZeroDivisionError")).stderr).toContain("Commit HEAD not found");
  commitBug();
  expect((await reproduce("--fails-with", "Error")).stderr).toContain("is too general to identify the failure");
  expect((await reproduce("--fails-with", "ImportError: no")).stderr).toContain("cannot fail because of an import");
  expect((await reproduce("--fails-with", "exit 0")).stderr).toContain("exit 0 is not a failure");
  symlinkSync("..", join(bench.project, "up"));
  writeFileSync(join(bench.directory, "repro.py"), shows);
  git("add", "up");
  git("commit", "--quiet", "-m", "A link");
  const led = await bench.run(["reproduce", "up/repro.py", "true", "--fails-with", "exit 1"]);
  expect(led.stderr).toContain("up/repro.py is a link on the base commit, or in a directory that is one.");
  put("record.json", "[1]");
  const damaged = await reproduce("--fails-with", "ZeroDivisionError", "--record", "record.json");
  expect(damaged.stderr).toContain("is not a reproduction record");
  expect(readFileSync(join(bench.project, "record.json"), "utf8")).toBe("[1]");
  rmSync(join(bench.project, "repro.py"));
  expect((await bench.run(["reproduce", "../x", "true", "--fails-with", "exit 1"])).stderr).toContain("not in this");
});

const call = (name: string, input: object): MockTurn => ({ toolCalls: [{ name, input }] });

/** What a request carries after the last answer: results, and reminders behind them. */
function lastOf({ body }: MockRequest): string {
  const messages = body.messages ?? [];
  const news = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
  return news.map(({ content }) => String(content ?? "")).join("\n");
}

test("/reproduce gives the model the tool, and its todo stays open until the fix is proven", async () => {
  const seen: string[] = [];
  const todo = (status: string) => call("todo_write", { todos: [{ content: "Fix the empty cart", status }] });
  const write = (path: string, content: string) => call("write", { filePath: path, content });
  const turns: MockTurn[] = [
    write("repro.py", shows),
    call("reproduce", {
      ...{ step: "before", file: "repro.py", command: "python3 repro.py", fails_with: "ZeroDivisionError" },
      task: "Fix the empty cart",
    }),
    todo("completed"),
    call("reproduce", { step: "after" }),
    call("bash", { command: "cp fixed.txt cart.py", description: "Fix it" }),
    call("reproduce", { step: "after" }),
    todo("completed"),
    { text: "Fixed." },
  ];
  bench = await openWorkbench((request) => {
    seen.push(lastOf(request));
    return turns.shift() ?? { text: "No more." };
  });
  commitBug();
  put("fixed.txt", fixed);
  const ran = await bench.run([
    ...["-p", "/reproduce total([]) fails", "--output-format", "stream-json"],
    ...["--allow", "edit", "--allow", "bash"],
  ]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(seen[2]).toContain("fails-before");
  expect(seen[3]).toContain("reproduction rep-1 is fails-before, not proven");
  expect(seen[4]).toContain("it still fails with exit code 1");
  expect(seen[6], seen[5]).toContain("rep-1: proven");
  expect(seen[7]).toContain("Kept 1 items, 0 of them open.");
  const lines = ran.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const states = lines.filter(({ type }) => type === "reproduction_judged").map(({ state }) => state);
  expect(states).toEqual(["unproven", "fails-before", "fails-before", "proven"]);
  // The record is part of the session: another process finds it, and the tool with it.
  const shown = await bench.run(["-p", "/reproduce", "--continue"]);
  expect(shown.stdout).toContain("rep-1: proven\nfile: repro.py");
  turns.push(call("reproduce", { step: "after" }), { text: "Still." });
  put("cart.py", buggy);
  const checked = await bench.run(["-p", "Check it", "--continue", "--allow", "reproduce"]);
  expect(checked.code, checked.stderr).toBe(0);
  expect(seen.at(-1)).toContain("rep-1: broken");
});

test("sessions that reproduce nothing do not carry the tool", async () => {
  bench = await openWorkbench(() => ({ text: "Hello." }));
  await bench.run(["-p", "hi"]);
  expect(bench.model.requests[0]?.raw).not.toContain("reproduce");
});
