/** Proves with real processes that a command which takes too long becomes a job, whole and untouched. */
import { existsSync, readFileSync } from "node:fs";
import type { ToolContext } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { type BashParts, createBashTool } from "../bash.ts";
import { createJobs } from "./jobs.ts";

let workshop: Workshop;
let jobs: ReturnType<typeof createJobs>;
beforeEach(() => {
  workshop = openWorkshop();
  jobs = createJobs({ now: () => 5_000, graceMs: 100, max: 2 });
});
afterEach(async () => {
  await jobs.close();
  workshop.close();
});

const soon = { autoBackground: { enabled: true, thresholdMs: 150 } };

function openBash(parts: Partial<BashParts> = {}) {
  const tool = createBashTool({
    shellPath: "/bin/bash",
    childEnvironment: () => ({ PATH: process.env["PATH"] ?? "" }),
    now: () => 0,
    shellGraces: { timeoutMs: 100, abortMs: 100, drainMs: 50, killMs: 500 },
    ...parts,
  });
  return async (command: string, rest = {}, changed: Partial<ToolContext> = {}) => {
    const parsed = tool.parse({ command, description: "test", ...rest });
    if (!parsed.ok) throw new Error(parsed.report);
    const context = { ...workshop.newContext(), jobs, ...changed };
    const refusal = await tool.validate?.(parsed.input, context);
    return refusal === undefined ? tool.run(parsed.input, context) : { output: refusal, isError: true as const };
  };
}

const status = (jobId: string) => jobs.find(jobId)?.status;
const artifactText = (number: number) => readFileSync(workshop.artifacts.pathOf(number) ?? "", "utf8");

function isAlive(pidFile: string): boolean {
  try {
    const pid = workshop.text(pidFile).trim();
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

test("at its threshold a command becomes a job: the same process, its output neither lost nor doubled", async () => {
  const command =
    "echo $$ > pid; for i in $(seq 200); do echo line $i; done; until [ -e go ]; do :; done; echo end; cmp pid <(echo $$)";
  const result = await openBash({ bash: { autoBackground: { enabled: true, thresholdMs: 1_000 } } })(command);
  const before = Array.from({ length: 200 }, (_, index) => `line ${index + 1}\n`).join("");
  expect(result).toEqual({
    output: `${before}Still running after 0 s; moved to the background as job_1: ${command}\nYou will be notified when it ends. New output: bash_output {"jobID":"job_1"}; to end it: bash_kill {"jobID":"job_1"} (search the tools for "background jobs" if you do not have them). All output, from its beginning, goes to artifact://0.`,
    title: "test",
    metadata: { jobId: "job_1", artifactId: 0, moved: true, truncated: false },
  });
  expect([status("job_1"), jobs.takeOutput("job_1"), isAlive("pid")]).toEqual(["running", "", true]);
  workshop.put("go", "");
  await expect.poll(() => status("job_1")).toBe("completed");
  expect(jobs.takeEnded()).toMatchObject([{ jobId: "job_1", command, exitCode: 0 }]);
  expect([jobs.takeOutput("job_1"), artifactText(0)]).toEqual(["end\n", `${before}end\n`]);
});

test("a command that prints while it moves loses nothing and repeats nothing", async () => {
  const result = await openBash({ bash: soon })("for ((i = 0; ; i++)); do echo $i; [ -e go ] && exit 7; done");
  expect(result).toMatchObject({ metadata: { moved: true } });
  const shownUntil = Number(/(\d+)\nStill running/.exec(result.output)?.[1]);
  await expect.poll(() => jobs.takeOutput("job_1").length).toBeGreaterThan(0);
  workshop.put("go", "");
  await expect.poll(() => status("job_1")).toBe("failed");
  const { exitCode, artifact = -1 } = jobs.find("job_1") ?? {};
  const lines = artifactText(artifact).trimEnd().split("\n");
  expect(exitCode).toBe(7);
  expect(lines.findIndex((line, index) => line !== String(index))).toBe(-1);
  expect(lines.length).toBeGreaterThan(shownUntil);
});

test("output that was cut for the model is whole in the artifact of the job", async () => {
  const command = "seq 1 20000; echo ü; touch printed; until [ -e go ]; do :; done; seq 20001 40000";
  const result = await openBash({ bash: { autoBackground: { enabled: true, thresholdMs: 1_500 } } })(command);
  expect(existsSync(workshop.at("printed"))).toBe(true);
  expect(result).toMatchObject({ metadata: { moved: true, truncated: true, artifactId: 1 } });
  workshop.put("go", "");
  await expect.poll(() => status("job_1")).toBe("completed");
  const numbers = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => `${first + index}\n`).join("");
  expect(artifactText(1) === `${numbers(1, 20_000)}ü\n${numbers(20_001, 20_000)}`).toBe(true);
});

test("the abort of the call does not touch a job any more; the end of the session ends all of it", async () => {
  const stop = new AbortController();
  const command = "setsid bash -c \"trap '' TERM; echo \\$\\$ > stray; sleep 1000; sleep 1000\" & echo $$ > pid; wait";
  await openBash({ bash: soon })(command, {}, { signal: stop.signal });
  await expect.poll(() => isAlive("stray") && isAlive("pid")).toBe(true);
  stop.abort();
  expect([status("job_1"), isAlive("pid"), isAlive("stray")]).toEqual(["running", true, true]);
  await jobs.close();
  expect([status("job_1"), isAlive("pid"), isAlive("stray")]).toEqual(["cancelled", false, false]);
});

test("what a moved command leaves behind does not keep its job alive, and runs on until the session ends", async () => {
  const command = "true; sleep 1000 >/dev/null 2>&1 & echo $! > server; until [ -e go ]; do :; done; exit 4";
  await openBash({ bash: soon })(command);
  workshop.put("go", "");
  await expect.poll(() => status("job_1")).toBe("failed");
  expect([jobs.find("job_1")?.exitCode, isAlive("server")]).toEqual([4, true]);
  await jobs.close();
  expect(isAlive("server")).toBe(false);
});

test("a command at its timeout moves only in interactive sessions and only if that is wanted", async () => {
  const background = { timeoutAction: "background" as const };
  const moved = await openBash({ bash: background, isInteractive: true })("echo a; sleep 1000", { timeout: 1 });
  expect(moved).toMatchObject({ metadata: { jobId: "job_1", moved: true } });
  expect(moved.output).toMatch(/^a\nStill running/);
  const ended = { metadata: { timedOut: true, signal: "SIGTERM" } };
  expect(await openBash({ bash: background })("true; sleep 1000", { timeout: 1 })).toMatchObject(ended);
  expect(await openBash({ isInteractive: true })("true; sleep 1000", { timeout: 1 })).toMatchObject(ended);
});

test("the threshold lies a second before the timeout at the latest", async () => {
  const late = { autoBackground: { enabled: true, thresholdMs: 60_000 } };
  expect(await openBash({ bash: late })("true; sleep 1000", { timeout: 2 })).toMatchObject({
    metadata: { moved: true },
  });
});

test("without room for another job a command stays in front, to the timeout", async () => {
  for (let index = 0; index < 2; index++) await openBash()("sleep 1000", { background: true });
  expect(await openBash()("sleep 1000", { background: true })).toMatchObject({
    isError: true,
    output: "2 jobs are running already; end one with bash_kill first.",
  });
  const bash = openBash({ bash: { ...soon, timeoutAction: "background" }, isInteractive: true });
  expect(await bash("echo a; sleep 1000", { timeout: 1 })).toMatchObject({ metadata: { timedOut: true } });
});

test("where jobs are turned off nothing goes to the background", async () => {
  const bash = openBash({ bash: soon, jobsEnabled: false });
  expect(await bash("ls", { async: true })).toEqual({
    isError: true,
    output: "Background jobs are turned off by the setting jobs.enabled. Run the command without background.",
  });
  expect(await bash("sleep 0.4; echo a")).toMatchObject({ output: "a\n", metadata: { exitCode: 0 } });
});

test("what an ordinary command leaves behind lives on between calls and ends with the session", async () => {
  const bash = openBash();
  await bash(
    "(setsid bash -c 'trap \"\" TERM; echo $$ > daemon; exec sleep 1000' >/dev/null 2>&1 &); until [ -s daemon ]; do :; done",
  );
  const place = `/proc/${workshop.text("daemon").trim()}/status`;
  // One that has ended may still wait to be collected.
  const isAlive = () => existsSync(place) && !/^State:\s+[ZX]/m.test(readFileSync(place, "utf8"));
  expect(isAlive()).toBe(true);
  await jobs.close();
  await expect.poll(isAlive).toBe(false);
});
