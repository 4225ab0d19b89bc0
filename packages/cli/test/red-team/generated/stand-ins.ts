/** Names of programs that drawn commands use and this machine lacks. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RedTeamCase } from "../red-team-case.ts";

/** The program itself lies beside the sources, and the path of a case ends with it. */
const elsewhere = new Set(["rg"]);

/** Words that are no programs get stand-ins as well, which nobody calls. */
export function standInsFor(cases: readonly RedTeamCase[]): readonly string[] {
  const words = new Set(cases.flatMap(({ command }) => command.split(/[\s;|&()`'"]+/)));
  const ofTheShell = new Set(spawnSync("bash", ["-c", "compgen -bk"], { encoding: "utf8" }).stdout.split("\n"));
  const folders = (process.env["PATH"] ?? "").split(":");
  return [...words].filter(
    (word) =>
      /^[a-z][a-z0-9.+-]*$/.test(word) &&
      !elsewhere.has(word) &&
      !ofTheShell.has(word) &&
      !folders.some((folder) => existsSync(join(folder, word))),
  );
}
