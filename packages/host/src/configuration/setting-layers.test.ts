/** Proves where a file is said to lie, also when it is gone by the time somebody asks. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { whereIs } from "./setting-layers.ts";

test("links are followed, and what vanished leads nowhere rather than being a failure", () => {
  const directory = mkdtempSync(join(tmpdir(), "kedge-layers-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const root = join(directory, "project");
  mkdirSync(root);
  writeFileSync(join(root, "kedge.json"), "{}");
  writeFileSync(join(directory, "other.json"), "{}");
  symlinkSync(join(directory, "other.json"), join(root, "link.json"));
  symlinkSync(join(directory, "nowhere.json"), join(root, "dangling.json"));
  const names = ["kedge.json", "link.json", "dangling.json", "missing.json", "kedge.json/below.json"];
  expect(names.map((name) => whereIs(join(root, name), root))).toEqual([
    "inside",
    "outside",
    "nowhere",
    "nowhere",
    "nowhere",
  ]);
  expect(whereIs(join(root, "kedge.json"), join(directory, "missing"))).toBe("nowhere");
});
