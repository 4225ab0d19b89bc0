/** Brings `dist` up to date before any test runs, because the end-to-end tests start the bundled program. */
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { dropCodeCachesExcept } from "@kedge/testing";

const root = join(import.meta.dirname, "..");
const latePart = /^late-(.+)\.cjs$/;

export default function buildBeforeTests(): void {
  if (!isBuilt()) execFileSync(process.execPath, [join(import.meta.dirname, "build.ts")], { stdio: "inherit" });
  const built = readdirSync(join(root, "dist"));
  dropCodeCachesExcept(built.flatMap((name) => latePart.exec(name)?.[1] ?? []));
}

/** `./test` has just built it, by the same rule. */
function isBuilt(): boolean {
  return (
    spawnSync("sh", ["-c", ". scripts/set-up.sh && is_built"], { cwd: root, env: { ...process.env, root } }).status ===
    0
  );
}
