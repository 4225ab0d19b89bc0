/** The small project with a failing test that the demo repairs. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { childEnvironment } from "@kedge/host";
import { textBeside } from "@kedge/protocol/text-file";
import { demoTexts } from "../texts/demo.ts";
import type { ScriptedTurn } from "./model-server.ts";

export const prompt = demoTexts.prompt;

const brokenLine = "  return sum / numbers.length - 1;";
const repairedLine = "  return sum / numbers.length;";
const testCommand = "node --test";

export type BrokenProject = {
  readonly directory: string;
  readonly sourceFile: string;
  /** The source as it was committed. */
  readonly original: string;
  /** Runs the project's own test; true when it passes. */
  testPasses(): boolean;
  readSource(): string;
  diff(): string;
};

export type MadeProject =
  | { readonly ok: true; readonly project: BrokenProject }
  | { readonly ok: false; readonly sentence: string };

type Environment = { readonly [name: string]: string | undefined };

export function makeBrokenProject(directory: string, environment: Environment): MadeProject {
  const run = (command: string, parameters: readonly string[]) =>
    spawnSync(command, parameters, {
      cwd: directory,
      env: childEnvironment(environment, { scrub: true }),
      encoding: "utf8",
    });
  const sourceFile = join(directory, "average.js");
  const original = `${textBeside(import.meta.url, "./average.js.txt")}\n`;
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), `${JSON.stringify({ name: "averages", type: "module" }, null, 2)}\n`);
  writeFileSync(sourceFile, original);
  writeFileSync(join(directory, "average.test.js"), `${textBeside(import.meta.url, "./average.test.js.txt")}\n`);
  const identity = ["-c", "user.name=demo", "-c", "user.email=demo@example.invalid", "-c", "commit.gpgsign=false"];
  for (const parameters of [
    ["init", "--quiet"],
    ["add", "."],
    [...identity, "commit", "--quiet", "-m", "averages"],
  ]) {
    const { error, status, stderr } = run("git", parameters);
    if (error !== undefined && "code" in error && error.code === "ENOENT") {
      return { ok: false, sentence: demoTexts.needsGit };
    }
    if (status !== 0) return { ok: false, sentence: demoTexts.noRepository(stderr.trim()) };
  }
  return {
    ok: true,
    project: {
      directory,
      sourceFile,
      original,
      testPasses: () => run(process.execPath, ["--test"]).status === 0,
      readSource: () => readFileSync(sourceFile, "utf8"),
      diff: () => run("git", ["diff", "--no-color"]).stdout,
    },
  };
}

/** What the model says and does, turn by turn. */
export function repairScript(sourceFile: string): readonly ScriptedTurn[] {
  return [
    { text: demoTexts.looking, call: { tool: "read", input: { filePath: sourceFile } } },
    {
      text: demoTexts.explanation,
      call: { tool: "edit", input: { filePath: sourceFile, oldString: brokenLine, newString: repairedLine } },
    },
    {
      text: demoTexts.testing,
      call: { tool: "bash", input: { command: testCommand, description: demoTexts.runTest } },
    },
    { text: demoTexts.summary },
  ];
}
