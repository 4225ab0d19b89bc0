/** Brings `dist` up to date before any test runs, because the end-to-end tests start the bundled program. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

export default function buildBeforeTests(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, "build.ts")], { stdio: "inherit" });
}
