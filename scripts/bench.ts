/** Runs the outside benchmark on the bare agent and on kedge, and holds their ratios against the budget. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const defaultScenarios = "start,one,t100,stream";

type Budget = {
  readonly name: string;
  /** Where the figure stands in a result file. */
  readonly path: readonly string[];
  readonly unit: string;
  readonly limit: { readonly kind: "ratio" | "absolute"; readonly max: number };
};

const budgets: readonly Budget[] = [
  { name: "--version", path: ["version", "medMs"], unit: "ms", limit: { kind: "ratio", max: 1.1 } },
  { name: "one-shot", path: ["one", "wall"], unit: "ms", limit: { kind: "ratio", max: 1.2 } },
  { name: "one-shot memory", path: ["one", "maxrssMB"], unit: "MB", limit: { kind: "absolute", max: 70 } },
  { name: "turn, median", path: ["t100", "gap", "med"], unit: "ms", limit: { kind: "ratio", max: 0.7 } },
  { name: "turn, p95", path: ["t100", "gap", "p95"], unit: "ms", limit: { kind: "ratio", max: 1.0 } },
  { name: "stream CPU", path: ["stream", "cpu"], unit: "s", limit: { kind: "ratio", max: 0.8 } },
  { name: "stream memory", path: ["stream", "maxrssMB"], unit: "MB", limit: { kind: "absolute", max: 110 } },
];

/** command:package, for what the benchmark runs. */
const systemNeeds = ["unshare:util-linux", "ip:iproute2", "tmux:tmux", "time:time"];

function main(scenarios: string): number {
  const folder = process.env["KEDGE_BENCH"] ?? resolve(root, "../shared/bench");
  if (!existsSync(join(folder, "bench.sh"))) {
    return fail(`there is no benchmark in ${folder}; get a copy and set KEDGE_BENCH to its folder.`);
  }
  if (process.getuid?.() !== 0) return fail("the benchmark makes a network of its own and needs root; run it as root.");
  const missing = systemNeeds.filter((need) => !isOnPath(need.split(":")[0] ?? ""));
  if (missing.length > 0 && !installPackages(missing.map((need) => need.split(":")[1] ?? ""))) {
    return fail(`could not install what the benchmark needs: ${missing.join(", ")} (command:package).`);
  }
  const out = mkdtempSync(join(tmpdir(), "kedge-bench-"));
  try {
    const { status } = spawnSync("sh", [join(folder, "bench.sh"), "floor,kedge", scenarios], {
      stdio: "inherit",
      env: {
        ...process.env,
        BENCH_OUT: out,
        PEERS_DIR: join(out, "peers"),
        KEDGE_PROJECT: root,
        BENCH_NODE: process.execPath,
        KEDGE_NODE: process.execPath,
      },
    });
    if (status !== 0) return fail(`the benchmark ended with ${status}.`);
    const [floor, kedge] = [readResult(join(out, "floor.json")), readResult(join(out, "kedge.json"))];
    if ([floor, kedge].some(isNoisy))
      process.stdout.write("The machine was busy during the runs; the ratios are rough.\n");
    return printTable(floor, kedge);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** Returns 1 when anything is over its budget. */
function printTable(floor: unknown, kedge: unknown): number {
  const rows = budgets.map((budget) => describe(budget, numberAt(floor, budget.path), numberAt(kedge, budget.path)));
  const header = ["measure", "bare", "kedge", "ratio", "budget", ""];
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of [header, ...rows]) {
    process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}\n`);
  }
  return rows.some((row) => row.at(-1) === "OVER") ? 1 : 0;
}

function describe(budget: Budget, floor: number | undefined, kedge: number | undefined): readonly string[] {
  const { kind, max } = budget.limit;
  const show = (value: number | undefined) => (value === undefined ? "-" : `${value} ${budget.unit}`);
  const ratio = floor === undefined || kedge === undefined ? undefined : kedge / floor;
  const judged = kind === "ratio" ? ratio : kedge;
  const mark = judged === undefined ? "not measured" : judged <= max ? "ok" : "OVER";
  const limit = kind === "ratio" ? `<= ${max} x` : `<= ${max} ${budget.unit}`;
  return [budget.name, show(floor), show(kedge), ratio === undefined ? "-" : `${ratio.toFixed(2)} x`, limit, mark];
}

/** The benchmark counts the runs during which nothing else used the processor. */
function isNoisy(result: unknown): boolean {
  const clean = numberAt(result, ["version", "clean"]);
  return clean !== undefined && clean < (numberAt(result, ["version", "n"]) ?? 0);
}

function readResult(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

function numberAt(value: unknown, path: readonly string[]): number | undefined {
  let found = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null) return undefined;
    found = Object.entries(found).find(([key]) => key === name)?.[1];
  }
  return typeof found === "number" ? found : undefined;
}

function isOnPath(command: string): boolean {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return [...folders, "/usr/sbin", "/sbin"].some((folder) => existsSync(join(folder, command)));
}

function installPackages(names: readonly string[]): boolean {
  process.stderr.write(`bench: installing ${names.join(", ")} ...\n`);
  const install = 'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"';
  return spawnSync("sh", ["-c", install, "sh", ...names], { stdio: "ignore" }).status === 0;
}

function fail(sentence: string): number {
  process.stderr.write(`bench: ${sentence}\n`);
  return 1;
}

process.exitCode = main(process.argv[2] ?? defaultScenarios);
