/** Writes what documents tell of settings from their declarations: a description for editors, and a table for people. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

function printed(...words: readonly string[]): string {
  return execFileSync(process.execPath, [join(root, "packages/cli/src/run.ts"), "config", ...words], {
    encoding: "utf8",
  });
}

writeFileSync(join(root, "docs/kedge.schema.json"), printed("schema"));
writeFileSync(join(root, "docs/settings.md"), printed("list", "--format", "md"));
