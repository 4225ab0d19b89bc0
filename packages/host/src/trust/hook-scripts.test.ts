/** Which files of a project its hooks run. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { scriptsIn } from "./hook-scripts.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-scripts-")));
  mkdirSync(join(root, "tools"));
  for (const name of ["tools/a.sh", "b.py", "log.txt"]) writeFileSync(join(root, name), "");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test.each([
  ["./tools/a.sh --fast", ["tools/a.sh"]],
  ['"$CLAUDE_PROJECT_DIR"/tools/a.sh', ["tools/a.sh"]],
  ["python3 b.py >> log.txt 2>&1", ["b.py"]],
  ["echo started >log.txt; bash tools/a.sh", ["tools/a.sh"]],
  ["cat | tee -a log.txt", []],
  ["echo x > tools/a.sh && . tools/a.sh", ["tools/a.sh"]],
  ["node -e \\\"(()=>require('./b.py'))()\\\"", ["b.py"]],
  ["cat log.txt", ["log.txt"]],
])("%s", (command, scripts) => {
  expect(scriptsIn(command, root)).toEqual(scripts);
});
