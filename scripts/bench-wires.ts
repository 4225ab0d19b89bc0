/** Measures a 2 MB answer in 65,536 deltas on every wire against the bare agent, in one run of the built kedge. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const folder = process.env["KEDGE_BENCH"] ?? resolve(root, "../shared/bench");
const wires = ["openai-chat", "openai-responses", "anthropic", "google"] as const;
const runsEach = Number(process.argv[2] ?? 5);
const cpuRatioMax = 0.8;
const memoryMaxMb = 110;

type Figures = { readonly cpuSeconds: number; readonly memoryMb: number };

/** The port on which the scripted model of the benchmark listens is in the first line that it prints. */
async function startModel(directory: string): Promise<{ readonly port: string; readonly stop: () => void }> {
  const script = join(directory, "script.json");
  writeFileSync(script, JSON.stringify({ turns: [{ textBytes: 2 * 1024 * 1024, delta: 32 }] }));
  const server = spawn(process.execPath, [join(folder, "mock-llm/server.mjs"), "--port", "0", "--script", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(server.stdout, "data");
  const port = /\d{4,5}/.exec(String(line))?.[0];
  if (port === undefined) throw new Error(`the model did not say where it listens: ${line}`);
  return { port, stop: () => server.kill() };
}

type Subject = (port: string) => { readonly args: string[]; readonly env: NodeJS.ProcessEnv };

async function measure(directory: string, argv: Subject): Promise<Figures> {
  const model = await startModel(directory);
  try {
    const figures = join(directory, "time.txt");
    const { args, env } = argv(model.port);
    const timed = ["-f", "%U %S %M", "-o", figures, process.execPath, ...args];
    const { status } = spawnSync("/usr/bin/time", timed, {
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["ignore", "ignore", "inherit"],
      cwd: directory,
    });
    if (status !== 0) throw new Error(`${args[0]} ended with ${status}`);
    const [user = 0, system = 0, kilobytes = 0] = readFileSync(figures, "utf8").trim().split(/\s+/).map(Number);
    return { cpuSeconds: user + system, memoryMb: kilobytes / 1024 };
  } finally {
    model.stop();
  }
}

function kedgeOn(directory: string, api: string) {
  const home = join(directory, `home-${api}`);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return (port: string) => {
    const baseURL = `http://127.0.0.1:${port}/${api === "google" ? "v1beta" : "v1"}`;
    const models = { "mock-model": { context: 1_000_000, output: 64_000 } };
    const provider = { mock: { api, baseURL, apiKey: "x", models } };
    writeFileSync(join(home, "config.json"), JSON.stringify({ model: "mock/mock-model", provider }));
    return { args: [join(root, "dist/kedge.js"), "-p", "go"], env: { HOME: directory, KEDGE_HOME: home } };
  };
}

function bareAgent(port: string) {
  return { args: [join(folder, "floor-agent.mjs"), "go"], env: { LLM_BASE: `http://127.0.0.1:${port}/v1` } };
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[values.length >> 1] ?? Number.NaN;
}

/** Subjects take turns, so that a busy minute of the machine falls on all of them. */
async function main(): Promise<number> {
  if (!existsSync(join(folder, "bench.sh"))) {
    process.stderr.write(`bench: there is no benchmark in ${folder}; get a copy and set KEDGE_BENCH to its folder.\n`);
    return 1;
  }
  const directory = mkdtempSync(join(tmpdir(), "kedge-wires-"));
  try {
    const subjects = new Map<string, Subject>([
      ["bare", bareAgent],
      ...wires.map((wire) => [wire, kedgeOn(directory, wire)] as const),
    ]);
    const figures = new Map([...subjects.keys()].map((name) => [name, [] as Figures[]]));
    // The first run of each wire fills the code cache.
    for (let run = 0; run <= runsEach; run += 1) {
      for (const [name, argv] of subjects) {
        const measured = await measure(directory, argv);
        if (run > 0) figures.get(name)?.push(measured);
      }
    }
    return print(figures);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function print(figures: ReadonlyMap<string, readonly Figures[]>): number {
  const bare = median(figures.get("bare")?.map(({ cpuSeconds }) => cpuSeconds) ?? []);
  let over = false;
  for (const [name, runs] of figures) {
    const cpu = median(runs.map(({ cpuSeconds }) => cpuSeconds));
    const memory = median(runs.map(({ memoryMb }) => memoryMb));
    const fits = name === "bare" || (cpu / bare <= cpuRatioMax && memory <= memoryMaxMb);
    over ||= !fits;
    const ratio = (cpu / bare).toFixed(2);
    process.stdout.write(
      `${name.padEnd(18)} ${cpu.toFixed(2)} s  ${ratio} x  ${memory.toFixed(1)} MB  ${fits ? "ok" : "OVER"}\n`,
    );
  }
  process.stdout.write(`budget: <= ${cpuRatioMax} x the bare agent's CPU, <= ${memoryMaxMb} MB\n`);
  return over ? 1 : 0;
}

process.exitCode = await main();
