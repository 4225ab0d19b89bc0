/** Proves waiting for jobs, cancelling and listing them, with real jobs and a clock of the test. */
import { steered, type ToolContext, type ToolOutput } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { createJobTool } from "./job.ts";
import { createJobs } from "./jobs.ts";
import type { PollWait } from "./poll-wait.ts";

let workshop: Workshop;
let jobs: ReturnType<typeof createJobs>;
let clock = 0;
beforeEach(() => {
  workshop = openWorkshop();
  clock = 0;
  jobs = createJobs({ now: () => 1_000, graceMs: 100 });
});
afterEach(async () => {
  await jobs.close();
  workshop.close();
});

function start(command: string): string {
  const artifact = workshop.artifacts.create("bash");
  const environment = { PATH: process.env["PATH"] ?? "" };
  const started = jobs.start({ command, cwd: workshop.directory, environment, shellPath: "/bin/bash", artifact });
  if (!started.ok) throw new Error(started.problem);
  return started.job.jobId;
}

/** Pauses take no time, unless `onPause` waits for something. */
function openJob(pollWait: PollWait = "5s", onPause: () => Promise<void> | void = () => undefined) {
  const pauses: number[] = [];
  const tool = createJobTool({
    pollWait,
    now: () => clock,
    pause: async (pauseMs) => {
      pauses.push(pauseMs);
      await onPause();
      clock += pauseMs;
    },
  });
  return {
    tool,
    pauses,
    async call(input: object, changed: Partial<ToolContext> = {}): Promise<Partial<ToolOutput>> {
      const parsed = tool.parse(input);
      if (!parsed.ok) throw new Error(parsed.report);
      const context = { ...workshop.newContext(), jobs, ...changed };
      const refusal = await tool.validate?.(parsed.input, context);
      return refusal === undefined ? tool.run(parsed.input, context) : { output: refusal, isError: true };
    },
  };
}

const ended = (jobId: string) => expect.poll(() => jobs.find(jobId)?.status !== "running").toBe(true);

test("a wait ends when a job does, shows what it printed, and it is not announced again", async () => {
  start("until [ -e go ]; do :; done; echo done; exit 3");
  start("sleep 1000");
  const { call } = openJob("5s", async () => {
    workshop.put("go", "");
    await ended("job_1");
  });
  expect(await call({})).toEqual({
    output:
      "done\n(job_1: failed with exit code 3, 0.0 s; all output: artifact://0) until [ -e go ]; do :; done; echo done; exit 3\n(job_2: running, 0.0 s; all output: artifact://1) sleep 1000",
    title: "job_1, job_2",
    metadata: {
      jobs: [
        { jobId: "job_1", status: "failed" },
        { jobId: "job_2", status: "running" },
      ],
      cancelled: {},
    },
  });
  expect(jobs.takeEnded()).toEqual([]);
});

test("while somebody waits for a job, and after, its end is announced to nobody else", async () => {
  const over = Promise.withResolvers<{ readonly status: "completed" }>();
  const artifact = workshop.artifacts.create("agent");
  const run = { command: "work", ranMs: 0, openArtifact: () => artifact, attach: () => undefined, over: over.promise };
  jobs.adopt({ ...run, stop: () => over.resolve({ status: "completed" }) });
  const announced: string[] = [];
  const announce = () => announced.push(...jobs.takeEnded().map(({ jobId }) => jobId));
  // At once, when nobody that waits has been woken yet; and late, before the tool has reported.
  const atOnce = over.promise.then(announce);
  const { call } = openJob("5s", async () => {
    over.resolve({ status: "completed" });
    await ended("job_1");
    announce();
  });
  expect((await call({ poll: ["job_1"] })).metadata).toMatchObject({ jobs: [{ status: "completed" }] });
  await atOnce;
  expect([announced, jobs.takeEnded()]).toEqual([[], []]);
});

test("a wait that ends with everything running is useless, and shows its progress every half second", async () => {
  start("sleep 1000");
  const { call, pauses } = openJob("5s");
  const context = workshop.newContext();
  const result = await call({ poll: ["job_1"] }, { sink: context.sink });
  expect(result).toMatchObject({ metadata: { jobs: [{ jobId: "job_1", status: "running" }], useless: true } });
  expect(result.isError).toBeUndefined();
  expect(pauses).toEqual(Array.from({ length: 10 }, () => 500));
  expect(context.sink.text()).toBe("waiting for job_1: 5 s");
});

test("the smart wait climbs with each poll and starts over after a minute without", async () => {
  start("sleep 1000");
  const { call } = openJob("smart");
  const waits: number[] = [];
  for (let round = 0; round < 7; round++) {
    const before = clock;
    await call({});
    waits.push(clock - before);
    clock += round === 5 ? 60_000 : 59_999;
  }
  expect(waits).toEqual([5_000, 10_000, 30_000, 60_000, 300_000, 300_000, 5_000]);
  const fixed = openJob("1m");
  await fixed.call({});
  expect(fixed.pauses.length).toBe(120);
});

test("cancels come first; strangers and those that are over are told apart", async () => {
  start("sleep 1000");
  start("true");
  await ended("job_2");
  const { call, pauses, tool } = openJob();
  expect(await call({ cancel: ["job_1", "job_2", "job_9", "job_1"] })).toEqual({
    output: "job_1: cancelled\njob_2: already_completed\njob_9: not_found",
    title: "job_1, job_2, job_9",
    metadata: { jobs: [], cancelled: { job_1: "cancelled", job_2: "already_completed", job_9: "not_found" } },
  });
  expect((await call({ poll: ["job_1", "job_9"] })).metadata).toEqual({
    jobs: [
      { jobId: "job_1", status: "cancelled" },
      { jobId: "job_9", status: "not_found" },
    ],
    cancelled: {},
  });
  expect(pauses).toEqual([]);
  expect([tool.readOnly({ poll: ["a"] }), tool.readOnly({ cancel: ["a"] })]).toEqual([true, false]);
});

test("a list comes at once and stands alone", async () => {
  const { call, pauses } = openJob();
  expect((await call({ list: true })).output).toBe("No jobs have been started recently.");
  start("sleep 1000");
  expect(await call({ list: true })).toEqual({
    output: "(job_1: running, 0.0 s; all output: artifact://0) sleep 1000",
    title: "1 jobs",
    metadata: { jobs: [{ jobId: "job_1", status: "running" }] },
  });
  expect(await call({ list: true, poll: ["job_1"] })).toEqual({
    isError: true,
    output: "list stands alone; leave out poll and cancel.",
  });
  expect(pauses).toEqual([]);
  await jobs.kill("job_1");
  await ended("job_1");
  expect((await call({})).output).toBe("No job is running.");
});

test("a message of the user ends the wait with what there is; the end of the turn is an interruption", async () => {
  start("sleep 1000");
  for (const [reason, isError] of [
    [steered, undefined],
    ["stopped", true],
  ] as const) {
    const stop = new AbortController();
    const tool = createJobTool({ pollWait: "5m", now: () => performance.now() });
    const context = { ...workshop.newContext(stop.signal), jobs };
    const waiting = tool.run({}, context);
    stop.abort(reason);
    const { output, isError: isSaid } = await waiting;
    expect([output.startsWith("(job_1: running"), isSaid]).toEqual([true, isError]);
  }
  expect(openJob().tool.interruptible).toBe(true);
});

test("the end of a long output is shown, the rest is counted", async () => {
  start("seq 1 5000");
  await ended("job_1");
  const { output } = await openJob().call({ poll: ["job_1"] });
  expect(output).toMatch(/^\[… 19893 characters …\]\n\d+\n/);
  expect(output).toContain("\n5000\n(job_1: completed with exit code 0");
});

test("work that is no command is a job like any other", async () => {
  const artifact = workshop.artifacts.create("agent");
  const over = Promise.withResolvers<{ readonly status: "completed" }>();
  let say: (chunk: string, stream: "stdout") => void = () => undefined;
  const adopted = jobs.adopt({
    command: "an agent that looks around",
    ranMs: 400,
    openArtifact: () => artifact,
    attach: (onOutput) => {
      say = onOutput;
    },
    over: over.promise,
    stop: () => over.resolve({ status: "completed" }),
  });
  expect(adopted).toMatchObject({ ok: true, job: { jobId: "job_1", startedAtMs: 600, durationMs: 400 } });
  say("found it\n", "stdout");
  over.resolve({ status: "completed" });
  await ended("job_1");
  expect((await openJob().call({ poll: ["job_1"] })).output).toBe(
    "found it\n(job_1: completed, 0.4 s; all output: artifact://0) an agent that looks around",
  );
});
