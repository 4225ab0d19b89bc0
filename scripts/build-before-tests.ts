/** Brings `dist` up to date before any test runs, because the end-to-end tests start the bundled program. */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { dropCodeCachesExcept } from "@kedge/testing";

const latePart = /^late-(.+)\.cjs$/;

export default function buildBeforeTests(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, "build.ts")], { stdio: "inherit" });
  const built = readdirSync(join(import.meta.dirname, "../dist"));
  dropCodeCachesExcept(built.flatMap((name) => latePart.exec(name)?.[1] ?? []));
}
