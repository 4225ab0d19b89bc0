/**
 * Runs the outside benchmark and holds every figure against the budget: the bare agent and kedge in eight alternating
 * rounds, then kedge's exit and terminal, a run of 1,000 turns, and a session of 10,000 messages.
 *
 * `npm run bench [rounds] [scenarios]`; with scenarios named, only these pairs are run.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { budgetTable, judgeBudget } from "./budget.ts";

const root = resolve(import.meta.dirname, "..");
const roundsDefault = "8";
const allPairs = "version,one,t100,reread,stream";

/** command:package, for what the benchmark runs. */
const systemNeeds = ["unshare:util-linux", "ip:iproute2", "tmux:tmux", "time:time"];

function main(rounds: string, named: string | undefined): number {
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
  const bench = (program: string, ...words: readonly string[]) =>
    runScript("sh", [join(folder, "bench.sh"), ...words], {
      BENCH_MAIN: program,
      BENCH_OUT: out,
      PEERS_DIR: join(out, "peers"),
      KEDGE_PROJECT: root,
      BENCH_NODE: process.execPath,
      KEDGE_NODE: process.execPath,
    });
  try {
    const ran = [bench("pairs.mjs", rounds, named ?? allPairs)];
    if (named === undefined) {
      ran.push(bench("run.mjs", "kedge", "t100,tui"));
      ran.push(runScript(process.execPath, [join(root, "scripts/bench-growth.ts")]));
      ran.push(runScript(process.execPath, [join(root, "scripts/bench-store.ts"), "one"]));
    }
    const rows = judgeBudget({ pairs: readResult(join(out, "pairs.json")), run: readResult(join(out, "kedge.json")) });
    const wanted = rows.filter(({ path: [source, scenario = ""] }) =>
      named === undefined ? true : source === "pairs" && named.split(",").includes(scenario),
    );
    process.stdout.write(`\n${budgetTable(wanted)}`);
    return ran.every((isFine) => isFine) && wanted.every(({ verdict }) => verdict === "ok") ? 0 : 1;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function runScript(command: string, words: readonly string[], environment: { readonly [name: string]: string } = {}) {
  const { status } = spawnSync(command, words, { stdio: "inherit", env: { ...process.env, ...environment } });
  if (status !== 0) fail(`${words.join(" ")} ended with ${status}.`);
  return status === 0;
}

function readResult(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
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

process.exitCode = main(process.argv[2] ?? roundsDefault, process.argv[3]);
