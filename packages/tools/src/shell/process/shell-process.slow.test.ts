/** Proves with real processes that a command is bounded in time and output and that nothing of it stays. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { createOutputSink } from "../output/output-sink.ts";
import { outputBytesMax, runShell, type ShellCommand } from "./shell-process.ts";

let workshop: Workshop;
let runs = 0;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const graces = { timeoutMs: 100, abortMs: 100, drainMs: 50, killMs: 500 };

function shell(command: string, rest: Partial<ShellCommand> = {}): ShellCommand {
  runs += 1;
  return {
    shellPath: "/bin/bash",
    command,
    cwd: workshop.directory,
    environment: { PATH: process.env["PATH"] ?? "" },
    mark: `test-${process.pid}-${runs}`,
    signal: new AbortController().signal,
    onOutput: () => undefined,
    graces,
    ...rest,
  };
}

/** Processes, zombies excepted, that stand in the workshop's directory; nobody else does. */
function living(): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
        return environment.includes(`PWD=${workshop.directory}`)
          ? [readFileSync(`/proc/${pid}/cmdline`, "latin1")]
          : [];
      } catch {
        return [];
      }
    });
}

/** Runs a command, and calls back at its first output. */
async function runUntilOutput(command: string, stop: AbortController, rest: Partial<ShellCommand> = {}) {
  return runShell(shell(command, { signal: stop.signal, onOutput: () => stop.abort(), ...rest }));
}

const strayScript = `
trap '' TERM HUP
setsid bash -c "trap '' TERM; sleep 1000 & wait; sleep 1000" &
(setsid bash -c "trap '' TERM; (setsid sleep 1000 >/dev/null 2>&1 </dev/null &) ; sleep 1000" >/dev/null 2>&1 &)
sleep 1000 & disown
while [ $(grep -lz "PWD=$PWD" /proc/[0-9]*/environ 2>/dev/null | wc -l) -lt 7 ]; do :; done
echo ready
while :; do sleep 1000; done
`;

test("children that ignore SIGTERM, changed their session and forked twice are gone after an abort", async () => {
  const end = await runUntilOutput(strayScript, new AbortController());
  expect(end).toEqual({ kind: "ended", exitCode: null, signal: "SIGKILL", stoppedBy: "abort" });
  expect(living()).toEqual([]);
});

test("children in sessions of their own are gone after a timeout", async () => {
  let output = "";
  const onOutput = (chunk: string) => {
    output += chunk;
  };
  const script = `trap '' TERM; setsid bash -c "trap '' TERM; sleep 1000; sleep 1000" & (setsid sleep 1000 >/dev/null 2>&1 &); echo ready; sleep 1000; sleep 1000`;
  const end = await runShell(shell(script, { timeoutMs: 700, onOutput }));
  expect(output).toBe("ready\n");
  expect(end).toEqual({ kind: "ended", exitCode: null, signal: "SIGKILL", stoppedBy: "timeout" });
  expect(living()).toEqual([]);
});

test("a tree of 200 processes is gone after an abort", async () => {
  const tree = "for i in $(seq 100); do setsid sleep 1000 & (sleep 1000 & wait) & done; echo ready; wait";
  let most = 0;
  const stop = new AbortController();
  const end = await runUntilOutput(tree, stop, {
    onOutput: () => {
      most = living().length;
      stop.abort();
    },
  });
  expect(end).toMatchObject({ stoppedBy: "abort" });
  expect(most).toBeGreaterThanOrEqual(200);
  expect(living()).toEqual([]);
});

test("a polite process is told once to end and has time to tidy up", async () => {
  const polite =
    "n=0; trap 'n=$((n+1))' TERM; echo ready; while [ $n = 0 ]; do :; done; for i in {1..9999}; do :; done; echo told $n; exit 5";
  let output = "";
  const stop = new AbortController();
  const end = await runShell(
    shell(polite, {
      signal: stop.signal,
      graces: { ...graces, abortMs: 5_000 },
      onOutput: (chunk) => {
        output += chunk;
        stop.abort();
      },
    }),
  );
  expect([output, end]).toEqual(["ready\ntold 1\n", { kind: "ended", exitCode: 5, signal: null, stoppedBy: "abort" }]);
});

test("what was left in the background ends with the shell and does not hold the call", async () => {
  expect(await runShell(shell("sleep 1000 & sleep 1000 >/dev/null 2>&1 & echo x"))).toMatchObject({ exitCode: 0 });
  await expect.poll(living).toEqual([]);
});

test("kedge inside kedge ends with the outer command", async () => {
  const stop = new AbortController();
  const environment = { PATH: process.env["PATH"] ?? "", KEDGE_JOB: "outer" };
  await runShell(
    shell(`env KEDGE_JOB="$KEDGE_JOB inner" setsid sleep 1000 & echo "$KEDGE_JOB"; wait`, {
      environment,
      signal: stop.signal,
      onOutput: (chunk) => {
        expect(chunk).toBe(`outer test-${process.pid}-${runs}\n`);
        stop.abort();
      },
    }),
  );
  expect(living()).toEqual([]);
});

test("says where the shell stood, through exit and lost output, and never in the output", async () => {
  let output = "";
  const onOutput = (chunk: string) => {
    output += chunk;
  };
  const stood = async (command: string, rest = {}) => {
    const end = await runShell(shell(command, { onOutput, ...rest }));
    return end.kind === "ended" ? [end.exitCode, end.directory] : end;
  };
  expect(await stood("cd /tmp; exit 3")).toEqual([3, "/tmp"]);
  expect(await stood("cd /tmp; exec >/dev/null 2>&1; set -eu; false")).toEqual([1, "/tmp"]);
  expect(await stood("cd /; (cd /tmp)")).toEqual([0, "/"]);
  expect(await stood("exec 3>own; cd /; echo kept >&3")).toEqual([0, "/"]);
  expect(workshop.text("own")).toBe("kept\n");
  expect(await stood("exec 189>&-; cd /")).toEqual([0, undefined]);
  expect(await stood("cd /; kill -9 $$")).toEqual([null, undefined]);
  expect(await stood("cd /; trap 'echo mine' EXIT")).toEqual([0, undefined]);
  expect(await stood("cd /", { shellPath: "/bin/sh" })).toEqual([0, undefined]);
  expect(output).toBe("mine\n");
});

test("line numbers in messages of the shell are those of the command", async () => {
  let output = "";
  const onOutput = (chunk: string) => {
    output += chunk;
  };
  await runShell(shell("true\nnot-a-command", { onOutput }));
  expect(output).toContain("line 2: not-a-command");
});

test("an endless flood is ended at 50 MB, in little memory, and all of it up to there is kept", async () => {
  const artifact = workshop.artifacts.create("flood");
  const sink = createOutputSink({
    headBytes: 6_000,
    tailBytes: 4_000,
    onProgress: () => undefined,
    now: () => performance.now(),
    openArtifact: () => artifact,
  });
  let mostBytes = 0;
  const onOutput: ShellCommand["onOutput"] = (chunk, stream) => {
    sink.write(chunk, stream);
    mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
  };
  const before = process.memoryUsage.rss();
  const end = await runShell(shell("yes", { onOutput, timeoutMs: 60_000 }));
  expect(end).toMatchObject({ stoppedBy: "output" });
  const { output, totalBytes, cut } = sink.dump();
  expect(totalBytes).toBeLessThanOrEqual(outputBytesMax);
  expect(totalBytes).toBeGreaterThan(outputBytesMax - 1_000_000);
  expect(output.length).toBeLessThan(11_000);
  expect(cut).toMatchObject({ direction: "middle" });
  expect(readFileSync(artifact.path).length).toBe(totalBytes);
  expect(mostBytes - before).toBeLessThan(300 * 1_024 * 1_024);
  expect(living()).toEqual([]);
});

test("a single line of 200 MB is ended at the same limit", async () => {
  const sink = createOutputSink({
    headBytes: 6_000,
    tailBytes: 4_000,
    onProgress: () => undefined,
    now: () => performance.now(),
    openArtifact: () => workshop.artifacts.create("line"),
  });
  const end = await runShell(shell("head -c 200000000 /dev/zero | tr '\\0' x", { onOutput: sink.write }));
  expect(end).toMatchObject({ stoppedBy: "output" });
  expect(sink.text()).toMatch(/^x{768}\[… \d{8} characters\]$/);
});

test("a command within its time that closes its output early is waited for", async () => {
  writeFileSync(workshop.at("log"), "");
  const end = await runShell(shell("exec >&- 2>&-; sleep 0.2; echo done >> log"));
  expect([end, workshop.text("log")]).toEqual([
    { kind: "ended", exitCode: 0, signal: null, stoppedBy: "nothing", directory: workshop.directory },
    "done\n",
  ]);
});
