/** kedge on a machine that lacks a program of the sandbox: this one, with nothing in the place of that program. */
import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type Ended, ended, type Workbench } from "./workbench.ts";

const entry = join(import.meta.dirname, "../../../dist/kedge.js");

/** Where the sandbox looks for its programs. */
const directories = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/run/current-system/sw/bin"];

export function runWithout(
  program: string,
  bench: Workbench,
  argv: readonly string[],
  environment: { readonly [name: string]: string } = {},
): Promise<Ended> {
  const found = directories.map((directory) => join(directory, program)).filter((path) => existsSync(path));
  const places = new Set(found.map((path) => realpathSync(path)));
  // What stands in its place cannot be executed, as if nothing were there.
  const covers = [...places].flatMap((path) => ["--ro-bind", "/dev/null", path]);
  const child = spawn("bwrap", ["--dev-bind", "/", "/", ...covers, "--", process.execPath, entry, ...argv], {
    cwd: bench.project,
    env: { PATH: process.env["PATH"], HOME: bench.directory, KEDGE_HOME: bench.home, TERM: "dumb", ...environment },
  });
  child.stdin.end();
  return ended(child);
}
