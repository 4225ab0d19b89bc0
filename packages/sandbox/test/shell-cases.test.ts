/** Many commands with ordered rules and the answer that they must get. */
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import type { ShellPlace } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createShellAnalyser } from "../src/shell/analyse-shell.ts";
import { lookIntoProgram } from "../src/shell/programs/look-into-program.ts";
import { type Effect, judgeByRules, type Rules } from "./judge-by-rules.ts";

type ShellCase = {
  readonly id: string;
  readonly category: string;
  readonly command: string;
  readonly rules: Rules;
  readonly expected: Effect;
  readonly also_ok?: readonly Effect[];
  readonly why: string;
};

const root = "/home/dev/proj";
const place: ShellPlace = {
  cwd: root,
  root,
  home: "/home/dev",
  lookAtPath: (path) => ({
    place: `${posix.resolve(root, path)}/`.startsWith(`${root}/`) ? "inside" : "outside",
    otherNames: [],
  }),
};

const cases = readFileSync(new URL("./shell-cases.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  // The file beside this test has this shape.
  .map((line) => JSON.parse(line) as ShellCase);

const categories = [...new Set(cases.map(({ category }) => category))];
const analyse = createShellAnalyser({ lookInto: lookIntoProgram });

test.each(categories)("answers as it must: %s", (category) => {
  const wrong = cases
    .filter((one) => one.category === category)
    .map((one) => ({ ...one, answer: judgeByRules(analyse(one.command, place), one.rules) }))
    .filter(({ answer, expected, also_ok = [] }) => answer !== expected && !also_ok.includes(answer))
    .map(({ id, command, expected, answer, why }) => ({ id, command, expected, answer, why }));
  expect(wrong).toEqual([]);
});
