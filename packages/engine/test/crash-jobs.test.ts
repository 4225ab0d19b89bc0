/** Background jobs of a process that died: ended when the session is taken up again, noted there, and told once. */
import type { Fact, Job, Jobs } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, say } from "./harness.ts";

/** One job that runs until it is killed. */
function oneJob(): Jobs {
  let job: Job | undefined;
  return {
    start: () => {
      job = { jobId: "job_1", command: "npm run dev", status: "running", startedAtMs: 0, durationMs: 0, artifact: 3 };
      return { ok: true, job };
    },
    adopt: () => ({ ok: false, problem: "" }),
    find: () => job,
    list: () => (job === undefined ? [] : [job]),
    takeOutput: () => "",
    waitForEnd: async () => undefined,
    kill: async () => {
      if (job !== undefined) job = { ...job, status: "cancelled" };
    },
    takeEnded: () => [],
    close: async () => {
      if (job !== undefined) job = { ...job, status: "cancelled" };
    },
    watch: () => undefined,
  };
}

const serve = createTool({
  name: "serve",
  readOnly: false,
  permission: "edit",
  run: async (_input, context) => {
    const artifact = { number: 3, path: "", write: () => undefined, close: () => undefined };
    context.jobs.start({ command: "npm run dev", cwd: "/", environment: {}, shellPath: "/bin/sh", artifact });
    return { output: "started", title: "serve" };
  },
});
const rules = [{ source: "user", rules: [{ permission: "edit", pattern: "*", action: "allow" }] }] as const;
const started: Fact = { type: "job.started", jobId: "job_1", callId: "a", command: "npm run dev" };

function openStore() {
  return createMemoryStore({ now: () => 1000, randomBytes: (size) => new Uint8Array(size), isAlive: () => false });
}

async function jobFacts(store: ReturnType<typeof openStore>, sessionId: string): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  for await (const { fact } of store.read(sessionId, 0)) if (fact.type.startsWith("job.")) facts.push(fact);
  return facts;
}

test("a job is recorded when it starts and when it ends with its session", async () => {
  const store = openStore();
  const parts = { newJobs: oneJob };
  const turns = [calls(call("a", "serve", {})), say("It runs.")];
  const harness = createHarness({ turns, tools: [serve], rules, store, parts });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "serve");
  expect(await jobFacts(store, sessionId)).toEqual([started]);
  await harness.engine.close();
  expect(await jobFacts(store, sessionId)).toEqual([
    started,
    { type: "job.ended", jobId: "job_1", status: "cancelled" },
  ]);
});

test("a job of a dead process is ended, noted and told once", async () => {
  const store = openStore();
  const turns = [calls(call("a", "serve", {})), say("It runs.")];
  const first = createHarness({ turns, tools: [serve], rules, store, parts: { newJobs: oneJob } });
  const sessionId = await first.open();
  await first.prompt(sessionId, "serve");

  const ended: string[] = [];
  const parts = { endOrphans: (boot: string) => ended.push(boot) };
  const second = createHarness({ turns: [say("One."), say("Two.")], store, boot: "boot-2", parts });
  await second.resume(sessionId);
  expect(ended).toEqual(["boot-1"]);
  const notice = second.waitFor((event) => event.kind === "signal" && event.signal.type === "notice");
  await second.prompt(sessionId, "go on");
  expect(await notice).toMatchObject({
    signal: { text: "A background job from this session stopped when kedge exited: npm run dev" },
  });
  expect(await jobFacts(store, sessionId)).toEqual([started, { type: "job.ended", jobId: "job_1", status: "lost" }]);
  await second.prompt(sessionId, "and on");
  const told = second.requests.map(({ messages }) =>
    JSON.stringify(messages.at(-1)).includes("job_1 ended with the kedge"),
  );
  expect(told).toEqual([true, false]);

  const third = createHarness({ store, boot: "boot-3", parts });
  await third.resume(sessionId);
  expect(ended).toEqual(["boot-1"]);
});
