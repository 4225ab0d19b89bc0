/** The tool `grade_tests`: up to three gradings of the tests of a target, which never show the changes themselves. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { checkSchema, describeProblems, type JsonSchema, type Tool, type ToolOutput } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { createGrammars, findAssertionFreeTests } from "@kedge/tools";
import { type Graded, gradeTests } from "../grading/grade-tests.ts";
import { scoreWanted } from "../grading/grade-words.ts";
import { openCheckout } from "../worktrees/open-worktrees.ts";
import type { ProofParts } from "./proof-parts.ts";

export type GradeInput = {
  readonly target: string;
  readonly tests: readonly string[];
  readonly command: string;
  readonly build?: string;
};

const text: JsonSchema = { type: "string", minLength: 1 };

const inputSchema: JsonSchema = {
  type: "object",
  properties: { target: text, tests: { type: "array", items: text, maxItems: 50 }, command: text, build: text },
  required: ["target", "tests", "command"],
};

const roundsMax = 3;
const resultCharactersMax = 10_000;

export type GradeRounds = {
  readonly target: string;
  /** SHA-256 of the target when the tests were asked for. */
  readonly digest: string;
  rounds: number;
};

/** `rounds` has a row for each target that tests were asked for. */
export function createGradeTool(parts: ProofParts, rounds: Map<string, GradeRounds>): Tool<GradeInput> {
  return {
    name: "grade_tests",
    description: textBeside(import.meta.url, "./texts/grade-tests.md"),
    inputSchema,
    alwaysLoad: true,
    resultCharactersMax,
    parse(input) {
      const problems = checkSchema(inputSchema, input);
      if (problems.length > 0) return { ok: false, report: describeProblems(problems) };
      // The value has just passed the schema that stands beside its type.
      return { ok: true, input: input as GradeInput };
    },
    needs: ({ command }) => [{ permission: "grade_tests", patterns: [command], always: [command], access: "execute" }],
    readOnly: () => false,
    concurrencySafe: () => false,
    async run({ target, tests, command, build }, { signal }) {
      const path = resolve(parts.project.cwd, target.replace(/:\d+(?:-\d+)?$/, ""));
      const asked = rounds.get(path);
      if (asked === undefined) return refusal(`No tests were requested for ${target}. Start with /test-gen ${target}.`);
      if (digestOf(path) !== asked.digest)
        return refusal(`${target} was changed. Restore it: tests are graded on the code as it was.`);
      if (asked.rounds >= roundsMax)
        return refusal(`${target} was graded ${roundsMax} times, which is the limit. Report what you have.`);
      const opened = openCheckout(parts);
      if (!opened.ok) return refusal(opened.failure.message);
      const wish = { target: asked.target, command, signal, ...(build !== undefined && { buildCommand: build }) };
      const graded = await gradeTests(wish, { ...parts, cwd: parts.project.cwd, worktrees: opened.value });
      if (!graded.ok) return refusal(graded.failure.message);
      asked.rounds += 1;
      const empty = await assertionFree(tests, parts.project.cwd);
      return outputOf(graded.value, { command, build, empty, left: roundsMax - asked.rounds });
    },
  };
}

type Shown = {
  readonly command: string;
  readonly build: string | undefined;
  readonly empty: readonly string[];
  readonly left: number;
};

/** Only line and class of a survivor: a test written for one change would notice nothing else. */
function outputOf(graded: Graded, { command, build, empty, left }: Shown): ToolOutput {
  const { target, score, killed, valid, mutants } = graded;
  const isGood = score >= scoreWanted && empty.length === 0;
  const survivors = mutants.filter(({ verdict }) => verdict === "survived");
  const lines = [
    `${target}: ${killed} of ${valid} changes detected, score ${score.toFixed(2)} of at least ${scoreWanted}.`,
    ...survivors.map(({ line, operator }) => `line ${line}: ${operator} was not detected`),
    ...empty.map((name) => `checks nothing: ${name}`),
    isGood ? "The tests are good. Offer them as regression tests." : `${left} of ${roundsMax} gradings left.`,
  ];
  const grade = { target, command, score, killed, valid, ...(build !== undefined && { buildCommand: build }) };
  const grades = [{ file: target, name: "mutation score", isPassed: isGood }];
  return { output: lines.join("\n"), title: `score ${score.toFixed(2)}`, metadata: { grade, grades } };
}

async function assertionFree(tests: readonly string[], cwd: string): Promise<readonly string[]> {
  const grammars = createGrammars();
  const found = await Promise.all(
    tests.map(async (test) => {
      const path = resolve(cwd, test);
      if (!existsSync(path)) return [];
      const empty = await findAssertionFreeTests(grammars, { path, text: readFileSync(path, "utf8") });
      return empty.map(({ line, name }) => `${test}:${line} ${name}`);
    }),
  );
  return found.flat();
}

function refusal(output: string): ToolOutput {
  return { output, title: "grade_tests", isError: true };
}

export function digestOf(path: string): string {
  return createHash("sha256")
    .update(existsSync(path) ? readFileSync(path) : "")
    .digest("hex");
}
