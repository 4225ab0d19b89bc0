/** The real program on a disk that is full, reports errors or refuses writes, and with a clock that went back: one sentence, and nothing is lost. */
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { MockTurn } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type CrashBench,
  entry,
  expectAllClosed,
  expectNothingTwice,
  lastOfRun,
  openCrashBench,
  openStore,
  resultsIn,
  storedSession,
  textOf,
  turns,
} from "./crash-bench.ts";

let bench: CrashBench;

/** Every second turn leaves a mark; the ones between fill the disk of the home with what they say. */
function turnOf(results: number): MockTurn {
  if (results >= turns) return { text: "All turns done." };
  const call = (name: string, input: object): MockTurn => ({ toolCalls: [{ name, input }] });
  if (results % 2 === 0) return call("bash", { command: `echo mark-${results} >> marks.txt`, description: "mark" });
  return call("write", { filePath: "large.txt", content: `${results} `.repeat(40_000) });
}

beforeEach(async () => {
  bench = await openCrashBench((request) => turnOf(resultsIn(request)));
});
afterEach(() => bench.close());

type Part = { readonly code: number; readonly text: string };

/**
 * Runs a shell script where mounts are its own. Every line `run words…` starts kedge; gives what each of them printed
 * and its exit code.
 */
async function runWithMounts(cwd: string, script: string): Promise<readonly Part[]> {
  const namespaces = process.getuid?.() === 0 ? ["--mount"] : ["--user", "--map-root-user", "--mount"];
  const run = `run() { code=0; ${process.execPath} ${entry} "$@" 2>&1 </dev/null || code=$?; echo "=== $code"; }`;
  const child = spawn("unshare", [...namespaces, "sh", "-euc", `${run}\n${script}`], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: bench.folder, KEDGE_HOME: bench.home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let trouble = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (trouble += chunk.toString()));
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect({ code, trouble }).toEqual({ code: 0, trouble: "" });
  return [...output.matchAll(/([\s\S]*?)=== (\d+)\n/g)].map(([, text = "", exit]) => ({ code: Number(exit), text }));
}

/** Snapshots need the same disk, and whoever loses them is told: it depends on what else was written whether they do. */
function withoutSnapshots(part: Part | undefined) {
  const lines = part?.text.trim().split("\n") ?? [];
  return {
    code: part?.code,
    lines: lines.filter((line) => !line.startsWith("kedge: Undo is unavailable in this session")),
  };
}

/** All turns need some 2 MB. The cache of the program takes 1 MB of it where it comes first, and nothing where it comes too late. */
test.each([300, 700, 1_000, 1_400])(
  "a disk of %d kB that fills up stops the run before the next call that does something, in one sentence",
  async (sizeKb) => {
    const directory = bench.workspace("full");
    const config = join(bench.folder, "config.json");
    const copied = join(bench.folder, "copied");
    copyFileSync(join(bench.home, "config.json"), config);
    const [first, marks, again, verified, resumed, last] = await runWithMounts(
      directory,
      `mount -t tmpfs -o size=${sizeKb}k tmpfs "$KEDGE_HOME"
      cp ${config} "$KEDGE_HOME"
      run -p go
      wc -l < marks.txt; echo "=== 0"
      run -p --continue again
      mount -o remount,size=40m "$KEDGE_HOME"
      run session verify
      run -p --continue "go on"
      run session verify
      cp -r "$KEDGE_HOME" ${copied}`,
    );
    const sentence = `kedge: The disk is full: ${join(bench.home, "data/kedge.db")} cannot grow. Free some space and try again.`;
    expect([first, again].map(withoutSnapshots)).toEqual([
      { code: 1, lines: [sentence] },
      { code: 1, lines: [sentence] },
    ]);
    expect(verified).toMatchObject({ code: 0, text: expect.stringContaining("records is intact") });
    expect(resumed).toEqual({ code: 0, text: "All turns done.\n" });
    expect(last).toMatchObject({ code: 0 });
    expect(Number(marks?.text)).toBeLessThan(turns / 2);
    expectNothingTwice(directory);
    const store = openStore(copied);
    const stored = await storedSession(store, directory);
    if (stored === undefined) throw new Error("the session is gone");
    expectAllClosed(stored);
    // Each mark that was left stands for a call that was recorded before it ran.
    const started = stored.records.filter(({ fact }) => fact.type === "tool.started" && fact.tool === "bash");
    expect(textOf(join(directory, "marks.txt")).trim().split("\n").length).toBe(started.length);
    await store.close();
  },
);

test("a home that cannot be written is one sentence, and nothing is left half-written", async () => {
  const directory = bench.workspace("read-only");
  const script = `mount --bind "$KEDGE_HOME" "$KEDGE_HOME"
    mount -o remount,ro,bind "$KEDGE_HOME"
    run -p go
    find "$KEDGE_HOME" -type f | sort; echo "=== 0"`;
  const [fresh, files] = await runWithMounts(directory, script);
  expect(fresh?.code).toBe(1);
  const sentence = `kedge: Cannot write to the kedge directory ${bench.home} (the file system is read-only). Make it writable, or set KEDGE_HOME to a directory that is.\n`;
  expect(fresh?.text).toBe(sentence);
  expect(files?.text).toBe(`${join(bench.home, "config.json")}\n`);

  expect(await bench.run(directory, ["-p", "go"])).toMatchObject({ code: 0 });
  const marks = textOf(join(directory, "marks.txt"));
  const [existing] = await runWithMounts(directory, script);
  expect(existing).toEqual({ code: 1, text: sentence });
  expect(textOf(join(directory, "marks.txt"))).toBe(marks);
  const store = openStore(bench.home);
  expect(lastOfRun((await storedSession(store, directory))?.records ?? [])).toMatchObject({ type: "run.ended" });
  await store.close();
});

function preloaded(): string {
  const library = join(bench.folder, "failing-disk.so");
  execFileSync("cc", ["-shared", "-fPIC", "-o", library, join(import.meta.dirname, "failing-disk.c"), "-ldl"]);
  return library;
}

test("a disk that fails to sync stops the run, and what was stored stays", { timeout: 120_000 }, async () => {
  const library = preloaded();
  const store = openStore(bench.home);
  let failed = 0;
  for (const after of [0, 1, 2, 3, 5, 8]) {
    const directory = bench.workspace(`failing-${after}`);
    const environment = { LD_PRELOAD: library, FAIL_SYNC_OF: "kedge.db", FAIL_SYNC_AFTER: String(after) };
    const ended = await bench.run(directory, ["-p", "go"], { environment });
    if (ended.code !== 0) {
      failed += 1;
      expect(ended.code).toBe(1);
      const sentence = `kedge: The disk reported an error while using ${join(bench.home, "data/kedge.db")}. Check the disk and try again.\n`;
      expect(ended.stderr).toBe(sentence);
    }
    const isStored = (await storedSession(store, directory)) !== undefined;
    const last = await bench.run(directory, ["-p", ...(isStored ? ["--continue"] : []), "go on"]);
    expect(last).toMatchObject({ code: 0, stdout: "All turns done.\n" });
    const stored = await storedSession(store, directory);
    if (stored === undefined) throw new Error("the session is gone");
    expectAllClosed(stored);
    expectNothingTwice(directory);
  }
  console.log(`${failed} runs met a failing disk`);
  expect(failed).toBeGreaterThan(1);
  await store.close();
});

test("a clock that goes back a day disturbs neither order nor leases nor ids", async () => {
  const environment = { LD_PRELOAD: preloaded(), CLOCK_BACK_SECONDS: "86400" };
  const directory = bench.workspace("yesterday");
  // Killed, so that its lease is still there and seems to hold for a day.
  const isMarked = () => textOf(join(directory, "marks.txt")).includes("mark-2");
  const until = (async () => expect.poll(isMarked).toBe(true))();
  await bench.run(directory, ["-p", "go"], { until });
  expect(await bench.run(directory, ["-p", "--continue", "go on"], { environment })).toMatchObject({
    code: 0,
    stdout: "All turns done.\n",
  });
  const store = openStore(bench.home);
  const stored = await storedSession(store, directory);
  if (stored === undefined) throw new Error("the session is gone");
  const times = stored.records.map(({ time }) => time);
  expect(Math.min(...times)).toBeLessThan((times[0] ?? 0) - 80_000_000);
  expectAllClosed(stored);
  expectNothingTwice(directory);
  const ids = stored.records.flatMap(({ fact }) => (fact.type === "step.started" ? [fact.stepId] : []));
  expect(new Set(ids).size).toBe(ids.length);
  expect(await bench.run(directory, ["-p", "--continue", "and today"])).toMatchObject({ code: 0 });
  expect((await storedSession(store, directory))?.state.runId).toBeUndefined();
  await store.close();
});
