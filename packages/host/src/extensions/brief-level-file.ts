/** The level of brevity chosen last, for scripts that print a status line. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../machine/replace-file.ts";

/** `home` is kedge's own directory; without a level there is no file. */
export function keepBriefLevel(home: string, level: string | undefined): void {
  const folder = join(home, "run");
  const path = join(folder, "brief-level");
  if (level === undefined) rmSync(path, { force: true });
  else {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    replaceFile(path, `${level}\n`);
  }
}
