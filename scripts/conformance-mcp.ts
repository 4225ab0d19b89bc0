/**
 * Runs the conformance suite of MCP against kedge: the required scenarios of both revisions, and those of the tasks
 * extension as a row of their own. One scenario after the other, because the suite would start dozens of clients at once.
 * The last line is `client N/50 server N/67 tasks N/10`. Names of scenarios as arguments run these alone.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { parse } from "yaml";

const revisions = ["2025-11-25", "2026-07-28"] as const;

type Revision = (typeof revisions)[number];
type Side = "client" | "server";
type Row = Side | "tasks";
type Scenario = { readonly row: Row; readonly side: Side; readonly name: string; readonly revision: Revision };

/** What the suite publishes about a revision, as far as it is used here. */
type Requirements = {
  readonly client: readonly string[];
  readonly server: readonly string[];
  readonly not_scored: readonly { readonly scenario: string; readonly leg: Side }[];
};

const root = join(import.meta.dirname, "..");
const suite = dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json"));
const fixtures = join(root, "packages/extend/test/mcp-conformance");
const timeoutMs = 60_000;

const chosen = process.argv.slice(2);
const scenarios = revisions.flatMap(scenariosOf).filter(({ name }) => chosen.length === 0 || chosen.includes(name));
const results = mkdtempSync(join(tmpdir(), "kedge-conformance-"));
try {
  process.exitCode = await run();
} finally {
  rmSync(results, { recursive: true, force: true });
}

async function run(): Promise<number> {
  const passed: Scenario[] = [];
  const failed: Scenario[] = [];
  const server = await startServer();
  try {
    for (const scenario of scenarios) {
      const outcome = await runScenario(scenario, server.url);
      (outcome.ok ? passed : failed).push(scenario);
      console.log(`${outcome.ok ? "ok    " : "failed"} ${scenario.revision} ${scenario.side} ${scenario.name}`);
      if (!outcome.ok) console.log(outcome.why);
    }
  } finally {
    server.process.stdin?.end();
  }
  const score = (row: Row) => {
    const all = scenarios.filter((scenario) => scenario.row === row).length;
    return `${row} ${passed.filter((scenario) => scenario.row === row).length}/${all}`;
  };
  console.log(`${score("client")} ${score("server")} ${score("tasks")}`);
  // Tasks are an extension: what is missing there is told, and required of nobody.
  return failed.some(({ row }) => row !== "tasks") ? 1 : 0;
}

function scenariosOf(revision: Revision): readonly Scenario[] {
  const text = readFileSync(join(suite, "requirements", `${revision}.yaml`), "utf8");
  const { client, server, not_scored: unscored } = parse(text) as Requirements;
  const tasks = unscored.filter(({ scenario }) => scenario.startsWith("tasks-")).map(({ scenario }) => scenario);
  const rowOf = (row: Row, side: Side, names: readonly string[]): readonly Scenario[] =>
    names.map((name) => ({ row, side, name, revision }));
  return [...rowOf("client", "client", client), ...rowOf("server", "server", server), ...rowOf("tasks", "server", tasks)];
}

type Outcome = { readonly ok: true } | { readonly ok: false; readonly why: string };

async function runScenario({ side, name, revision }: Scenario, serverUrl: string): Promise<Outcome> {
  const target =
    side === "client"
      ? ["--command", `${process.execPath} ${join(fixtures, "client.ts")}`, "--timeout", String(timeoutMs)]
      : ["--url", serverUrl, "--timeout", String(timeoutMs)];
  const words = [side, "--scenario", name, "--spec-version", revision, "-o", results, ...target];
  const child = spawn(process.execPath, [join(suite, "dist/index.js"), ...words], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return code === 0 ? { ok: true } : { ok: false, why: failuresIn(output) };
}

const linesMax = 20;

/** The suite tells much about what went well. */
function failuresIn(output: string): string {
  const lines = output.split("\n").filter((line) => /FAILURE|WARNING|Error:|timed out/.test(line));
  return lines.slice(0, linesMax).join("\n");
}

async function startServer(): Promise<{ readonly process: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [join(fixtures, "server.ts")], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  lines.once("line", resolve);
  child.once("exit", (code) => reject(new Error(`The conformance server ended with exit code ${code}.`)));
  return { process: child, url: await promise };
}
