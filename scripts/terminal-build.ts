/** A build of kedge of one's own, which nobody replaces while it is measured or drawn. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build, programEntries } from "./build.ts";

export type OwnBuild = { readonly entry: string; remove(): void };

export async function buildApart(): Promise<OwnBuild> {
  const root = resolve(import.meta.dirname, "..");
  const directory = mkdtempSync(join(tmpdir(), "kedge-build-"));
  const outDirectory = join(directory, "dist");
  mkdirSync(outDirectory);
  // Packages that are not bundled are looked for beside the program.
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
  await build({ root, ...programEntries(root), outDirectory });
  return {
    entry: join(outDirectory, "kedge.js"),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
