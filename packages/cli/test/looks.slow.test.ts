/** Proves in the whole program that what runs unasked because it only looks cannot act and sees no secret. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const sandboxed = {
  sandbox: { mode: "on" },
  permission: { edit: "allow", external_directory: "allow" },
};

type Result = { readonly outcome: string; readonly output: string };

/** No rule speaks of any of them, and nobody can answer. */
async function runCommands(
  commands: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  settings: Parameters<typeof openWorkbench>[1] = {},
) {
  const script = commands.map((command) => ({
    toolCalls: [{ name: "bash", input: { command, description: "look" } }],
  }));
  bench = await openWorkbench([...script, { text: "Done." }], settings);
  const { project } = bench;
  mkdirSync(join(project, "src"));
  writeFileSync(join(project, "src", "a.ts"), "export const a = 1;\n");
  execFileSync("git", ["init", "-q"], { cwd: project });
  execFileSync("git", ["add", "-A"], { cwd: project });
  writeFileSync(join(project, ".env"), "KEY=canary\n");
  writeFileSync(join(project, ".gitignore"), ".env\n");
  const { stdout, code } = await bench.run(["-p", "go", "--output-format", "stream-json"], environment);
  expect(code).toBe(0);
  const results: readonly Result[] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === "tool_result");
  return { results, requests: JSON.stringify(bench.model.requests), project };
}

test("ordinary looks answer unasked, and no secret goes to the model", async () => {
  const { results, requests } = await runCommands(
    [
      "git status --short",
      "cat src/a.ts | wc -l",
      "grep -rn export . | sed -n 1p",
      "grep -rn KEY .",
      "env | sort",
      "ps -o pid= -p $$ | wc -l",
    ],
    { DEPLOY_PASSWORD: "canary", AWS_SECRET_ACCESS_KEY: "canary" },
  );
  expect(results.map(({ outcome }) => outcome)).toEqual(Array(5).fill("completed").concat("refused"));
  expect(results.slice(0, 2).map(({ output }) => output)).toEqual(["A  src/a.ts\n?? .gitignore\n", "1\n"]);
  expect(results[2]?.output).toContain("./src/a.ts:1:export const a = 1;");
  expect(results[3]?.output).toMatch(
    /^grep: \.\/\.env: Permission denied\n(?:.|\n)*held back there: \.env may contain secrets/,
  );
  expect(results[3]?.output).toContain("--allow 'Bash(grep -rn KEY .)'");
  expect(results[4]?.output).toContain("PATH=");
  expect(requests).not.toContain("canary");
});

test("with the sandbox on, a look finds the temporary files of the commands before it", async () => {
  const { results } = await runCommands(["echo kept > /tmp/note; mkdir made", "cat /tmp/note; ls"], {}, sandboxed);
  expect(results.map(({ output }) => output)).toEqual([expect.stringContaining("(no output)"), "kept\nmade\nsrc\n"]);
});
