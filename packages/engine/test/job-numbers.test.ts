/** Numbers of background jobs: in a session that is taken up again, new jobs go on after the highest one it has had. */
import type { Fact, Job, Jobs } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, say } from "./harness.ts";

/** Counts from one, like every process does. */
function countingJobs(): Jobs {
  const jobs = new Map<string, Job>();
  const end = (jobId: string) => {
    const job = jobs.get(jobId);
    if (job !== undefined) jobs.set(jobId, { ...job, status: "completed" });
  };
  return {
    start: ({ command }) => {
      const jobId = `job_${jobs.size + 1}`;
      const job: Job = { jobId, command, status: "running", startedAtMs: 0, durationMs: 0, artifact: 1 };
      jobs.set(jobId, job);
      return { ok: true, job };
    },
    adopt: () => ({ ok: false, problem: "" }),
    find: (jobId) => jobs.get(jobId),
    list: () => [...jobs.values()],
    takeOutput: (jobId) => (jobs.has(jobId) ? `output of ${jobId}` : "no such job"),
    waitForEnd: async (jobIds) => jobIds.forEach(end),
    kill: async (jobId) => end(jobId),
    takeEnded: () => [],
    close: async () => [...jobs.keys()].forEach(end),
    watch: () => undefined,
  };
}

const seen: string[] = [];

const serve = createTool({
  name: "serve",
  readOnly: false,
  permission: "edit",
  run: async (_input, { jobs }) => {
    const artifact = { number: 3, path: "", write: () => undefined, close: () => undefined };
    const started = jobs.start({ command: "dev", cwd: "/", environment: {}, shellPath: "/bin/sh", artifact });
    const jobId = started.ok ? started.job.jobId : "";
    seen.push(`${jobs.find(jobId)?.jobId} of ${jobs.list().map((job) => job.jobId)}: ${jobs.takeOutput(jobId)}`);
    await jobs.kill(jobId);
    seen.push(`${jobs.find(jobId)?.status}`);
    return { output: `Started as ${jobId}, and the log names job_123456789.`, title: "serve" };
  },
});
const rules = [{ source: "user", rules: [{ permission: "edit", pattern: "*", action: "allow" }] }] as const;

test("jobs are numbered on by the next process, and found by these numbers", async () => {
  const store = createMemoryStore({ now: () => 1, randomBytes: (size) => new Uint8Array(size), isAlive: () => false });
  const open = (boot: string, names: readonly string[]) => {
    const turns = [...names.map((name) => calls(call(name, "serve", {}))), say("Done.")];
    return createHarness({ turns, tools: [serve], rules, store, boot, parts: { newJobs: countingJobs } });
  };
  const first = open("boot-1", ["a", "b"]);
  const sessionId = await first.open();
  await first.prompt(sessionId, "serve");
  await first.engine.close();
  const second = open("boot-2", ["c", "d"]);
  await second.resume(sessionId);
  await second.prompt(sessionId, "serve again");
  await second.engine.close();

  const facts: Fact[] = [];
  for await (const { fact } of store.read(sessionId, 0)) facts.push(fact);
  const started = facts.flatMap((fact) => (fact.type === "job.started" ? [fact.jobId] : []));
  const ended = facts.flatMap((fact) => (fact.type === "job.ended" ? [`${fact.jobId} ${fact.status}`] : []));
  expect(started).toEqual(["job_1", "job_2", "job_3", "job_4"]);
  expect(ended).toEqual(["job_1 completed", "job_2 completed", "job_3 completed", "job_4 completed"]);
  expect(seen).toEqual([
    ...["job_1 of job_1: output of job_1", "completed", "job_2 of job_1,job_2: output of job_2", "completed"],
    ...["job_3 of job_3: output of job_1", "completed", "job_4 of job_3,job_4: output of job_2", "completed"],
  ]);
});
