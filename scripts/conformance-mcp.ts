/**
 * Runs the conformance suite of MCP against kedge: the required scenarios of both revisions, and those of the tasks
 * extension as a row of their own. The last line is `client N/50 server N/67 tasks N/10`. A warning counts as a failure.
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

/** What the suite publishes about a revision, as far as it is used here. */
type Requirements = {
  readonly client: readonly string[];
  readonly server: readonly string[];
  readonly not_scored: readonly { readonly scenario: string; readonly leg: "client" | "server" }[];
};

type Score = { readonly passed: number; readonly all: number };

const root = join(import.meta.dirname, "..");
const suite = dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json"));
const fixtures = join(root, "packages/extend/test/mcp-conformance");
const timeoutMs = "60000";
/** The suite itself would start all clients at once, which no machine bears. */
const clientsMax = 2;
/** Of what is told about one failure. */
const linesMax = 20;

const results = mkdtempSync(join(tmpdir(), "kedge-conformance-"));
try {
  const client = await scoreClient();
  const { server, tasks } = await scoreServer();
  console.log(`client ${shown(client)} server ${shown(server)} tasks ${shown(tasks)}`);
  // Tasks are an extension: what is missing there is told, and required of nobody.
  if (client.passed < client.all || server.passed < server.all) process.exitCode = 1;
} finally {
  rmSync(results, { recursive: true, force: true });
}

function shown({ passed, all }: Score): string {
  return `${passed}/${all}`;
}

function requirementsOf(revision: Revision): Requirements {
  return parse(readFileSync(join(suite, "requirements", `${revision}.yaml`), "utf8")) as Requirements;
}

async function scoreClient(): Promise<Score> {
  const waiting = revisions.flatMap((revision) => requirementsOf(revision).client.map((name) => ({ revision, name })));
  const all = waiting.length;
  let passed = 0;
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { revision, name } = next;
      const command = `${process.execPath} ${join(fixtures, "client.ts")}`;
      const words = ["--command", command, "--scenario", name, "--spec-version", revision, "--timeout", timeoutMs];
      const { code, output } = await runSuite(["client", ...words]);
      const isPassed = code === 0 && / 0 failed, 0 warnings/.test(output);
      if (isPassed) passed++;
      report({ isPassed, revision, what: `client ${name}`, output });
    }
  };
  await Promise.all(Array.from({ length: clientsMax }, work));
  return { passed, all };
}

async function scoreServer(): Promise<{ readonly server: Score; readonly tasks: Score }> {
  const required = { passed: 0, all: 0 };
  const tasks = { passed: 0, all: 0 };
  const started = await startServer();
  try {
    for (const revision of revisions) {
      const { server, not_scored: unscored } = requirementsOf(revision);
      const words = ["--url", started.url, "--requirements", revision, "--timeout", timeoutMs];
      const { output } = await runSuite(["server", ...words]);
      const count = (score: { passed: number; all: number }, name: string) => {
        const isPassed = new RegExp(`^✓ ${name}: \\d+ passed, 0 failed$`, "m").test(output);
        score.all++;
        if (isPassed) score.passed++;
        report({ isPassed, revision, what: `server ${name}`, output });
      };
      for (const name of server) count(required, name);
      for (const { scenario } of unscored) if (scenario.startsWith("tasks-")) count(tasks, scenario);
    }
  } finally {
    started.process.stdin?.end();
  }
  return { server: required, tasks };
}

type Report = {
  readonly isPassed: boolean;
  readonly revision: Revision;
  readonly what: string;
  readonly output: string;
};

/** The suite tells much about what went well. */
function report({ isPassed, revision, what, output }: Report): void {
  console.log(`${isPassed ? "passed" : "failed"} ${revision} ${what}`);
  if (isPassed) return;
  const lines = output.split("\n").filter((line) => /FAILURE|WARNING|Error:|timed out/.test(line));
  for (const line of lines.slice(0, linesMax)) console.log(`  ${line}`);
}

async function runSuite(words: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  const command = [join(suite, "dist/index.js"), ...words, "-o", results];
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const add = (text: string) => {
    output += text;
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", add);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

async function startServer(): Promise<{ readonly process: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [join(fixtures, "server.ts")], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  lines.once("line", resolve);
  child.once("exit", (code) => reject(new Error(`The conformance server ended with exit code ${code}.`)));
  return { process: child, url: await promise };
}
