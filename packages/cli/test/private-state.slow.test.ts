/** Proves that what kedge keeps is for its owner alone whatever the umask is, and that a home that is too open is closed. */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ended, openWorkbench, type Workbench } from "./workbench.ts";

const entry = join(import.meta.dirname, "../../../dist/kedge.js");
let bench: Workbench;
beforeEach(async () => {
  bench = await openWorkbench([
    { toolCalls: [{ name: "write", input: { filePath: "made.txt", content: "made\n" } }] },
    { toolCalls: [{ name: "bash", input: { command: "seq 100000; echo changed > made.txt" } }] },
    { text: "Done." },
  ]);
});
afterEach(() => bench.close());

function run(umask: string, ...argv: readonly string[]) {
  const environment = { PATH: process.env["PATH"], HOME: bench.directory, KEDGE_HOME: bench.home, TERM: "dumb" };
  const child = spawn("sh", ["-c", `umask ${umask}; exec "$@"`, "sh", process.execPath, entry, ...argv], {
    cwd: bench.project,
    env: environment,
  });
  child.stdin.end();
  return ended(child);
}

/** Everything below that others could read, write or enter, and every folder that its owner cannot use. */
function openOnes(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((each) => {
    const path = join(directory, each.name);
    const mode = lstatSync(path).mode & 0o777;
    const isWrong = each.isDirectory() ? mode !== 0o700 : !each.isSymbolicLink() && (mode & 0o077) !== 0;
    const own = isWrong ? [`${path.slice(bench.home.length)} ${mode.toString(8)}`] : [];
    return each.isDirectory() ? [...own, ...openOnes(path)] : own;
  });
}

test.each(["000", "022", "077"])("with a umask of %s", async (umask) => {
  chmodSync(join(bench.home, "config.json"), 0o600);
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x", "--allow-empty"], {
    cwd: bench.project,
  });
  const done = await run(umask, "-p", "work", "--allow", "edit,write,bash");
  expect({ code: done.code, stdout: done.stdout }).toEqual({ code: 0, stdout: "Done.\n" });
  expect((await run(umask, "undo")).code).toBe(0);
  expect((await run(umask, "redo")).code).toBe(0);
  expect((await run(umask, "config", "set", "titles.enabled", "false")).code).toBe(0);
  expect(openOnes(bench.home)).toEqual([]);
  expect(lstatSync(bench.home).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(bench.home, "data", "snapshots"))).toHaveLength(1);
});

test("a home that holds other things is named and not closed", async () => {
  mkdirSync(join(bench.home, "photographs"));
  chmodSync(bench.home, 0o755);
  const { stdout } = await run("022", "doctor", "--json");
  expect(stdout).toContain("is accessible to other users");
  expect(lstatSync(bench.home).mode & 0o777).toBe(0o755);
  rmSync(join(bench.home, "photographs"), { recursive: true });
  writeFileSync(join(bench.home, "tui.json"), "{}");
  await run("022", "doctor");
  expect(lstatSync(bench.home).mode & 0o777).toBe(0o700);
});
