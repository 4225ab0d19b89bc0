/** What stands in for absent paths while several sandboxes of one process need it. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createStandIns } from "./stand-ins.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-stand-ins-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("what stands in for two sandboxes of one process stays until the last of them lets go", async () => {
  const workspace = join(root, "workspace");
  mkdirSync(workspace);
  const path = join(workspace, "settings");
  const guard = async () => {
    const standIns = createStandIns({ leaseDirectory: join(root, "leases") });
    const guarded = await standIns.guard([{ path, standIn: { kind: "file", text: "" } }], [workspace]);
    if ("problem" in guarded) throw new Error(guarded.problem);
    return guarded;
  };
  const [first, second, third] = [await guard(), await guard(), await guard()];
  await first.release();
  expect(existsSync(path)).toBe(true);
  await third.release();
  expect(existsSync(path)).toBe(true);
  await second.release();
  expect(existsSync(path)).toBe(false);
});
