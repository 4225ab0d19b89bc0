/** Proves that a signal ends a query at any moment, also where its server takes every request and answers none. */
import { test } from "vitest";
import { createClient, query } from "../src/index.ts";
import { type LoopbackServer, startLoopbackServer } from "./loopback-server.ts";

type Step = "session" | "event" | "prompt" | "run";

const steps: readonly Step[] = ["session", "event", "prompt", "run"];

function stepOf(url: string): Step {
  if (url.startsWith("/event")) return "event";
  if (url.endsWith("/prompt_async")) return "prompt";
  return url === "/session" ? "session" : "run";
}

const created = { id: "1-life-0", type: "session.created", directory: "/project", sessionId: "ses_a", properties: {} };

/** Answers what comes before the step, and tells when that is asked for. */
async function startSilentServer(silentFrom: Step, onSilence: () => void): Promise<LoopbackServer> {
  return startLoopbackServer((response, { url }) => {
    const step = stepOf(url);
    if (steps.indexOf(step) >= steps.indexOf(silentFrom)) return onSilence();
    if (step === "event") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify({ ...created, seq: 1, time: 1, position: 1, prev: "", hash: "" })}\n\n`);
      return;
    }
    const ids = step === "session" ? { sessionId: "ses_a" } : { runId: "run_a", promptId: "prm_a" };
    response.setHeader("content-type", "application/json").end(JSON.stringify(ids));
  });
}

// All at once: a query gives a silent server five seconds to end the run.
test.concurrent.for(steps)("a server that is silent from %s on", async (silentFrom, { expect, onTestFinished }) => {
  const stop = new AbortController();
  const silence = Promise.withResolvers<void>();
  const server = await startSilentServer(silentFrom, silence.resolve);
  onTestFinished(() => server.close());
  const told: string[] = [];
  const reading = (async () => {
    for await (const { type } of query("go", { client: createClient(server), signal: stop.signal })) {
      told.push(type);
      if (type === "started") silence.resolve();
    }
  })();
  const failed = expect(reading).rejects.toMatchObject({ failure: { code: "aborted" } });
  await silence.promise;
  stop.abort();
  await failed;
  expect(told).toEqual(silentFrom === "run" ? ["started"] : []);
});
