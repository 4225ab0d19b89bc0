import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { runUserShell, type UserShellLine } from "./user-shell.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const run = (command: string, rest: Partial<UserShellLine> = {}) =>
  runUserShell({
    command,
    cwd: workshop.directory,
    shellPath: "/bin/bash",
    environment: { PATH: process.env["PATH"] ?? "" },
    lineId: "line 1",
    signal: new AbortController().signal,
    onProgress: () => undefined,
    now: () => 0,
    artifacts: workshop.artifacts,
    ...rest,
  });

test("a line runs as it is typed, without the rules for models", async () => {
  workshop.put("sub/a", "x\n");
  expect(await run("cd sub && cat a | tail -1; sleep 0.01; echo oh >&2; exit 2")).toEqual({
    end: { kind: "ended", exitCode: 2, signal: null, stoppedBy: "nothing", directory: workshop.at("sub") },
    screen: "x\noh",
    text: "x\noh\n",
    truncated: false,
  });
});

test("the screen gets the last 20 lines of 4,000 characters, the model head and tail, the rest is kept", async () => {
  const end = await run("seq 1 50000; printf '%05000d\\n' 7; printf '\\033[1mlast'");
  const lines = end.screen.split("\n");
  expect(lines).toEqual([
    ...Array.from({ length: 18 }, (_, index) => String(49_983 + index)),
    "0".repeat(4_000),
    "last",
  ]);
  expect([end.truncated, end.artifactId, end.text.length < 31_000]).toEqual([true, 0, true]);
  expect(workshop.text(".artifacts/0.shell.log").endsWith(`50000\n${"0".repeat(4_999)}7\nlast`)).toBe(true);
});

test("it ends by its own signal only", async () => {
  const stop = new AbortController();
  const graces = { timeoutMs: 100, abortMs: 100, drainMs: 50, killMs: 500 };
  const end = await run("echo a; sleep 1000", { signal: stop.signal, graces, onProgress: () => stop.abort() });
  expect(end).toMatchObject({ end: { stoppedBy: "abort" }, screen: "a" });
});

test("a flood takes no memory", async () => {
  const before = process.memoryUsage().heapUsed;
  const { end, screen } = await run("yes");
  expect([end.kind === "ended" && end.stoppedBy, screen]).toEqual(["output", Array(20).fill("y").join("\n")]);
  // Of this thread alone: others use the same memory at the same time.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 1_024 * 1_024);
});
