/** Proves the life of background jobs with real processes, through the tools that a model uses. */
import { existsSync, readFileSync } from "node:fs";
import type { Tool, ToolOutput } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { createBashTool } from "../bash.ts";
import { createBashKillTool } from "./bash-kill.ts";
import { createBashOutputTool } from "./bash-output.ts";
import { createJobs } from "./jobs.ts";

let workshop: Workshop;
let clock = 1_000;
let jobs: ReturnType<typeof createJobs>;
beforeEach(() => {
  workshop = openWorkshop();
  clock = 1_000;
  jobs = createJobs({ now: () => clock, graceMs: 100 });
});
afterEach(async () => {
  await jobs.close();
  workshop.close();
});

const bash = createBashTool({
  shellPath: "/bin/bash",
  childEnvironment: () => ({ PATH: process.env["PATH"] ?? "" }),
  now: () => 0,
});

async function call<Input>(tool: Tool<Input>, input: object): Promise<ToolOutput> {
  const context = { ...workshop.newContext(), jobs };
  const parsed = tool.parse(input);
  if (!parsed.ok) throw new Error(parsed.report);
  const refusal = await tool.validate?.(parsed.input, context);
  return refusal === undefined ? tool.run(parsed.input, context) : { output: refusal, isError: true, title: "" };
}

const start = (command: string, rest = {}) => call(bash, { command, description: "job", background: true, ...rest });
const look = async (jobID: string, rest = {}) => (await call(createBashOutputTool(), { jobID, ...rest })).output;
const kill = async (jobID: string) => (await call(createBashKillTool(), { jobID })).output;

/** Waits until the file that a job makes is there. */
const made = (name: string) => expect.poll(() => existsSync(workshop.at(name))).toBe(true);
const status = (jobId: string) => jobs.find(jobId)?.status;

function isAlive(pidFile: string): boolean {
  try {
    const pid = workshop.text(pidFile).trim();
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

test("a job starts at once, tells how to follow it, and shows only what is new", async () => {
  const started = await start("echo one; touch a; until [ -e go ]; do :; done; echo two >&2; exit 3", { async: true });
  const path = workshop.artifacts.pathOf(0);
  expect(started).toEqual({
    output: `Started as job_1: echo one; touch a; until [ -e go ]; do :; done; echo two >&2; exit 3\nYou will be notified when it ends. New output: bash_output {"jobID":"job_1"}; to end it: bash_kill {"jobID":"job_1"} (search the tools for "background jobs" if you do not have them). All output goes to artifact://0 (${path}).`,
    title: "job",
    metadata: { jobId: "job_1", artifactId: 0 },
  });
  await made("a");
  await expect.poll(() => look("job_1")).toBe("one\n(job_1: running, 0.0 s; all output: artifact://0)");
  expect(jobs.takeEnded()).toEqual([]);
  clock += 2_500;
  expect(await look("job_1")).toBe("(no new output)\n(job_1: running, 2.5 s; all output: artifact://0)");
  workshop.put("go", "");
  await expect.poll(() => status("job_1")).toBe("failed");
  clock += 1_000;
  const ended = jobs.find("job_1");
  expect(jobs.takeEnded()).toEqual([ended]);
  expect(jobs.takeEnded()).toEqual([]);
  expect(await look("job_1")).toBe("two\n(job_1: failed with exit code 3, 2.5 s; all output: artifact://0)");
  expect(workshop.text(".artifacts/0.bash.log")).toBe("one\ntwo\n");
});

test("a filter shows matching lines only; a bad or a slow one is an answer", async () => {
  await start(`printf 'ok 1\\nfail 2\\nok 3\\n'; printf '${"a".repeat(60)}'`);
  await expect.poll(() => status("job_1")).toBe("completed");
  expect(await look("job_1", { filter: "(" })).toMatch(/^filter: Invalid regular expression/);
  expect(await look("job_1", { filter: "fail|3$" })).toMatch(/^fail 2\nok 3\n\(job_1: completed with exit code 0/);
  expect(await look("job_1", { filter: "x" })).toMatch(/^\(no new output\)\n/);
  await start(`echo '${"a".repeat(60)}!'`);
  await expect.poll(() => status("job_2")).toBe("completed");
  expect(await look("job_2", { filter: "^(a|a|a)+$" })).toMatch(/^The filter took longer than 250 ms/);
});

test("an unknown job is answered with those there are", async () => {
  expect(await look("job_9")).toBe("There is no job job_9. No jobs have been started recently.");
  await start("true");
  await expect.poll(() => status("job_1")).toBe("completed");
  expect(await kill("job_9")).toBe("There is no job job_9. The jobs are: job_1 (completed).");
  clock += 5 * 60_000;
  expect(jobs.list()).toEqual([]);
});

test("a killed job ends with everything that left its group, and is not announced", async () => {
  await start(
    "trap '' TERM; setsid bash -c \"trap '' TERM; echo \\$\\$ > pid; sleep 1000; sleep 1000\" & sleep 1000; wait",
  );
  await made("pid");
  expect(await kill("job_1")).toBe("job_1 was ended. (job_1: cancelled, 0.0 s; all output: artifact://0)");
  expect(isAlive("pid")).toBe(false);
  expect(jobs.takeEnded()).toEqual([]);
  expect(await kill("job_1")).toBe("job_1 was over already. (job_1: cancelled, 0.0 s; all output: artifact://0)");
});

test("what a job leaves running lives on after it, and ends with the session", async () => {
  await start("setsid bash -c 'echo $$ > daemon; exec sleep 1000' >/dev/null 2>&1 & until [ -s daemon ]; do :; done");
  await start("sleep 1000 & echo $! > server");
  await start("(trap '' TERM; echo $BASHPID > deaf; while :; do sleep 1000; done)");
  for (const name of ["daemon", "server", "deaf"]) await made(name);
  await expect.poll(() => status("job_1")).toBe("completed");
  // Its server still holds the output.
  expect([isAlive("daemon"), isAlive("server"), status("job_2")]).toEqual([true, true, "running"]);
  await jobs.close();
  expect(["daemon", "server", "deaf"].filter(isAlive)).toEqual([]);
  expect(await start("true")).toMatchObject({
    isError: true,
    output: "The session is ending; no job can be started any more.",
  });
});

test("no more than 20 run at a time", async () => {
  for (let index = 0; index < 20; index++) await start("sleep 1000");
  expect(await start("true")).toMatchObject({
    isError: true,
    output: "20 jobs are running already; end one with bash_kill first.",
  });
  await kill("job_7");
  expect(await start("true")).toMatchObject({ metadata: { jobId: "job_21" } });
});

test("a job that prints without end is ended at 50 MB and says so", async () => {
  await start("yes 'a line of output'");
  await expect.poll(() => status("job_1"), { interval: 100 }).toBe("failed");
  const output = await look("job_1");
  expect(output).toMatch(/^\[… \d+ characters left out; all is in artifact:\/\/0 …\]\n/);
  expect(output).toMatch(/\n\[The job printed more than 50 MB and was ended\.\]\n\(job_1: failed, /);
  expect(output.length).toBeLessThan(101_000);
  expect(workshop.text(".artifacts/0.bash.log").length).toBeLessThan(50 * 1_024 * 1_024 + 1_000);
});

test("progress and colours of a job are cleaned like those of a call", async () => {
  await start("printf '\\033[32m10%%\\r90%%\\r100%%\\033[0m\\n'");
  await expect.poll(() => status("job_1")).toBe("completed");
  expect(await look("job_1")).toMatch(/^100%\n\(job_1: completed/);
});

test("a job that cannot start fails in words", async () => {
  const started = await start(": x", { env: { HUGE: "x".repeat(3_000_000) } });
  expect(started.metadata).toEqual({ jobId: "job_1", artifactId: 0 });
  await expect.poll(() => status("job_1")).toBe("failed");
  expect(await look("job_1")).toMatch(/^The (?:command could not be started|shell did not start): /);
});
