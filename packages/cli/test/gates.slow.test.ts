/** What a person and a script see of the gates and of the pressure of a run, in the whole program. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const bash = (command: string): MockTurn => ({
  toolCalls: [{ name: "bash", input: { command, description: "for the test" } }],
});

/** A commit, and a change that is not in it. */
function layOutRepository({ project }: Workbench): void {
  const git = (...words: readonly string[]) => execFileSync("git", words, { cwd: project });
  writeFileSync(join(project, "a.txt"), "old\n");
  git("add", ".");
  git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "--quiet", "--message=x");
  writeFileSync(join(project, "a.txt"), "new\n");
}

test("what cannot be taken back is shown with its evidence, and an empty line is a no", async () => {
  bench = await openWorkbench([bash("git reset --hard"), { text: "unreachable" }]);
  layOutRepository(bench);
  const { stdout } = await bench.run(["--console"], { input: "go\n\n" });
  const question = stdout.slice(stdout.indexOf("? Run this"), stdout.indexOf("): ")).split("\n");
  const because = question.findIndex((line) => line.includes("it discards uncommitted changes"));
  expect([...question.slice(0, 2), ...question.slice(because)]).toEqual([
    "? Run this command?",
    "    git reset --hard",
    expect.stringMatching(/^ {2}.*it discards uncommitted changes/),
    "  ! git reset --hard: it discards uncommitted changes",
    `  ! working directory: ${bench.project}`,
    expect.stringMatching(/^ {2}! git branch: \w+, no upstream$/),
    "  ! no file in that directory changed in this session, as far as known",
    "  This can't be undone. [y] once  [e command] run this instead  [n] no  [n text] no, and do this instead (default: no",
  ]);
  expect(stdout).toContain("(interrupted)");
  expect(readFileSync(join(bench.project, "a.txt"), "utf8")).toBe("new\n");
});

test("a plain yes runs it once", async () => {
  bench = await openWorkbench([bash("git reset --hard"), { text: "Done." }]);
  layOutRepository(bench);
  const { stdout } = await bench.run(["--console"], { input: "go\na\ny\n" });
  expect(stdout).toContain("Done.");
  expect(readFileSync(join(bench.project, "a.txt"), "utf8")).toBe("old\n");
});

const attempts = ["one", "two"].map((name) => bash(`ls -l -a -h --color=never missing ${name}`));

test("headless, the level stands in a line of its own and in the result", async () => {
  bench = await openWorkbench([...attempts, { text: "Done." }], { pressure: { elevated: 2 } });
  const { stdout } = await bench.run(["-p", "go", "--output-format", "stream-json"]);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const [pressure, ...further] = lines.filter(({ type }) => type === "pressure");
  expect([pressure, further]).toEqual([
    {
      type: "pressure",
      sessionId: expect.any(String),
      level: "elevated",
      score: 2,
      contributions: [{ call_id: expect.any(String), weight: 2, why: expect.stringContaining("missing two") }],
    },
    [],
  ]);
  expect(lines.at(-1)).toMatchObject({ type: "result", subtype: "success", pressure: "elevated" });
});

test("the console tells the level and why", async () => {
  bench = await openWorkbench([...attempts, { text: "Done." }], { pressure: { elevated: 2 } });
  const { stdout } = await bench.run(["--console"], { input: "go\n" });
  expect(stdout).toMatch(/\(pressure: elevated; ls -l .* missing two is nearly a command that failed before\)/);
});
