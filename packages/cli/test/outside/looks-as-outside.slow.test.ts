/** Compares what commands that only look answer in the real program with the same in plain bash, as root and as an ordinary user. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMockModel } from "@kedge/testing";
import { expect, test } from "vitest";
import { ended } from "../workbench.ts";
import { lookingCommands } from "./looking-commands.ts";

const root = join(import.meta.dirname, "../../../..");

function makeProject(project: string): void {
  mkdirSync(join(project, "src"), { recursive: true });
  const put = (path: string, text: string) => writeFileSync(join(project, path), text);
  put("README.md", "# A project\nb line\na line here\na line here\n");
  put("src/a.ts", "export const a = 1;\n");
  put("src/b.ts", "export const b = 2;\nexport const c = 3;\n");
  put("package.json", '{"name":"x","scripts":{"test":"true","build":"false"}}\n');
  put(".gitignore", "*.log\n");
  put("ignored.log", "a log\n");
  put("run.sh", "echo run\n");
  chmodSync(join(project, "run.sh"), 0o755);
  symlinkSync("src/a.ts", join(project, "link.ts"));
  const git = (...argv: string[]) =>
    execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=a@b.c", ...argv], { cwd: project, stdio: "ignore" });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "First");
  put("src/b.ts", "export const b = 2;\nexport const d = 4;\n");
  git("commit", "-qam", "Second");
  git("tag", "v1");
  put("README.md", "# A project\nb line\na line here\nchanged\n");
  put("new.txt", "new\n");
  execFileSync("bash", ["-c", "gzip -kc new.txt > notes.gz; tar cf notes.tar new.txt"], { cwd: project });
}

async function compare(user: number | undefined): Promise<readonly string[]> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-looks-")));
  const project = join(directory, "project");
  const home = join(directory, "home");
  const program = join(directory, "dist");
  const turns = lookingCommands.map((command) => ({
    toolCalls: [{ name: "bash", input: { command, description: "look" } }],
  }));
  const model = await startMockModel({ script: [...turns, { text: "Done." }] });
  try {
    mkdirSync(project);
    mkdirSync(home);
    makeProject(project);
    cpSync(join(root, "dist"), program, { recursive: true });
    const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "key-of-the-test" } };
    const bash = { minimizer: false, stripTrailingHeadTail: false };
    writeFileSync(
      join(home, "config.json"),
      JSON.stringify({ model: "mock/mock-model", provider, titles: { enabled: false }, bash }),
    );
    const as = user === undefined ? [] : ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups"];
    if (user !== undefined) {
      execFileSync("chown", ["-R", `${user}:${user}`, directory]);
      chownSync(directory, user, user);
    }
    const env = { PATH: process.env["PATH"], HOME: directory, KEDGE_HOME: home, TERM: "dumb" };
    const [first = "", ...rest] = [
      ...as,
      process.execPath,
      join(program, "kedge.js"),
      "-p",
      "go",
      "--output-format",
      "stream-json",
    ];
    const child = spawn(first, rest, { cwd: project, env });
    child.stdin.end();
    const { stdout, stderr } = await ended(child);
    const results: readonly { readonly output: string; readonly outcome: string }[] = stdout
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === "tool_result");
    expect(results.length, stderr.slice(-2000)).toBe(lookingCommands.length);
    return lookingCommands.flatMap((command, at) => {
      const [shell = "", ...argv] = [...as, "/bin/bash", "-c", `exec 2>&1; ${command}`];
      const { KEDGE_HOME: _, ...outside } = env;
      const plain = spawnSync(shell, argv, {
        cwd: project,
        env: { ...outside, GIT_PAGER: "cat", PAGER: "cat" },
        encoding: "utf8",
      });
      const { output = "", outcome = "" } = results[at] ?? {};
      const expected = plain.stdout === "" ? "(no output)" : plain.stdout;
      const codeTold = plain.status === 0 || output.includes(String(plain.status));
      const same =
        output.startsWith(expected.trimEnd()) && (plain.status !== 0 || output.trimEnd() === expected.trimEnd());
      return same && codeTold
        ? []
        : [
            `${command} [${plain.status}] ${outcome}\n   plain ${JSON.stringify(expected.slice(0, 200))}\n   kedge ${JSON.stringify(output.slice(0, 300))}`,
          ];
    });
  } finally {
    await model.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

test("looks answer as outside, for whoever runs the tests", async () => {
  expect(await compare(undefined)).toEqual([]);
}, 240_000);

test("looks answer as outside, for an ordinary user", async (context) => {
  if (process.getuid?.() !== 0) context.skip("only root can start the program as another user");
  expect(await compare(12_345)).toEqual([]);
}, 240_000);
