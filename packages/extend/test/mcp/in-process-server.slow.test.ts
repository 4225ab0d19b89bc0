/** Proves a server of the library in this process: everything that it offers, and calls that it works on as tasks. */
import { setImmediate as turn } from "node:timers/promises";
import type { Job, JobEnd, JobRun, Jobs, ToolContext } from "@kedge/protocol";
import { afterEach, expect, test } from "vitest";
import { readMcpUrl } from "../../src/mcp/index.ts";
import { createFixtureServer } from "../mcp-conformance/fixture-server.ts";
import { inProcessServer, type Tried, type TryParts, tryServer } from "./try-server.ts";

let tried: Tried;
afterEach(() => tried.close());

async function open(parts: TryParts = {}): Promise<void> {
  const factory = createFixtureServer(() => undefined);
  tried = tryServer(inProcessServer("fixture", factory), parts);
  await tried.live.connect();
  expect(tried.live.state()).toEqual({ state: "connected" });
}

test("tools, resources, prompts and pictures of it are used", async () => {
  await open();
  expect(tried.live.offers().protocolVersion).toBe("2026-07-28");
  expect(await tried.call("greet", { name: "Ada" })).toMatchObject({ output: expect.stringContaining("Hello, Ada!") });
  expect(await tried.call("test_image_content")).toMatchObject({ media: [{ mediaType: "image/png" }] });
  const { signal } = new AbortController();
  expect(await readMcpUrl("mcp://fixture/test://static-text", [tried.live], signal)).toMatchObject({
    ok: true,
    text: "This is the content of the static text resource.",
  });
  expect(tried.live.offers().prompts.length).toBeGreaterThan(0);
});

test("a task that is over soon is the result of the call", async () => {
  await open();
  const done = await tried.call("slow_compute", { seconds: 0.2 });
  expect(done).toMatchObject({ output: expect.stringContaining("Computed for 0.2 s.") });
  expect(done.output).toContain("untrusted-data");
  expect(done.isError).toBeUndefined();
});

test("a task that fails says so, with the server's word as data", async () => {
  await open();
  expect(await tried.call("failing_job")).toMatchObject({
    isError: true,
    output: expect.stringContaining("The job failed."),
  });
  const { output, isError } = await tried.call("protocol_error_job");
  expect(isError).toBe(true);
  expect(output).toMatch(/^protocol_error_job of the MCP server fixture did not finish: it failed\.\n<untrusted-data/);
  expect(output).toContain("The job broke.");
});

test("a task asks the person, and goes on with the answer", async () => {
  const asked: string[] = [];
  await open({
    ask: async ([question]) => {
      asked.push(question?.question ?? "");
      return ["true"];
    },
  });
  expect(await tried.call("confirm_delete")).toMatchObject({ output: expect.stringContaining("Deleted.") });
  expect(asked).toEqual([expect.stringContaining("Delete it?")]);
});

test("where no one can answer, a task is declined and ends", async () => {
  await open();
  expect(await tried.call("confirm_delete")).toMatchObject({ output: expect.stringContaining("Kept.") });
  expect(tried.notices).toEqual(["Declined a question from MCP server fixture: no one can answer now."]);
});

test("stopping the call cancels the task", async () => {
  await open();
  const stopping = new AbortController();
  const running = tried.call("slow_compute", { seconds: 300 }, { signal: stopping.signal });
  await turn();
  stopping.abort();
  expect(await running).toMatchObject({ isError: true });
});

/** One job, as far as tasks use it. */
function oneJob() {
  const texts: string[] = [];
  let taken: JobRun | undefined;
  const job = { jobId: "job_1", artifact: 7 } as Job;
  const adopt: Jobs["adopt"] = (run) => {
    taken = run;
    run.openArtifact();
    run.attach((text) => texts.push(text));
    return { ok: true, job };
  };
  const created: string[] = [];
  const artifacts = { create: (tool: string) => created.push(tool) };
  const context = { jobs: { adopt }, artifacts } as unknown as Partial<ToolContext>;
  const over = (): Promise<JobEnd> => taken?.over ?? Promise.reject(new Error("there is no job"));
  return { texts, context, over, created, stop: () => taken?.stop(), command: () => taken?.command };
}

test("a task that takes long becomes a job, and its fenced result is the output of the job", async () => {
  await open({ taskFrontMs: 10 });
  const job = oneJob();
  const moved = await tried.call("slow_compute", { seconds: 0.5 }, job.context);
  expect(moved).toMatchObject({ metadata: { jobId: "job_1", artifactId: 7, moved: true } });
  expect(moved.output).toContain("is job_1 in the background now");
  expect(job.command()).toBe("fixture slow_compute");
  expect(await job.over()).toEqual({ status: "completed" });
  expect(job.texts.join("")).toMatch(/^<untrusted-data[^>]*>\nComputed for 0\.5 s\.\n<\/untrusted-data>\n$/);
});

test("a job that is stopped cancels the task, and the end of its call does not", async () => {
  await open({ taskFrontMs: 10 });
  const job = oneJob();
  const call = new AbortController();
  await tried.call("slow_compute", { seconds: 300 }, { ...job.context, signal: call.signal });
  call.abort();
  const stillOpen = await Promise.race([job.over(), turn("open")]);
  expect(stillOpen).toBe("open");
  job.stop();
  expect(await job.over()).toEqual({ status: "cancelled" });
});

test("where no job can be had, the call waits for its task", async () => {
  await open({ taskFrontMs: 10 });
  const jobs = { adopt: () => ({ ok: false, problem: "too many" }) } as unknown as Jobs;
  expect(await tried.call("slow_compute", { seconds: 0.2 }, { jobs })).toMatchObject({
    output: expect.stringContaining("Computed for 0.2 s."),
  });
});
