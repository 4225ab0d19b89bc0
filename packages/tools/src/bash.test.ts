import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../test/workshop.ts";
import { createOutputSink } from "./output-sink.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const bash = (command: string, rest = {}) => ({ command, description: "test", ...rest });

const quietEnd = { signal: null, durationMs: 0, timedOut: false, interrupted: false, truncated: false };

/** A process is gone when its entry has vanished or only waits to be collected. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

test("gives output and exit code; another code than 0 is no error", async () => {
  expect(await workshop.run("bash", bash("echo out; exit 3"))).toEqual({
    output: "out\n(exit code 3, 0 ms)",
    title: "test",
    metadata: { exitCode: 3, ...quietEnd, stdoutBytes: 4, stderrBytes: 0, stderrRanges: [] },
  });
  expect((await workshop.run("bash", bash("true"))).output).toBe("(exit code 0, 0 ms)");
  expect((await workshop.run("bash", bash("kill -9 $$"))).output).toBe("(ended by SIGKILL, 0 ms)");
});

test("merges both streams and tells them apart in the account", async () => {
  const pausing = "echo one; sleep 0.05; echo twö >&2; sleep 0.05; echo three";
  expect(await workshop.run("bash", bash(pausing))).toMatchObject({
    output: "one\ntwö\nthree\n(exit code 0, 0 ms)",
    metadata: { stdoutBytes: 10, stderrBytes: 5, stderrRanges: [[4, 9]] },
  });
});

test("input is closed, pagers and prompts are off, the given environment is all there is", async () => {
  const { output } = await workshop.run(
    "bash",
    bash("cat; echo $PAGER $GIT_PAGER $GIT_TERMINAL_PROMPT $CANARY $HOME."),
  );
  expect(output).toBe("cat cat 0 from the environment .\n(exit code 0, 0 ms)");
});

test("runs in the working directory or the one asked for", async () => {
  workshop.put("sub/a", "");
  expect((await workshop.run("bash", bash("pwd"))).output).toBe(`${workshop.directory}\n(exit code 0, 0 ms)`);
  expect((await workshop.run("bash", bash("ls", { workdir: "sub" }))).output).toBe("a\n(exit code 0, 0 ms)");
});

test("characters that arrive in pieces stay whole", async () => {
  const { output } = await workshop.run(
    "bash",
    bash("printf '\\xe2\\x82'; sleep 0.05; printf '\\xac'; printf '\\xe2'"),
  );
  expect(output).toBe("€\uFFFD\n(exit code 0, 0 ms)");
});

test("10 MB of output are bounded to head and tail", async () => {
  const { output, metadata } = await workshop.run("bash", bash("head -c 10000000 /dev/zero | tr '\\0' x; echo end"));
  expect(metadata).toMatchObject({ exitCode: 0, truncated: true, stdoutBytes: 10_000_004 });
  expect(output).toMatch(/^x{6000}\n\[… 9990004 bytes left out …\]\nx{3996}end\n\(exit code 0, 0 ms\)$/);
});

test("a command over its time is ended with its whole group", async () => {
  const command = "trap '' TERM; sleep 1000 & echo $!; wait; sleep 1000";
  const { output, metadata } = await workshop.run("bash", bash(command, { timeout: 0.2 }));
  expect(metadata).toMatchObject({ exitCode: null, signal: "SIGKILL", timedOut: true, interrupted: false });
  expect(output).toMatch(/^\d+\n\(timed out after 0\.2 s and was ended, 0 ms\)$/);
  await expect.poll(() => isAlive(Number.parseInt(output, 10))).toBe(false);
});

test("an abort ends the group although a stranger keeps the pipe open", async () => {
  const controller = new AbortController();
  const started = Promise.withResolvers<void>();
  const sink = createOutputSink({
    headBytes: 100,
    tailBytes: 0,
    onProgress: () => started.resolve(),
    now: () => 0,
    openArtifact: () => workshop.artifacts.create("bash"),
  });
  const context = { ...workshop.newContext(controller.signal), sink };
  // The stranger leaves the group, so that only closing our end of the pipe lets the call go.
  const running = workshop.run("bash", bash("setsid sleep 3 & trap '' TERM; echo $$; sleep 1000"), context);
  await started.promise;
  const abortedAt = performance.now();
  controller.abort();
  const { output, metadata, isError } = await running;
  expect(performance.now() - abortedAt).toBeLessThan(2_000);
  expect(metadata).toMatchObject({ interrupted: true, timedOut: false });
  expect(isError).toBe(true);
  expect(output).toMatch(/\(interrupted by the user, 0 ms\)$/);
  await expect.poll(() => isAlive(Number.parseInt(output, 10))).toBe(false);
});

test("an aborted call starts nothing", async () => {
  const context = workshop.newContext(AbortSignal.abort());
  expect(await workshop.run("bash", bash("touch started"), context)).toMatchObject({ metadata: { interrupted: true } });
  expect((await workshop.run("bash", bash("ls"))).output).toBe("(exit code 0, 0 ms)");
});

test("a process left in the background neither holds the call nor survives it", async () => {
  const { output } = await workshop.run("bash", bash("sleep 1000 & echo $!"));
  expect(output).toMatch(/^\d+\n\(exit code 0, 0 ms\)$/);
  await expect.poll(() => isAlive(Number.parseInt(output, 10))).toBe(false);
  const silent = await workshop.run("bash", bash("sleep 1000 >/dev/null 2>&1 & echo $!"));
  await expect.poll(() => isAlive(Number.parseInt(silent.output, 10))).toBe(false);
});

test("waiting, missing directories and impossible commands are refused before they run", async () => {
  const refusal =
    "Do not wait with sleep for more than 5 seconds; run the command you wait for itself, with a timeout.";
  for (const command of [
    "sleep 6",
    "  sleep 10; ls",
    "sleep 1m && ls",
    "sleep infinity",
    "sleep 3 3",
    "command sleep 9",
  ])
    expect(await workshop.validate("bash", bash(command)), command).toBe(refusal);
  for (const command of ["sleep 5", "sleep 0.5; ls", "sleepy 60", "echo sleep 60", "ls"])
    expect(await workshop.validate("bash", bash(command)), command).toBeUndefined();
  expect(await workshop.validate("bash", bash("ls", { workdir: "none" }))).toBe(
    `The working directory ${workshop.at("none")} does not exist.`,
  );
  expect(await workshop.validate("bash", bash("a\0b"))).toBe(
    "The command contains a NUL character, which no shell accepts.",
  );
  expect(await workshop.validate("bash", bash("  "))).toBe("The command is empty.");
});

test("a command that cannot be started is an error in words", async () => {
  const { output, isError } = await workshop.run("bash", bash(`: ${"x".repeat(3_000_000)}`));
  expect(isError).toBe(true);
  expect(output).toMatch(/^The (?:command could not be started|shell did not start): /);
});
