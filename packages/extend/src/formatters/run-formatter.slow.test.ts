import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runFormatter } from "./run-formatter.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kedge-format-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const run = (script: string, { timeoutMs = 10_000, signal = new AbortController().signal } = {}) =>
  runFormatter(
    {
      ...{ name: "sample", file: "/bin/sh", args: ["-c", script], cwd: directory, timeoutMs },
      environment: { PATH: process.env["PATH"] ?? "" },
    },
    signal,
  );

test("one that does its work has nothing to say", async () => {
  writeFileSync(join(directory, "a"), "x\n");
  expect(await run("echo formatted >a; echo loud >&2")).toBeUndefined();
  expect(readFileSync(join(directory, "a"), "utf8")).toBe("formatted\n");
});

test("one that hangs is ended with all it started, and says so", async () => {
  const line = await run("sleep 300 & echo $! >pid; wait", { timeoutMs: 300 });
  expect(line).toBe("sample did not format the file: it took longer than 0.3 s. The file is unchanged.");
  const pid = readFileSync(join(directory, "pid"), "utf8").trim();
  await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
});

test("one that fails, is interrupted or is missing says so in one line", async () => {
  expect(await run("echo first >&2; echo second >&2; exit 3")).toBe(
    "sample did not format the file: first, exit code 3. The file is unchanged.",
  );
  const ending = new AbortController();
  const interrupted = run("sleep 300", { signal: ending.signal });
  ending.abort();
  expect(await interrupted).toContain("it was interrupted");
  const missing = {
    name: "sample",
    file: "/no/such/program",
    args: [],
    cwd: directory,
    environment: {},
    timeoutMs: 1_000,
  };
  expect(await runFormatter(missing, new AbortController().signal)).toContain(
    "sample did not format the file: it could not be started (spawn /no/such/program ENOENT). The file is unchanged.",
  );
});
