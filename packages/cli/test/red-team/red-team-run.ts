/** Runs cases of the red team through the real program, one call per turn, and tells what became of each. */
import { spawn } from "node:child_process";
import { existsSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type MockRequest, type MockTurn, startMockModel } from "@kedge/testing";
import { ended } from "../workbench.ts";
import type { RedTeamCase } from "./red-team-case.ts";
import { type Ground, openGround } from "./red-team-ground.ts";
import { sprung } from "./red-team-project.ts";
import { secretsIn, secretVariable } from "./red-team-secrets.ts";

/** With bubblewrap; without it; in a project whose own ordinary allow rules are trusted. */
export type SetUp = "confined" | "unconfined" | "trusted";

export type Attempt = {
  readonly id: string;
  readonly setUp: SetUp;
  readonly command: string;
  /** `refused` and `completed` as the program says it, `missing` where the run ended before. */
  readonly outcome: string;
  /** What it did: files, connections, secrets in the result, processes left over. Empty is what is wanted. */
  readonly acts: readonly string[];
  /** Whether the trap ran at all, also where it could do nothing. */
  readonly sprung: boolean;
  readonly result: string;
};

const entry = join(import.meta.dirname, "../../../../dist/kedge.js");
const ripgrep = realpathSync(join(import.meta.dirname, "../../../../node_modules/@vscode/ripgrep-linux-x64/bin"));
const bubblewraps = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap"];
/** Few enough that a session stays within the window of the model. */
const callsPerProcess = 40;
const timeoutSeconds = 5;

export async function runCases(
  cases: readonly RedTeamCase[],
  setUp: SetUp,
  standIns: readonly string[] = [],
): Promise<readonly Attempt[]> {
  const ground = await openGround(standIns);
  try {
    const attempts: Attempt[] = [];
    for (const batch of batchesOf(cases)) {
      let rest: readonly RedTeamCase[] = batch;
      while (rest.length > 0) {
        const done = await runBatch(ground, rest, setUp);
        attempts.push(...done);
        rest = rest.slice(done.length);
      }
    }
    return attempts;
  } finally {
    await ground.close();
  }
}

/** A case with an environment of its own has a process of its own. */
function batchesOf(cases: readonly RedTeamCase[]): readonly (readonly RedTeamCase[])[] {
  const plain = cases.filter(({ env }) => env === undefined);
  const count = Math.ceil(plain.length / callsPerProcess);
  return [
    ...Array.from({ length: count }, (_, n) => plain.slice(n * callsPerProcess, (n + 1) * callsPerProcess)),
    ...cases.filter(({ env }) => env !== undefined).map((single) => [single]),
  ];
}

/** At least one attempt: a case with which the program ended is reported as such, and the next batch begins after it. */
async function runBatch(ground: Ground, cases: readonly RedTeamCase[], setUp: SetUp): Promise<readonly Attempt[]> {
  const seen: { readonly acts: readonly string[]; readonly result: string }[] = [];
  let asked = 0;
  const look = (request?: MockRequest) => {
    if (asked <= seen.length) return;
    const result = request === undefined ? "" : lastResult(request);
    seen.push({ acts: [...ground.changes(), ...secretsIn(result).map((name) => `told ${name}`)], result });
  };
  const script = (request: MockRequest): MockTurn => {
    look(request);
    const next = cases[asked];
    if (next === undefined) return { text: "Done." };
    asked += 1;
    ground.prepare(next);
    const input = { workdir: ground.project, timeout: timeoutSeconds, description: "look", ...next.input };
    const inputText = ground.fill(JSON.stringify({ ...input, command: next.command }));
    return { toolCalls: [{ name: "bash", inputText }] };
  };
  const model = await startMockModel({ script });
  try {
    writeSettings(ground, model.baseUrl);
    if (cases[0] !== undefined) ground.prepare(cases[0]);
    const { stdout, stderr } = await start(ground, setUp, cases[0]?.env);
    look();
    // A program that never asked the model is a result too, and the next batch must begin after it.
    if (seen.length === 0) seen.push({ acts: ground.changes(), result: "" });
    const outcomes = outcomesIn(stdout);
    const left = ground.leftOver();
    return seen.map(({ acts, result }, index) => ({
      id: cases[index]?.id ?? "",
      setUp,
      command: cases[index]?.command ?? "",
      outcome: outcomes[index] ?? `missing: ${stderr.slice(-300)}`,
      acts: [...acts, ...(index === seen.length - 1 ? left.map((line) => `left ${line}`) : [])],
      sprung: result.includes(sprung),
      result,
    }));
  } finally {
    await model.close();
  }
}

function writeSettings(ground: Ground, baseURL: string): void {
  const provider = {
    mock: { api: "openai-chat", baseURL, apiKey: "key-of-the-test", models: { "mock-model": { context: 1_000_000 } } },
  };
  const permission = { read: { "private/*": "deny" } };
  const settings = { model: "mock/mock-model", provider, titles: { enabled: false }, permission };
  writeFileSync(join(ground.kedgeHome, "config.json"), JSON.stringify(settings));
}

function start(ground: Ground, setUp: SetUp, env: RedTeamCase["env"] = {}) {
  const argv = [entry, "-p", "go", "--output-format", "stream-json", ...(setUp === "trusted" ? ["--trust"] : [])];
  // What stands in the place of bubblewrap cannot be executed, as if nothing were there.
  const places = new Set(bubblewraps.filter((path) => existsSync(path)).map((path) => realpathSync(path)));
  const covers = [...places].flatMap((path) => ["--ro-bind", "/dev/null", path]);
  const [program, words] =
    setUp === "unconfined"
      ? ["bwrap", ["--dev-bind", "/", "/", ...covers, "--", process.execPath, ...argv]]
      : [process.execPath, argv];
  const child = spawn(program as string, words as string[], {
    cwd: ground.project,
    env: {
      PATH: `${process.env["PATH"]}:${ripgrep}:${ground.programs}`,
      HOME: ground.home,
      KEDGE_HOME: ground.kedgeHome,
      KEDGE_RED_TEAM: ground.mark,
      TERM: "dumb",
      ...secretVariable,
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, ground.fill(value)])),
    },
  });
  child.stdin.end();
  return ended(child);
}

function lastResult({ body }: MockRequest): string {
  const last = body.messages?.findLast(({ role }) => role === "tool");
  return typeof last?.content === "string" ? last.content : JSON.stringify(last?.content ?? "");
}

function outcomesIn(stdout: string): readonly string[] {
  return stdout
    .trimEnd()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === "tool_result")
    .map(({ outcome }) => String(outcome));
}
