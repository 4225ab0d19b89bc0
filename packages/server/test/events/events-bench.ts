/** Measures event streams: how long after its commit a fact reaches clients of another process, and what that costs. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { connectClients, type LoadReport, openBusyServer } from "./event-load.ts";

const sizes = [
  { clients: 1, sessions: 1, turns: 10, pauseMs: 30 },
  { clients: 10, sessions: 5, turns: 10, pauseMs: 30 },
  { clients: 50, sessions: 20, turns: 10, pauseMs: 30 },
  // Five times as fast as a quick model: more than there is room for, so it only has to stay whole.
  { clients: 50, sessions: 20, turns: 10, pauseMs: 6 },
];

type Asked = { readonly url: string; readonly clients: number } | { readonly published: readonly [string, number][] };

/** The goal for the 95th of a hundred facts. */
const p95GoalMs = 50;
const pauseOfGoalMs = 30;

if (process.argv[2] === "clients") serveClients();
else await measure();

function serveClients(): void {
  let clients: Awaited<ReturnType<typeof connectClients>> | undefined;
  process.on("message", async (asked: Asked) => {
    if ("url" in asked) {
      clients = await connectClients(asked.url, asked.clients);
      process.send?.("connected");
      return;
    }
    process.send?.(await clients?.report(new Map(asked.published)));
    process.disconnect();
  });
}

async function measure(): Promise<void> {
  console.log("clients\tsessions\tpause\tfacts\tframes\tp50 ms\tp95 ms\tmax ms\tRSS before\tafter (MB)");
  let isLate = false;
  for (const { clients, ...size } of sizes) {
    const server = await openBusyServer(size);
    const child = fork(fileURLToPath(import.meta.url), ["clients"]);
    await ask(child, { url: server.site.url, clients });
    const before = rssMegabytes();
    const published = await server.run();
    const after = rssMegabytes();
    const report = (await ask(child, { published: [...published] })) as LoadReport;
    const { facts, frames, p50, p95, max } = report;
    isLate ||= p95 > p95GoalMs && size.pauseMs >= pauseOfGoalMs;
    const times = [p50, p95, max].map((ms) => ms.toFixed(1));
    console.log([clients, size.sessions, size.pauseMs, facts, frames, ...times, before, after].join("\t"));
    await server.close();
  }
  if (isLate) process.exitCode = 1;
}

async function ask(child: ChildProcess, asked: Asked): Promise<unknown> {
  const answer = once(child, "message");
  child.send(asked);
  const [value] = await answer;
  return value;
}

function rssMegabytes(): number {
  return Math.round(process.memoryUsage.rss() / 1_000_000);
}
