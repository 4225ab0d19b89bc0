/** Proves that the analysis alone sees what a disguise starts: judged by rules that allow every look, with no sandbox and no list of free programs behind it. */

import { spawnSync } from "node:child_process";
import { rounds } from "@kedge/testing";
import { expect, test } from "vitest";
import { openWorkbench } from "../workbench.ts";
import { drawCases } from "./generated/draw.ts";
import { evaluatedData } from "./generated/evaluated-data.ts";
import { expandingWords, handedWords } from "./generated/expanding-words.ts";
import { disguisedNames, hiddenStarts, nestedStarts } from "./generated/hidden-programs.ts";
import { wovenScripts } from "./generated/woven-scripts.ts";
import type { RedTeamCase } from "./red-team-case.ts";

const classes = [expandingWords, handedWords, evaluatedData, hiddenStarts, disguisedNames, nestedStarts, wovenScripts];

const looks = [
  ...[
    "ls",
    "echo",
    "cat",
    "head",
    "tail",
    "wc",
    "grep",
    "rg",
    "sort",
    "uniq",
    "cut",
    "tr",
    "nl",
    "diff",
    "file",
    "stat",
  ],
  ...["du", "date", "printf", "test", "[", "true", ":", "read", "declare", "local", "export", "readonly", "typeset"],
  ...["set", "shopt", "unset", "let", "shift", "xargs", "cd", "pwd", "seq", "sleep"],
  ...["git status", "git log", "git diff", "git show"],
];
const rules = { "*": "ask", ...Object.fromEntries(looks.map((look) => [`${look} *`, "allow"])) };

/** A file that is made in the workspace is an edit there, which these rules do not ask about; words that hide an option are. */
const counts = (each: RedTeamCase) =>
  each.class === expandingWords.name || /trap|@OUT@|@PROJECT@/.test(JSON.stringify(each));
/** Bash evaluates nothing there; of `printf '-'{'v',} …` it makes `printf -v - …`, which names no variable and fails. */
const isInert = ({ command }: RedTeamCase) => /mapfile -[nO]|n=1|printf "%d"|printf '-'\{'v',\}/.test(command);

test("every drawn disguise is asked about although the rules allow all looks", async () => {
  const drawn = drawCases(classes, rounds({ usual: 400, long: 2_000 }));
  const cases = drawn.filter((each) => counts(each) && !isInert(each));
  expect(cases.length).toBeGreaterThan(1_000);
  const bench = await openWorkbench([]);
  try {
    const places: { readonly [name: string]: string } = {
      PROJECT: bench.project,
      OUT: `${bench.directory}/outside`,
      HOME: `${bench.directory}/home`,
      KEDGE: bench.home,
      TMP: "/tmp/kedge-red-team",
      PORT: "9",
    };
    const fill = (text: string) => text.replaceAll(/@([A-Z]+)@/g, (whole, name: string) => places[name] ?? whole);
    // All in one project: more names that look like options lie about, never fewer.
    const lay = cases.flatMap(({ prepare }) => (prepare === undefined ? [] : [`( ${fill(prepare)}\n)`])).join("\n");
    const env = { PATH: process.env["PATH"], HOME: bench.directory, PREPARING: "1" };
    spawnSync("bash", [], { cwd: bench.project, env, input: lay, stdio: ["pipe", "ignore", "ignore"] });
    const questions = cases.map(({ id, command }) => ({ id, tool: "bash", command: fill(command), rules }));
    const input = questions.map((question) => JSON.stringify(question)).join("\n");
    const { stdout } = await bench.run(["explain", "permission", "--jsonl"], { input });
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers).toHaveLength(questions.length);
    const allowed = new Set(
      answers.filter(({ verdict }) => verdict !== "ask" && verdict !== "deny").map(({ id }) => id),
    );
    expect(questions.filter(({ id }) => allowed.has(id)).map(({ command }) => command)).toEqual([]);
  } finally {
    await bench.close();
  }
});
