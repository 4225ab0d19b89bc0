/** Grades of tests through the real program: weak suites score low, strong ones high, and the checkout is never touched. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

function put(files: { readonly [path: string]: string }): void {
  for (const [path, text] of Object.entries(files)) {
    const whole = join(bench.project, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text);
  }
}

const grade = (...words: readonly string[]) => gradeIn(bench.home, ...words);

/** What is known of earlier gradings is in the home. */
async function gradeIn(home: string, ...words: readonly string[]) {
  const ran = await bench.run(["grade", ...words, "--json"], { environment: { KEDGE_HOME: home } });
  return { code: ran.code, stderr: ran.stderr, grade: ran.stdout === "" ? undefined : JSON.parse(ran.stdout) };
}

type Case = {
  readonly language: string;
  readonly target: string;
  readonly command: string;
  readonly code: string;
  readonly weak: { readonly [path: string]: string };
  readonly strong: { readonly [path: string]: string };
};

const typescript: Case = {
  language: "TypeScript",
  target: "price.ts",
  command: "node --test",
  code: `export function price(count: number, unit: number, isMember: boolean): number {
  if (count <= 0) return 1;
  const sum = count * unit;
  if (isMember && count >= 10) return sum - 5;
  return sum;
}
`,
  weak: {
    "price.test.ts": `import test from "node:test";
import { price } from "./price.ts";
test("it runs", () => { price(1, 2, false); });
`,
  },
  strong: {
    "price.test.ts": `import test from "node:test";
import assert from "node:assert";
import { price } from "./price.ts";
for (const [count, unit, isMember, want] of [[0, 3, false, 1], [-1, 3, true, 1], [1, 3, false, 3], [2, 3, true, 6],
  [9, 2, true, 18], [10, 2, true, 15], [11, 2, true, 17], [10, 2, false, 20]] as const)
  test(\`\${count}\`, () => assert.strictEqual(price(count, unit, isMember), want));
`,
  },
};

const python: Case = {
  language: "Python",
  target: "price.py",
  command: "python3 -m unittest -q",
  code: `def price(count, unit, is_member):
    if count <= 0:
        return 1
    total = count * unit
    if is_member and count >= 10:
        return total - 5
    return total
`,
  weak: {
    "test_price.py": `import unittest
from price import price
class Price(unittest.TestCase):
    def test_runs(self):
        price(1, 2, False)
`,
  },
  strong: {
    "test_price.py": `import unittest
from price import price
class Price(unittest.TestCase):
    def test_all(self):
        for count, unit, member, want in [(0, 3, False, 1), (-1, 3, True, 1), (1, 3, False, 3), (2, 3, True, 6),
                (9, 2, True, 18), (10, 2, True, 15), (11, 2, True, 17), (10, 2, False, 20)]:
            self.assertEqual(price(count, unit, member), want)
`,
  },
};

const go: Case = {
  language: "Go",
  target: "price.go",
  command: "go test ./...",
  code: `package price

func price(count int, unit int, isMember bool) int {
	if count <= 0 {
		return 1
	}
	sum := count * unit
	if isMember && count >= 10 {
		return sum - 5
	}
	return sum
}
`,
  weak: {
    "go.mod": "module example.com/price\n\ngo 1.19\n",
    "price_test.go": `package price

import "testing"

func TestRuns(t *testing.T) { price(1, 2, false) }
`,
  },
  strong: {
    "price_test.go": `package price

import "testing"

func TestAll(t *testing.T) {
	for _, each := range []struct {
		count, unit int
		isMember    bool
		want        int
	}{{0, 3, false, 1}, {-1, 3, true, 1}, {1, 3, false, 3}, {2, 3, true, 6}, {9, 2, true, 18}, {10, 2, true, 15}, {11, 2, true, 17}, {10, 2, false, 20}} {
		if got := price(each.count, each.unit, each.isMember); got != each.want {
			t.Errorf("%v: %d", each, got)
		}
	}
}
`,
  },
};

test.each([typescript, python, go])("$language: a vacuous suite scores low and a strong one high", async (project) => {
  bench = await openWorkbench(() => ({ text: "No." }));
  put({ [project.target]: project.code, ...project.weak });
  const weak = await grade(project.target, project.command);
  expect(weak.stderr).toBe("");
  expect(weak).toMatchObject({ code: 1, grade: { isKnown: false } });
  expect(weak.grade.score).toBeLessThan(0.2);
  put(project.strong);
  const strong = await grade(project.target, project.command);
  expect(strong.grade.mutants.filter((mutant: { verdict: string }) => mutant.verdict === "survived")).toEqual([]);
  expect(strong).toMatchObject({ code: 0, grade: { score: 1, isKnown: false } });
  const again = await grade(project.target, project.command);
  expect(again.grade).toEqual({ ...strong.grade, isKnown: true });
  expect(readFileSync(join(bench.project, project.target), "utf8")).toBe(project.code);
  expect(readdirSync(join(bench.project, ".kedge", "worktrees"))).toEqual([".gitignore"]);
});

test("changes that a compiler refuses without being asked do not count for the tests", async () => {
  bench = await openWorkbench(() => ({ text: "No." }));
  put({
    "go.mod": "module example.com/label\n\ngo 1.19\n",
    "label.go": `package label

import "fmt"

func Label(name string, count int) string {
	fmt.Sprintln(name)
	if count == 0 {
		return "none"
	}
	return join(name, count)
}

func join(name string, count int) string {
	return fmt.Sprint(name, count)
}
`,
    "label_test.go": `package label

import "testing"

func TestRuns(t *testing.T) { Label("a", 1) }
`,
  });
  const weak = await grade("label.go:5-11", "go test ./...");
  expect(weak.grade?.score, weak.stderr).toBe(0);
  const refused = weak.grade.mutants.filter(({ verdict }: { verdict: string }) => verdict === "invalid");
  expect(refused.map(({ operator }: { operator: string }) => operator)).toContain("swapped-arguments");
  expect(weak.grade.valid).toBe(weak.grade.mutants.length - refused.length);
  expect(weak.grade.valid).toBeGreaterThan(0);
});

test("two gradings that know nothing of each other give every change the same verdict", async () => {
  bench = await openWorkbench(() => ({ text: "No." }));
  const some = `import unittest
from price import price
class Price(unittest.TestCase):
    def test_some(self):
        self.assertEqual([price(0, 3, False), price(2, 3, True)], [1, 6])
`;
  put({ "price.py": python.code, "test_price.py": some });
  const first = await grade("price.py", python.command);
  const second = await gradeIn(join(bench.directory, "other"), "price.py", python.command);
  expect(first.grade?.score, first.stderr).toBeGreaterThan(0.2);
  expect(first.grade.score).toBeLessThan(0.8);
  expect(first.grade.isKnown).toBe(false);
  expect(second.grade).toEqual(first.grade);
});

test("tests that fail, vary or change what they test are refused, and nothing reaches the checkout", async () => {
  bench = await openWorkbench(() => ({ text: "No." }));
  put({ "price.py": python.code });
  const failing = await grade("price.py", "echo it is red; exit 3");
  expect(failing).toMatchObject({ code: 1, grade: undefined });
  expect(failing.stderr).toContain("The tests fail on unchanged code:\nit is red");
  expect((await grade("price.py", "exit 3")).stderr).toContain("unchanged code:\nexit code 3");
  // Copies that run side by side do not see each other.
  const seeing = await grade("price.py", "test ! -e .kedge/worktrees");
  expect(seeing.grade?.score, seeing.stderr).toBe(0);
  const flaky = await grade("price.py", "test -e seen && exit 1; touch seen");
  expect(flaky.stderr).toContain("The tests are flaky: they failed in run 2");
  const editing = await grade("price.py", "echo x >> price.py");
  expect(editing.stderr).toContain("The tests change price.py, which they are supposed to test.");
  const reading = await grade("price.py", `test $(wc -c < price.py) -eq ${Buffer.byteLength(python.code)}`);
  expect(reading.stderr).toContain("The tests check the text of price.py: they fail when a comment is added");
  const packed = `test "$(tr -d '[:space:]' < price.py)" = '${python.code.replace(/\s/g, "")}'`;
  expect((await grade("price.py", packed)).stderr).toContain("The tests check the text of price.py");
  // One that repairs its target would let every change pass.
  put({ "kept.txt": python.code });
  const repairing = await grade("price.py", "cp kept.txt price.py");
  expect(repairing.stderr).toContain("The tests change price.py, which they are supposed to test.");
  const own = join(bench.project, "price.py");
  const linking = await grade("price.py", `test -L price.py || { rm price.py; ln -s ${own} price.py; }`);
  expect(linking.stderr).toContain("The tests change price.py, which they are supposed to test.");
  symlinkSync(own, join(bench.project, "link.py"));
  expect((await grade("link.py", "true")).stderr).toContain("link.py is a link that points outside the project.");
  rmSync(join(bench.project, "link.py"));
  // It writes into the sandbox, which is gone afterwards.
  const escaping = await grade("price.py:2", `echo x >> ${join(bench.project, "price.py")}`);
  expect(escaping.grade?.score).toBe(0);
  expect(readFileSync(join(bench.project, "price.py"), "utf8")).toBe(python.code);
  expect((await grade("../home/config.json", "true")).stderr).toContain("is not in this project");
  expect((await grade("none.py", "true")).stderr).toContain("File not found: none.py");
});

test("a grader has neither history nor network", async () => {
  bench = await openWorkbench(() => ({ text: "No." }));
  put({ "price.py": python.code });
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...words], { cwd: bench.project });
  git("add", "-A");
  git("commit", "-qm", "The answer is 42");
  const history = await grade("price.py", "git log | grep 42 && exit 0; exit 7");
  expect(history.stderr).toContain("The tests fail on unchanged code");
  const { port } = new URL(bench.model.baseUrl);
  const network = await grade(
    "price.py",
    `python3 -c "import socket; socket.create_connection(('127.0.0.1', ${port}))"`,
  );
  expect(network.stderr).toContain("The tests fail on unchanged code");
});

test("a copy outside of the directory for temporary files reaches neither the history nor the files beside it", async () => {
  bench = await openWorkbench(() => ({ text: "No." }));
  const cache = join(import.meta.dirname, "../../../node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const project = mkdtempSync(join(cache, "kedge-grade-"));
  try {
    const git = (...words: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...words], { cwd: project });
    git("init", "--quiet");
    mkdirSync(join(project, "packages/own"), { recursive: true });
    mkdirSync(join(project, "node_modules/other"), { recursive: true });
    writeFileSync(join(project, ".gitignore"), "node_modules\n");
    writeFileSync(join(project, "packages/own/price.py"), python.code);
    writeFileSync(join(project, "node_modules/other/there"), "");
    symlinkSync("../packages/own", join(project, "node_modules/own"));
    git("add", "-A");
    git("commit", "-qm", "The answer is 42");
    const run = async (command: string) => {
      const ran = await bench.run(["grade", "packages/own/price.py", command, "--json"], { cwd: project });
      return ran.stdout === "" ? ran.stderr : JSON.parse(ran.stdout).score;
    };
    const refusals = [
      "git log",
      `git -C ${project} log`,
      `grep -q 42 ${project}/.git/logs/HEAD`,
      `test -s ${project}/packages/own/price.py`,
    ];
    for (const command of refusals) expect(await run(command), command).toContain("The tests fail on unchanged code");
    // Dependencies are there, and a package of the same repository is that of the copy.
    expect(await run("test -e node_modules/other/there")).toBe(0);
    expect(
      await run(
        "python3 -c \"import sys; sys.path.insert(0, 'node_modules/own'); from price import price; assert price(0, 3, False) == 1\"",
      ),
    ).toBeGreaterThan(0);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});
