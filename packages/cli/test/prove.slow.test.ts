/** Tests that are graded in rounds, and the proof of a session: made, checked again, and found out when it was changed. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

const put = (path: string, text: string) => writeFileSync(join(bench.project, path), text);
const read = (path: string) => readFileSync(join(bench.project, path), "utf8");

function git(...words: readonly string[]): string {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...who, ...words], { cwd: bench.project, encoding: "utf8" });
}

const buggy = "def share(sum, count):\n    if count > 0:\n        return sum / count\n    return sum / count\n";
const fixed = "def share(sum, count):\n    if count > 0:\n        return sum / count\n    return 0\n";
const shows = "from cart import share\nassert share(3, 0) == 0\n";
const weak = `import unittest
from cart import share
class Share(unittest.TestCase):
    def test_runs(self):
        share(1, 2)
`;
const strong = `import unittest
from cart import share
class Share(unittest.TestCase):
    def test_all(self):
        self.assertEqual([share(6, 3), share(2, 1), share(5, 0), share(5, -1)], [2, 2, 0, 0])
`;

const call = (name: string, input: object): MockTurn => ({ toolCalls: [{ name, input }] });
const write = (filePath: string, content: string) => call("write", { filePath, content });
const bash = (command: string) => call("bash", { command, description: "Run it" });

function lastOf({ body }: MockRequest): string {
  return String((body.messages ?? []).at(-1)?.content ?? "");
}

/** Plays the turns and keeps what the model was told. */
async function open(turns: MockTurn[], seen: string[]): Promise<void> {
  bench = await openWorkbench((request) => {
    seen.push(lastOf(request));
    return turns.shift() ?? { text: "No more." };
  });
  put("cart.py", buggy);
  git("add", "-A");
  git("commit", "-qm", "A cart");
}

const graded = call("grade_tests", {
  ...{ target: "cart.py", tests: ["test_cart.py"], command: "python3 -m unittest -q" },
});

test("/test-gen grades tests in at most three rounds and shows no change itself", async () => {
  const seen: string[] = [];
  const turns = [
    write("test_cart.py", weak),
    graded,
    bash("echo '#' >> cart.py"),
    graded,
    bash("git checkout -q cart.py"),
  ];
  turns.push(graded, graded, bash("python3 -m unittest -q"), graded, { text: "Done." });
  await open(turns, seen);
  put("cart.py", fixed);
  git("commit", "-qam", "Fix it");
  const ran = await bench.run(["-p", "/test-gen cart.py", "--allow", "edit", "--allow", "bash"]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(seen[0]).toContain("Write tests for `cart.py`.");
  expect(seen[2]).toMatch(/^cart\.py: \d+ of \d+ changes detected, score 0\.\d\d of at least 0\.8\./);
  expect(seen[2]).toMatch(/\nline 2: (?:boundary-shift|negated-condition) was not detected\n/);
  expect(seen[2]).toContain("checks nothing: test_cart.py:4 def test_runs(self):\n2 of 3 gradings left.");
  expect(seen[2]).not.toMatch(/→|>=|undefined/);
  expect(seen[4]).toBe("cart.py was changed. Restore it: tests are graded on the code as it was.");
  expect(seen[7]).toContain("0 of 3 gradings left.");
  expect(seen[9]).toBe("cart.py was graded 3 times, which is the limit. Report what you have.");
  expect((await bench.run(["-p", "/test-gen gone.py"])).stdout).toBe("File not found in this project: gone.py.\n");
});

test("a session is proved by one file, which another home can check, and a changed file is found out", async () => {
  const seen: string[] = [];
  const before = { step: "before", file: "repro.py", command: "python3 repro.py", fails_with: "ZeroDivisionError" };
  await open(
    [
      write("repro.py", shows),
      call("reproduce", before),
      bash("cp fixed.txt cart.py"),
      call("reproduce", { step: "after" }),
      bash("python3 repro.py && echo tests pass"),
      { text: "Fixed." },
      write("test_cart.py", strong),
      graded,
      { text: "Tested." },
    ],
    seen,
  );
  put("fixed.txt", fixed);
  const key = `sk-ant-api03-${"A1b2C3d4".repeat(11)}AA`;
  const allow = ["--allow", "edit", "--allow", "bash"];
  await bench.run(["-p", `/reproduce share(3, 0) fails; my key is ${key}`, ...allow]);
  await bench.run(["-p", "/test-gen cart.py", "--continue", ...allow]);
  expect(seen.at(-1)).toContain("score 1.00");
  const index = git("ls-files", "--stage");

  const made = await bench.run(["prove", "--file", "proof.json"]);
  expect(made.code, made.stderr).toBe(0);
  expect(made.stdout).toContain("reproduction rep-1: proven\nmutation score of cart.py: 1.00\n");
  const bundle = JSON.parse(read("proof.json"));
  expect(bundle).toMatchObject({
    format: "kedge-proof/1",
    base: git("rev-parse", "HEAD").trim(),
    reproductions: [{ state: "proven", before: [{ exitCode: 1 }, {}, {}], after: [{ exitCode: 0 }, {}, {}] }],
    grades: [{ target: "cart.py", score: 1 }],
    isDiffRedacted: false,
  });
  expect(
    bundle.commands.map(({ command, isCheck }: { command: string; isCheck: boolean }) => [command, isCheck]),
  ).toEqual([
    ["cp fixed.txt cart.py", false],
    ["python3 repro.py && echo tests pass", false],
  ]);
  expect(read("proof.json")).not.toContain(key);
  expect(git("ls-files", "--stage")).toBe(index);

  const checked = await bench.run(["prove", "--check", "proof.json", "--json"]);
  expect(checked.code, checked.stdout + checked.stderr).toBe(0);
  expect(JSON.parse(checked.stdout).lines.map(({ verdict }: { verdict: string }) => verdict)).toEqual(
    ["signature", "journal", "base", "diff", "reproduction", "grade"].map(() => "holds"),
  );
  expect(readdirSync(join(bench.project, ".kedge", "worktrees"))).toEqual([".gitignore"]);

  // In another home the journal is not there, and everything else is.
  const elsewhere = await bench.run(["prove", "--check", "proof.json"], {
    environment: { KEDGE_HOME: join(bench.directory, "other") },
  });
  expect(elsewhere.code, elsewhere.stdout).toBe(0);
  expect(elsewhere.stdout).toContain("not checked: the session is not in this kedge home");
  expect(elsewhere.stdout).toContain("✓ reproduction rep-1 is proven");

  // A diff without the fix: the signature and the reproduction say so.
  const forged = { ...bundle, diff: bundle.diff.replace("+    return 0", "+    return sum / 0") };
  put("forged.json", JSON.stringify({ ...forged, grades: [] }));
  const found = await bench.run(["prove", "--check", "forged.json"]);
  expect(found.code).toBe(1);
  expect(found.stdout).toContain("does not hold: the file was changed after it was signed");
  expect(found.stdout).toMatch(/✗ reproduction rep-1 is proven does not hold: With the changes .* still fails/);
});

test("what is no bundle is refused with one sentence, and nothing is written half", async () => {
  await open([{ text: "Hello." }], []);
  expect((await bench.run(["prove", "--check", "gone.json"])).stderr).toContain("Cannot read gone.json");
  put("list.json", "[]");
  expect((await bench.run(["prove", "--check", "list.json"])).stderr).toContain("This is not a proof bundle");
  put("text.json", "{");
  expect((await bench.run(["prove", "--check", "text.json"])).stderr).toContain("it is not JSON");
  expect((await bench.run(["prove", "--check"])).code).toBe(2);
  expect((await bench.run(["prove"])).code).toBe(1);
  await bench.run(["-p", "hi"]);
  expect((await bench.run(["prove", "--file", "no/such/place.json"])).stderr).toContain("Cannot write");
  expect((await bench.run(["prove", "--base", "nowhere"])).stderr).toContain("Commit nowhere not found.");
  expect(existsSync(join(bench.project, "no"))).toBe(false);
  const made = await bench.run(["prove"]);
  expect(made.stdout).toMatch(/^Wrote proof-ses_\w+\.json\.\nbase [0-9a-f]{12}, \d changed files?/);
});
