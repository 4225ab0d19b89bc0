/** Compares our reading of generated texts with that of bash itself, which only checks them: nothing runs. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSeededRandom, rounds } from "@kedge/testing";
import { expect, test } from "vitest";
import { expandWord } from "../src/shell/expand-word.ts";
import { parseScript } from "../src/shell/syntax/parse-script.ts";
import { createScriptGenerator } from "./generate-script.ts";

/**
 * Ours is the stricter one: extended patterns, subshells directly behind `$(`, documents without an end, code in
 * backticks, here-documents and `${…}` that bash checks only when it runs, and quotes nested in an unclear way.
 */
const scriptsCount = rounds({ usual: 800, long: 10_000 });
/** It is nearly 0.99; of the few hundred scripts of a usual run, one in ten runs has less than 0.98. */
const acceptedShareMin = rounds({ usual: 0.96, long: 0.98 });

function inFolder<Result>(run: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), "kedge-parse-"));
  try {
    return run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Whether bash accepts each of them. */
function checkWithBash(scripts: readonly string[]): readonly boolean[] {
  return inFolder((folder) => {
    for (const [index, script] of scripts.entries()) writeFileSync(join(folder, `${10_000 + index}`), script);
    const driver = 'cd "$0" && for file in *; do bash -n "$file" >/dev/null 2>&1 && echo yes || echo no; done';
    const answers = execFileSync("bash", ["-c", driver, folder], { encoding: "utf8", maxBuffer: 10_000_000 });
    return answers
      .trim()
      .split("\n")
      .map((answer) => answer === "yes");
  });
}

test("accepts nothing that bash refuses, and nearly all that it accepts", { timeout: 120_000 }, () => {
  const random = createSeededRandom();
  const generator = createScriptGenerator(random);
  const scripts = Array.from({ length: scriptsCount }, (_, index) => {
    const script = generator.valid();
    return { script: index % 2 === 0 ? script : generator.damage(script), isDamaged: index % 2 === 1 };
  });
  const answers = checkWithBash(scripts.map(({ script }) => script));
  const wronglyAccepted: string[] = [];
  let correct = 0;
  let accepted = 0;
  for (const [index, { script, isDamaged }] of scripts.entries()) {
    const { ok } = parseScript(script);
    if (ok && answers[index] === false) wronglyAccepted.push(script);
    if (answers[index] === false || isDamaged) continue;
    correct += 1;
    if (ok) accepted += 1;
  }
  expect(wronglyAccepted).toEqual([]);
  expect(answers.length).toBe(scriptsCount);
  expect(accepted / correct).toBeGreaterThanOrEqual(acceptedShareMin);
});

const pieces = [
  "a",
  "b,",
  "{",
  "}",
  ",",
  "..",
  "1",
  "3",
  "{a,b}",
  "{1..3}",
  "{c..a}",
  "'q w'",
  '"d,"',
  "\\,",
  "\\{",
  "$'\\x41\\n'",
  "''",
  "~",
  "/",
  "x=",
  "-",
];

test("words become what bash makes of them", () => {
  const random = createSeededRandom();
  const home = "/home/dev";
  const words = Array.from({ length: 1500 }, () =>
    Array.from({ length: 1 + random.below(6) }, () => pieces[random.below(pieces.length)]).join(""),
  );
  const script = ["set -f", ...words.map((word) => `printf '%s\\0' ${word}; printf '\\1'`)].join("\n");
  const shown = inFolder((folder) => {
    const file = join(folder, "words");
    writeFileSync(file, script);
    return execFileSync("bash", [file], { encoding: "utf8", cwd: folder, env: { HOME: home, PATH: "/usr/bin:/bin" } });
  });
  const expected = shown.split("\u0001").map((row) => row.split("\0").slice(0, -1));
  let compared = 0;
  for (const [index, word] of words.entries()) {
    const parsed = parseScript(`: ${word}`);
    const command = parsed.ok ? parsed.script.lists[0]?.pipelines[0]?.commands[0] : undefined;
    if (command?.kind !== "simple") continue;
    const made = command.words
      .slice(1)
      .flatMap((one) => expandWord(one, { home, directory: undefined, isNumber: () => false }));
    if (!made.every(({ isLiteral }) => isLiteral)) continue;
    compared += 1;
    // Without a word, printf prints one empty line.
    const got = made.length === 0 ? [""] : made.map(({ text }) => text);
    expect({ word, words: got }).toEqual({ word, words: expected[index] });
  }
  expect(compared).toBeGreaterThan(1000);
});
