/** Proves in real shells that the printed scripts complete commands, actions, flags and their values. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

const shells = ["bash", "zsh", "fish"] as const;

let bench: Workbench;
const scripts = new Map<string, string>();
beforeAll(async () => {
  bench = await openWorkbench([]);
  writeFileSync(join(bench.project, "shot.png"), "");
  mkdirSync(join(bench.project, "source"));
  for (const shell of shells) {
    const { code, stdout, stderr } = await bench.run(["completion", shell]);
    expect({ shell, code, stderr }).toEqual({ shell, code: 0, stderr: "" });
    const path = join(bench.directory, `completion.${shell}`);
    writeFileSync(path, stdout);
    scripts.set(shell, path);
  }
});
afterAll(() => bench.close());

/** Each row: what is on the line, and what of it is offered. */
const cases: readonly { readonly words: readonly string[]; readonly offered: readonly string[] }[] = [
  { words: ["se"], offered: ["serve", "session"] },
  { words: ["session", "ex"], offered: ["export"] },
  { words: ["journal", ""], offered: ["verify"] },
  { words: ["help", "mod"], offered: ["models"] },
  { words: ["--permission-m"], offered: ["--permission-mode"] },
  { words: ["--permission-mode", "a"], offered: ["accept-edits", "auto"] },
  { words: ["--model", "a/b", "stat"], offered: ["stats"] },
  { words: ["session", "export", "--without-"], offered: ["--without-reasoning", "--without-tool-output"] },
  { words: ["session", "export", "--format", "j"], offered: ["json", "jsonl"] },
  { words: ["models", "--re"], offered: ["--refresh", "--resume"] },
  { words: ["stats", "--without-"], offered: [] },
  { words: ["--attach", "sh"], offered: ["shot.png"] },
  { words: ["session", "import", "sou"], offered: ["source"] },
  { words: ["--model", "s"], offered: [] },
];

/** Calls the function that the script registers, as the shell does at a press of Tab. */
function bashOffers(words: readonly string[]): readonly string[] {
  const call = [
    `source ${scripts.get("bash")}`,
    `[ "$(complete -p kedge)" = "complete -F _kedge kedge" ] || exit 9`,
    'COMP_WORDS=(kedge "$@")',
    "COMP_CWORD=$#",
    "_kedge",
    `printf "%s\\n" "\${COMPREPLY[@]}"`,
  ].join("\n");
  const output = execFileSync("bash", ["--norc", "-c", call, "bash", ...words], {
    cwd: bench.project,
    encoding: "utf8",
  });
  return output.split("\n").filter((line) => line !== "");
}

test.each(cases)("bash: kedge $words", ({ words, offered }) => {
  expect([...bashOffers(words)].sort()).toEqual(offered);
});

test("bash: a value after =, which bash takes for a word", () => {
  expect(bashOffers(["--output-format", "=", "st"])).toEqual(["stream-json"]);
  expect(bashOffers(["--output-format", "="])).toEqual(["text", "json", "stream-json"]);
});

test.each(shells)("%s accepts the script, if the shell is here", (shell) => {
  const path = scripts.get(shell) ?? "";
  const checked = spawnSync(shell, ["-n", path], { encoding: "utf8" });
  if (checked.error !== undefined) {
    console.warn(`${shell} is not installed, so its script was not run`);
    return;
  }
  expect({ code: checked.status, stderr: checked.stderr }).toEqual({ code: 0, stderr: "" });
});

test("fish: what is offered, if fish is here", () => {
  for (const { words, offered } of cases) {
    const line = ["kedge", ...words].join(" ");
    const asked = spawnSync("fish", ["--no-config", "-c", `source ${scripts.get("fish")}; complete -C '${line}'`], {
      cwd: bench.project,
      encoding: "utf8",
    });
    if (asked.error !== undefined) {
      console.warn("fish is not installed, so its completion was not asked");
      return;
    }
    const names = asked.stdout.split("\n").flatMap((row) => row.split("\t")[0] || []);
    expect(names).toEqual(expect.arrayContaining([...offered]));
  }
});

test("another shell is wrong usage", async () => {
  expect(await bench.run(["completion", "tcsh"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "kedge: Usage: kedge completion bash|zsh|fish.\n",
  });
});
