/** Proves that a lock is given back whatever happens inside of it, also by a process that is killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { whileLocked } from "./file-lock.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kedge-lock-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("work that throws gives the lock back", () => {
  const path = join(directory, "file");
  expect(() =>
    whileLocked(path, () => {
      throw new Error("no more");
    }),
  ).toThrow("no more");
  expect(whileLocked(path, () => "done")).toBe("done");
});

test("a process that is killed inside gives the lock back", async () => {
  const path = join(directory, "file");
  const inside = join(directory, "inside");
  const lockUrl = pathToFileURL(join(import.meta.dirname, "file-lock.ts")).href;
  const script = `
    const { whileLocked } = await import(${JSON.stringify(lockUrl)});
    whileLocked(${JSON.stringify(path)}, () => {
      process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(inside)}, "");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
  await expect.poll(() => existsSync(inside), { interval: 5 }).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(whileLocked(path, () => "done")).toBe("done");
});
