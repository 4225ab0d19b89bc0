/** Proves that a change of a file of hooks is noticed once, and that other files are nobody's business. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { watchHookFiles } from "./hook-watch.ts";

test("a change is told with the path of the file", async () => {
  const directory = mkdtempSync(join(tmpdir(), "kedge-watch-"));
  const path = join(directory, "settings.json");
  writeFileSync(path, "{}");
  const told: string[] = [];
  const end = watchHookFiles([path, join(directory, "gone/hooks.json")], (changed) => void told.push(changed));
  writeFileSync(join(directory, "other.json"), "{}");
  writeFileSync(path, '{"hooks":{}}');
  // Before anybody watched, and then again.
  await expect.poll(() => told).toEqual([path]);
  writeFileSync(path, '{"hooks":{ }}');
  await expect.poll(() => told).toEqual([path, path]);
  end();
  rmSync(directory, { recursive: true });
});
