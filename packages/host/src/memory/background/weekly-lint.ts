/** Checks memory once a week, after a consolidation that was due, and tells the user what needs a look. */
import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lintProject } from "../lint-project.ts";
import type { UpkeepParts } from "./upkeep-parts.ts";

const weekMs = 7 * 86_400_000;

export type WeeklyLintParts = Pick<UpkeepParts, "store" | "clean" | "now" | "onNotice" | "root">;

export async function lintWeekly({ store, clean, now, onNotice, root }: WeeklyLintParts): Promise<void> {
  const mark = join(store.directory, ".store", "linted");
  const lastAt = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (now() - lastAt < weekMs) return;
  const { counts } = await lintProject({ fix: false }, { redact: clean, now, project: { root } }, store);
  writeFileSync(mark, "", { mode: 0o600 });
  utimesSync(mark, now() / 1_000, now() / 1_000);
  if (counts !== "") onNotice(`Memory check: ${counts} Run /memory lint.`);
}
