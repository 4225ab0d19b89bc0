/**
 * Writes `late-modules.json`: which modules the first part of the program does without. Runs a readable build of the
 * program against the mock model and looks at what its runs call.
 *
 * `node scripts/find-late-modules.ts`, after modules were added or a short run does other things than before.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type MockTurn, startMockModel } from "@kedge/testing";
import { build, programEntries } from "./build.ts";
import { exportedFunctions } from "./exported-functions.ts";
import { type LateModuleLists, lateModulesFile } from "./late-modules.ts";
import { type Coverage, calledModules, givenModules, modulesOf } from "./module-coverage.ts";

const root = resolve(import.meta.dirname, "..");
/** Inside the project, so that the program finds its packages. */
const dist = join(root, "node_modules/.cache/late-modules");

type Scenario = {
  readonly files?: { readonly [path: string]: string };
  readonly turns: readonly MockTurn[];
  readonly flags?: readonly string[];
};

const answer: MockTurn = { text: "The answer is 42." };
const call = (name: string, input: object): MockTurn => ({ toolCalls: [{ name, input }] });

/** Every start is to be quick in these: the first part has all that they call. The last one finds lessons of others. */
const shortRuns: readonly Scenario[] = [
  { turns: [answer] },
  { turns: [call("read", { filePath: "src/a.ts" }), answer] },
  { turns: [answer] },
  { files: { "AGENTS.md": "# Rules\n\nUse tabs.\n" }, turns: [answer], flags: ["--trust"] },
];
/** Which of them only prepares another one. */
const preparing = 1;

/** What the part for runs at work has. */
const runsAtWork: readonly Scenario[] = [
  {
    turns: [
      call("read", { filePath: "src/a.ts" }),
      call("grep", { pattern: "alpha" }),
      call("glob", { pattern: "**/*.ts" }),
      call("bash", { command: "ls && echo done > out.txt", description: "List" }),
      call("edit", { filePath: "src/a.ts", oldString: "alpha", newString: "beta" }),
      call("multi_edit", { filePath: "src/a.ts", edits: [{ oldString: "beta", newString: "gamma" }] }),
      call("write", { filePath: "src/b.ts", content: "export const b = 1;\n" }),
      call("todo_write", { todos: [{ content: "one", status: "pending", priority: "high" }] }),
      call("tool_search", { query: "notebook" }),
      answer,
    ],
    flags: ["--dangerously-skip-permissions"],
  },
  { turns: [call("bash", { command: "cat src/a.ts" }), answer], flags: ["--continue"] },
  {
    files: {
      ".kedge/skills/release/SKILL.md": "---\nname: release\ndescription: How to release.\n---\nRun the tests first.\n",
      ".kedge/commands/check.md": "---\ndescription: Check it.\n---\nCheck everything.\n",
      ".kedge/config.json": `{"hooks":{"PreToolUse":[{"matcher":"bash","hooks":[{"type":"command","command":"true"}]}]}}`,
    },
    turns: [call("bash", { command: "ls" }), answer],
    flags: ["--trust"],
  },
];

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "kedge-late-modules-"));
  try {
    rmSync(dist, { recursive: true, force: true });
    mkdirSync(dist, { recursive: true });
    await build({ root, ...programEntries(root), outDirectory: dist, lateModules: new Map(), isReadable: true });
    const short = await coverageOf(directory, shortRuns);
    const atWork = await coverageOf(directory, runsAtWork);
    const lists = chooseParts(short.filter((_, index) => index !== preparing).flat(), atWork.flat());
    writeFileSync(lateModulesFile, `${JSON.stringify(lists, undefined, 2)}\n`);
    process.stdout.write(`${lists.work.length} modules for runs at work, ${lists.late.length} for others\n`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
    rmSync(dist, { recursive: true, force: true });
  }
}

function chooseParts(short: readonly Coverage[], atWork: readonly Coverage[]): LateModuleLists {
  const [lateFile = ""] = globSync("late-*.cjs", { cwd: dist });
  const text = (name: string) => readFileSync(join(dist, name), "latin1");
  const calledShort = calledModules("main.cjs", text("main.cjs"), short);
  const calledAtWork = calledModules("main.cjs", text("main.cjs"), atWork);
  const movable = modulesOf(text("main.cjs")).filter((path) => !calledShort.has(path) && isMovable(path));
  const given = givenModules(lateFile, text(lateFile), [...short, ...atWork]);
  return {
    work: [...movable.filter((path) => calledAtWork.has(path)), ...given].sort(),
    late: movable.filter((path) => !calledAtWork.has(path)).sort(),
  };
}

function isMovable(path: string): boolean {
  return path.endsWith(".ts") && exportedFunctions(readFileSync(join(root, path), "utf8")) !== undefined;
}

/** One after the other in one project and one home; what each run called. */
async function coverageOf(
  directory: string,
  scenarios: readonly Scenario[],
): Promise<readonly (readonly Coverage[])[]> {
  const place = mkdtempSync(join(directory, "runs-"));
  const [home, project] = [join(place, "home"), join(place, "project")];
  put(join(project, "src/a.ts"), 'export const a = "alpha";\n');
  execFileSync("git", ["init", "--quiet"], { cwd: project });
  const found: (readonly Coverage[])[] = [];
  for (const [index, { files = {}, turns, flags = [] }] of scenarios.entries()) {
    for (const [path, text] of Object.entries(files)) put(join(project, path), text);
    const model = await startMockModel({ script: turns });
    const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "key" } };
    put(join(home, "config.json"), JSON.stringify({ model: "mock/mock-model", provider }));
    // What comes from a code cache is counted by function only.
    rmSync(join(home, "cache"), { recursive: true, force: true });
    const into = join(place, `coverage-${index}`);
    const argv = [join(dist, "kedge.js"), "-p", "Read the files and answer.", ...flags];
    const environment = { PATH: process.env["PATH"], HOME: place, KEDGE_HOME: home, NODE_V8_COVERAGE: into };
    const child = spawn(process.execPath, argv, {
      cwd: project,
      env: environment,
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [code] = await once(child, "exit");
    await model.close();
    if (code !== 0) throw new Error(`run ${index} ended with ${code}`);
    found.push(readCoverage(into));
  }
  return found;
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function readCoverage(directory: string): readonly Coverage[] {
  // The form is that of V8.
  return readdirSync(directory).map((name) => JSON.parse(readFileSync(join(directory, name), "utf8")) as Coverage);
}

await main();
