/** Proves with real terminals that a command gets one when it asks, and that it is bounded like any other. */
import { existsSync, readFileSync } from "node:fs";
import type { PtyLibrary, ToolContext } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { createBashTool } from "../bash.ts";
import { createJobs } from "../job/jobs.ts";
import type { LinkedTerminal, PtyParts } from "./terminal-shell.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const load = async () => (await import("@lydell/node-pty")) as unknown as PtyLibrary;

function openBash(pty: PtyParts | undefined = { available: () => true, load }, bash = {}) {
  const tool = createBashTool({
    shellPath: "/bin/bash",
    childEnvironment: () => ({ PATH: process.env["PATH"] ?? "" }),
    now: () => 0,
    shellGraces: { timeoutMs: 200, abortMs: 200, drainMs: 50, killMs: 500 },
    bash,
    ...(pty && { pty }),
  });
  return (command: string, rest = {}, changed: Partial<ToolContext> = {}) => {
    const parsed = tool.parse({ command, description: "test", pty: true, ...rest });
    if (!parsed.ok) throw new Error(parsed.report);
    return tool.run(parsed.input, { ...workshop.newContext(), ...changed });
  };
}

function isAlive(pidFile: string): boolean {
  try {
    const pid = workshop.text(pidFile).trim();
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

const isTerminal = "test -t 0 && test -t 1 && test -t 2 && echo terminal || echo none";

test("a command gets a terminal of 120 by 40, with the variables of any other command", async () => {
  const bash = openBash();
  const tty = await bash(`tty; ${isTerminal}; stty size; echo "$TERM $PAGER $CI $GIT_TERMINAL_PROMPT"; pwd`);
  expect(tty.output).toMatch(/^\/dev\/\S+\nterminal\n40 120\nxterm-256color cat 1 0\n/);
  expect(tty.output.endsWith(`\n${workshop.directory}\n`)).toBe(true);
  expect((await bash("node -p 'process.stdout.isTTY'")).output).toBe("true\n");
  expect((await bash("echo $TERM", { env: { TERM: "vt100" } })).output).toBe("vt100\n");
});

test("without a wish for it, or nobody to look, a command runs without", async () => {
  expect((await openBash()(isTerminal, { pty: false })).output).toBe("none\n");
  expect((await openBash({ available: () => false, load })(isTerminal)).output).toBe("none\n");
});

test("exit codes and signals come through; both kinds of line ends become line feeds", async () => {
  const bash = openBash();
  expect(await bash("printf 'a\\r\\nb\\rc\\n'; printf '\\033[31mred\\033[0m'; exit 3")).toMatchObject({
    output: "a\nb\nc\nred\nCommand exited with code 3",
    metadata: { exitCode: 3, signal: null },
  });
  expect(await bash("kill -9 $$")).toMatchObject({ metadata: { exitCode: null, signal: "SIGKILL" } });
  expect((await bash("seq 1 20000 | tail -c 6")).output).toBe("20000\n");
});

test("a terminal that cannot be had is said, and the command runs without", async () => {
  const missing = { available: () => true, load: () => Promise.reject(new Error("no such package")) };
  expect((await openBash(missing)(isTerminal)).output).toBe("PTY error: no such package\nnone\n");
  const broken = {
    available: () => true,
    load: async () => ({
      spawn: () => {
        throw new Error("no terminals left");
      },
    }),
  };
  expect((await openBash(broken)(isTerminal)).output).toBe("PTY error: no terminals left\nnone\n");
});

test("at its timeout everything on the terminal ends, those too that left it", async () => {
  const command =
    "trap '' TERM HUP; setsid bash -c \"trap '' TERM HUP; echo \\$\\$ > stray; sleep 1000; sleep 1000\" & echo $$ > pid; sleep 1000; sleep 1000";
  const { output, metadata } = await openBash()(command, { timeout: 1 });
  expect(output).toContain("Command timed out after 1 s and was ended.");
  expect(metadata).toMatchObject({ timedOut: true });
  expect(existsSync(workshop.at("stray"))).toBe(true);
  expect([isAlive("pid"), isAlive("stray")]).toEqual([false, false]);
});

test("a flood on a terminal ends at the same limit", async () => {
  const { output } = await openBash()("yes 'a line that is printed again and again and again'", { timeout: 50 });
  expect(output).toContain("Command printed more than 50 MB and was ended.");
});

test("a screen sees what is drawn, types, resizes and ends the command", async () => {
  let drawn = "";
  const opened: string[] = [];
  const linked = Promise.withResolvers<LinkedTerminal>();
  const link = {
    opened(callId: string, terminal: LinkedTerminal) {
      opened.push(callId);
      terminal.onData((data) => {
        drawn += data;
      });
      linked.resolve(terminal);
    },
  };
  const running = openBash({ available: () => true, load, link })(
    "read -s -p 'word: ' word; echo got $(printf %s \"$word\" | wc -c); until [ \"$(stty size)\" = '50 100' ]; do :; done; echo resized; sleep 1000",
    {},
    { callId: "call_7" },
  );
  const terminal = await linked.promise;
  await expect.poll(() => drawn).toContain("word: ");
  terminal.write("secret\r");
  await expect.poll(() => drawn).toContain("got 6\r\n");
  terminal.resize(100, 50);
  await expect.poll(() => drawn).toContain("resized");
  terminal.kill();
  const result = await running;
  expect(result).toMatchObject({ isError: true, metadata: { interrupted: true } });
  expect(result.output).toBe("word: got 6\nresized\nCommand was interrupted by the user");
  expect([opened, drawn.includes("secret")]).toEqual([["call_7"], false]);
  // Whoever still holds it does no harm.
  terminal.write("x");
  terminal.resize(10, 10);
});

test("a command on a terminal becomes a job as well", async () => {
  const jobs = createJobs({ now: () => 0, graceMs: 100 });
  const soon = { autoBackground: { enabled: true, thresholdMs: 150 } };
  const result = await openBash({ available: () => true, load }, soon)(
    `echo begun; until [ -e go ]; do :; done; ${isTerminal}`,
    {},
    { jobs },
  );
  expect(result.metadata).toMatchObject({ jobId: "job_1", moved: true });
  workshop.put("go", "");
  await expect.poll(() => jobs.find("job_1")?.status).toBe("completed");
  expect(workshop.text(".artifacts/0.bash.log")).toBe("begun\nterminal\n");
  await jobs.close();
});
