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
  /** What the user installed before, as arguments of the program. */
  readonly before?: readonly string[];
  readonly files?: { readonly [path: string]: string };
  /** Beside those of the model. */
  readonly settings?: { readonly [name: string]: unknown };
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

const installed = {
  "plugin/.claude-plugin/plugin.json": `{"name":"team","version":"1.0.0","description":"What a team shares."}`,
  "plugin/skills/deploy/SKILL.md": "---\nname: deploy\ndescription: How to deploy.\n---\nDeploy it.\n",
  "plugin/commands/ship.md": "---\ndescription: Ship it.\n---\nShip everything.\n",
  "plugin/hooks/hooks.json": `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"}]}]}}`,
};

/** What a start needs beside extensions that the user or a project installed; nothing of them is used. */
const startsWithExtras: readonly Scenario[] = [
  {
    files: {
      ".kedge/skills/release/SKILL.md": "---\nname: release\ndescription: How to release.\n---\nRun the tests first.\n",
      ".kedge/commands/check.md": "---\ndescription: Check it.\n---\nCheck everything.\n",
      ".kedge/config.json": `{"hooks":{"PreToolUse":[{"matcher":"bash","hooks":[{"type":"command","command":"true"}]}]}}`,
    },
    turns: [answer],
    flags: ["--trust"],
  },
  { files: installed, before: ["plugin", "add", "./plugin", "--yes"], turns: [answer], flags: ["--trust"] },
];

/** What the part for runs at work has. */
const plainWork: readonly Scenario[] = [
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
  { turns: [call("bash", { command: "cat src/a.ts", description: "Show" }), answer], flags: ["--continue"] },
];

const workWithExtras: readonly Scenario[] = [
  {
    files: {
      ".kedge/skills/release/SKILL.md": "---\nname: release\ndescription: How to release.\n---\nRun the tests first.\n",
      ".kedge/commands/check.md": "---\ndescription: Check it.\n---\nCheck everything.\n",
      ".kedge/config.json": `{"hooks":{"PreToolUse":[{"matcher":"bash","hooks":[{"type":"command","command":"true"}]}]}}`,
    },
    turns: [call("bash", { command: "ls", description: "List" }), answer],
    flags: ["--trust"],
  },
  {
    files: {
      ...installed,
      "plugin/hooks/hooks.json": `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}`,
    },
    before: ["plugin", "add", "./plugin", "--yes"],
    turns: [call("bash", { command: "ls", description: "List" }), answer],
    flags: ["--trust"],
  },
  // Ends before its server is connected: what speaks with servers is loaded beside the first answer, and is large.
  { settings: { mcp: { notes: { command: "true" } } }, turns: [answer] },
];

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "kedge-late-modules-"));
  try {
    rmSync(dist, { recursive: true, force: true });
    mkdirSync(dist, { recursive: true });
    await build({ root, ...programEntries(root), outDirectory: dist, lateModules: new Map(), isReadable: true });
    const short = await coverageOf(directory, shortRuns);
    const extras = await coverageOf(directory, startsWithExtras);
    const plain = await coverageOf(directory, plainWork);
    const atWork = await coverageOf(directory, workWithExtras);
    const lists = chooseParts({
      short: short.filter((_, index) => index !== preparing).flat(),
      extras: extras.flat(),
      plain: plain.flat(),
      atWork: [...plain.flat(), ...atWork.flat()],
    });
    writeFileSync(lateModulesFile, `${JSON.stringify(lists, undefined, 2)}\n`);
    const { extras: ofExtras, work, late } = lists;
    process.stdout.write(
      `${ofExtras.length} modules for starts with extensions, ${work.length} for runs at work, ${late.length} for others\n`,
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
    rmSync(dist, { recursive: true, force: true });
  }
}

type Coverages = { readonly [Run in "short" | "extras" | "plain" | "atWork"]: readonly Coverage[] };

function chooseParts({ short, extras, plain, atWork }: Coverages): LateModuleLists {
  const [lateFile = ""] = globSync("late-*.cjs", { cwd: dist });
  const text = (name: string) => readFileSync(join(dist, name), "latin1");
  const calledShort = calledModules("main.cjs", text("main.cjs"), short);
  const calledByExtras = calledModules("main.cjs", text("main.cjs"), extras);
  const calledAtWork = calledModules("main.cjs", text("main.cjs"), atWork);
  const calledPlainly = calledModules("main.cjs", text("main.cjs"), plain);
  // What both need stays in the first part, so that work without extensions loads nothing of theirs.
  const isShared = (path: string) => calledByExtras.has(path) && calledPlainly.has(path);
  const movable = modulesOf(text("main.cjs")).filter(
    (path) => !calledShort.has(path) && !isShared(path) && isMovable(path),
  );
  const givenToExtras = givenModules(lateFile, text(lateFile), extras);
  const given = givenModules(lateFile, text(lateFile), [...short, ...atWork]);
  const rest = movable.filter((path) => !calledByExtras.has(path));
  return {
    extras: [...movable.filter((path) => calledByExtras.has(path)), ...givenToExtras].sort(),
    work: [
      ...rest.filter((path) => calledAtWork.has(path)),
      ...given.filter((path) => !givenToExtras.includes(path)),
    ].sort(),
    late: rest.filter((path) => !calledAtWork.has(path)).sort(),
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
  for (const [index, { files = {}, settings = {}, before, turns, flags = [] }] of scenarios.entries()) {
    for (const [path, text] of Object.entries(files)) put(join(project, path), text);
    const model = await startMockModel({ script: turns });
    const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "key" } };
    put(join(home, "config.json"), JSON.stringify({ model: "mock/mock-model", provider, ...settings }));
    // What comes from a code cache is counted by function only.
    rmSync(join(home, "cache"), { recursive: true, force: true });
    const into = join(place, `coverage-${index}`);
    const program = join(dist, "kedge.js");
    const argv = [program, "-p", "Read the files and answer.", ...flags];
    const environment = { PATH: process.env["PATH"], HOME: place, KEDGE_HOME: home };
    if (before !== undefined)
      execFileSync(process.execPath, [program, ...before], {
        cwd: project,
        env: environment,
        stdio: ["ignore", "ignore", "inherit"],
      });
    const child = spawn(process.execPath, argv, {
      cwd: project,
      env: { ...environment, NODE_V8_COVERAGE: into },
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
