/** Reviews and /localize through the real program with scripted finders: nothing starts on an empty diff or without a yes. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

function git(...words: readonly string[]): string {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...who, ...words], { cwd: bench.project, encoding: "utf8" });
}

const put = (path: string, text: string) => writeFileSync(join(bench.project, path), text);

async function open(script: (request: MockRequest) => MockTurn): Promise<void> {
  bench = await openWorkbench(script);
  put("app.ts", "export const one = 1;\n");
  git("add", "-A");
  git("commit", "-qm", "Begin");
}

/** The task of the agent that a request belongs to. */
function taskOf({ body }: MockRequest): string {
  return (body.messages ?? []).map(({ role, content }) => (role === "user" ? String(content) : "")).join("\n");
}

const ends = (input: object): MockTurn => ({ toolCalls: [{ name: "structured_output", input }] });

const finding = (line: number, category: string, severity: string) => ({
  ...{ file: "app.ts", line, category, severity, scenario: `Line ${line} leaks.`, fix: "Escape it." },
});

test("/security-review: one finder, a judge for each candidate, and only what they are sure of", async () => {
  await open((request) => {
    const task = taskOf(request);
    if (task.includes("Is this finding real?"))
      return ends({ confidence: task.includes("Line 2 leaks") ? 9 : 3, reason: "It was traced." });
    if (task.includes("Find vulnerabilities"))
      return ends({ findings: [finding(2, "injection", "high"), finding(3, "xss", "low")] });
    return { text: "No." };
  });
  const empty = await bench.run(["-p", "/security-review"]);
  expect(empty.stdout).toMatch(/^Nothing changed since [0-9a-f]{12}\. There is nothing to review\.\n/);
  expect(bench.model.requests).toHaveLength(0);
  put("app.ts", "export const one = 1;\nrun(input);\nshow(input);\n");
  const ran = await bench.run(["-p", "/security-review"]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stdout).toContain("# Security review\n\n2 candidates, 1 confirmed, 1 dropped");
  expect(ran.stdout).toContain("## 1. app.ts:2 high, injection\n\n- Scenario: Line 2 leaks.\n- Fix: Escape it.");
  expect(ran.stdout).not.toContain("xss");
  const tasks = bench.model.requests.map(taskOf);
  expect(tasks).toHaveLength(3);
  expect(tasks[0]).toContain("+run(input);");
  expect(tasks[0]).toContain("- Denial of service");
  // They read a frozen copy, and nothing that they have runs or reaches anything.
  for (const { body } of bench.model.requests) {
    const names = ((body.tools ?? []) as readonly { function: { name: string } }[]).map((tool) => tool.function.name);
    expect(names).toEqual(expect.arrayContaining(["read", "grep"]));
    expect(names.filter((name) => ["bash", "webfetch", "websearch", "agent", "edit", "write"].includes(name))).toEqual(
      [],
    );
  }
  expect(tasks.every((task) => task.includes("You work in a frozen copy of the project"))).toBe(true);
  expect(readdirSync(join(bench.project, ".kedge", "worktrees"))).toEqual([".gitignore"]);
  // Judges do not learn who found it, and see the same rules.
  expect(tasks[1]).not.toContain("lenses");
  expect(tasks[1]).toContain("- Denial of service");
});

test("/fleet-review: a question about the cost first, then six lenses on the same diff, merged", async () => {
  const lenses: string[] = [];
  await open((request) => {
    const task = taskOf(request);
    if (task.includes("Is this finding real?")) return ends({ confidence: 10, reason: "Sure." });
    const lens = /one lens only: (\w+)/.exec(task)?.[1];
    if (lens === undefined) return { text: "No." };
    lenses.push(lens);
    return ends({ findings: lens === "correctness" || lens === "security" ? [finding(2, "leak", "high")] : [] });
  });
  expect((await bench.run(["-p", "/fleet-review --yes"])).stdout).toContain("Nothing changed since");
  put("app.ts", "export const one = 1;\nrun(input);\n");
  const asked = await bench.run(["-p", "/fleet-review"]);
  expect(asked.stdout).toContain(
    "The cost of 6 reviewers cannot be estimated. To start it anyway, run /fleet-review --yes.",
  );
  expect(bench.model.requests).toHaveLength(0);
  const ran = await bench.run(["-p", "/fleet-review --yes"]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(lenses.toSorted()).toEqual(["concurrency", "contracts", "correctness", "performance", "security", "tests"]);
  expect(ran.stdout).toContain("1 candidate, 1 confirmed, 0 dropped");
  expect(ran.stdout).toMatch(/- Found by: (?:correctness, security|security, correctness)/);
  // Six lenses and one judge: the model of the session is not told of each.
  expect(bench.model.requests).toHaveLength(7);
  expect((await bench.run(["-p", "/fleet-review --reviewers 40"])).stdout).toContain("Choose from 1 to 8 reviewers.");
});

test("/review writes the prompt for the changes, and a command of the user takes its place", async () => {
  await open(() => ({ text: "Looks fine." }));
  put("app.ts", "export const one = 2;\n");
  await bench.run(["-p", "/review"]);
  expect(taskOf(bench.model.requests[0] as MockRequest)).toContain("Review the changes since");
  mkdirSync(join(bench.project, ".kedge", "commands"), { recursive: true });
  put(".kedge/commands/review.md", "My own review.\n");
  await bench.run(["-p", "/review", "--trust"]);
  expect(taskOf(bench.model.requests[1] as MockRequest)).toContain("My own review.");
});

test("/localize shows only places that exist, best first", async () => {
  const place = (file: string, symbol: string, confidence: number) => ({
    ...{ file, symbol, confidence, lines: "1-1", reason: "It is | there." },
  });
  await open(() =>
    ends({
      places: [
        place("app.ts", "one", 0.5),
        place("gone.ts", "one", 1),
        place("app.ts", "on", 0.9),
        place("../../etc/passwd", "root", 0.9),
        place("app.ts", "App.one()", 0.8),
      ],
    }),
  );
  const ran = await bench.run(["-p", "/localize one is wrong"]);
  expect(ran.stdout, ran.stderr).toBe(
    [
      "| place | symbol | confidence | reason |",
      "|---|---|---|---|",
      "| app.ts:1-1 | App.one() | 0.8 | It is \\| there. |",
      "| app.ts:1-1 | one | 0.5 | It is \\| there. |",
      "3 more reported locations do not exist or exceed the limit.",
      "",
    ].join("\n"),
  );
});

test("/edit refuses a place that is not there, and asks for exactly one change otherwise", async () => {
  await open(() => ({ text: "Done." }));
  expect((await bench.run(["-p", "/edit gone.ts:3 rename it"])).stdout).toBe("File not found: gone.ts:3.\n");
  expect((await bench.run(["-p", "/edit app.ts"])).stdout).toContain("Usage: /edit");
  await bench.run(["-p", "/edit app.ts:1 rename one to two"]);
  expect(taskOf(bench.model.requests[0] as MockRequest)).toContain("at app.ts:1:\n\nrename one to two");
});
