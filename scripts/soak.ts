/**
 * Lets a server work for a while for a client that follows its events, and prints what it takes: `node scripts/soak.ts
 * --minutes 30` makes 1,000 tool calls and 50 compactions; `--rate` makes more of both in the same time. Ends with 1 when
 * memory, descriptors or processes grow.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type MockRequest, type MockTurn, startMockModel } from "@kedge/testing";

const callsPerMinute = 1_000 / 30;
const callsPerCompaction = 20;
const callsPerPrompt = 5;
const callsPerSession = 200;
/** A short run has as many samples as one of a quarter of an hour. */
const samplesPerRun = 30;
const sampleMsMax = 30_000;
/** What the second half may take above the first. */
const growthMax = 1.1;

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "30" }, rate: { type: "string", default: "1" } },
});
const minutes = Number(values.minutes);
const calls = Math.round(callsPerMinute * minutes * Number(values.rate));

type Sample = {
  readonly minute: number;
  readonly calls: number;
  readonly rssMb: number;
  readonly heapMb: number;
  readonly externalMb: number;
  readonly descriptors: number;
  readonly processes: number;
};

const directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-soak-")));
const [home, project] = [join(directory, "home"), join(directory, "project")];
const memoryFile = join(directory, "memory.json");
const samples: Sample[] = [];
let callsDone = 0;

/** Five calls for a prompt, then a text; a summary for whoever asks without tools. */
function answer({ body }: MockRequest): MockTurn {
  const messages = body.messages ?? [];
  const sinceUser = messages.length - 1 - messages.findLastIndex(({ role }) => role === "user");
  if (body.tools === undefined) return { text: "A summary of what was done. ".repeat(60) };
  if (sinceUser >= callsPerPrompt * 2) return { text: "Done with this part. ".repeat(100) };
  callsDone += 1;
  const filePath = join(project, `file-${callsDone % 50}.txt`);
  const input = callsDone % 2 === 0 ? { filePath } : { command: `head -c 20000 ${filePath}; echo ${callsDone}` };
  return { toolCalls: [{ name: callsDone % 2 === 0 ? "read" : "bash", input }] };
}

function setUp(baseURL: string): void {
  for (const folder of [home, project]) mkdirSync(folder);
  execFileSync("git", ["init", "--quiet"], { cwd: project });
  for (let index = 0; index < 50; index += 1) {
    writeFileSync(join(project, `file-${index}.txt`), `${index} some words of a line that is read\n`.repeat(1_000));
  }
  const provider = { mock: { api: "openai-chat", baseURL, apiKey: "key" } };
  const settings = { model: "mock/mock-model", provider, titles: { enabled: false }, permission: { bash: "allow" } };
  writeFileSync(join(home, "config.json"), JSON.stringify(settings));
}

async function startServer() {
  const preload = resolve(import.meta.dirname, "soak-memory.ts");
  const program = resolve(import.meta.dirname, "../dist/kedge.js");
  const child = spawn(process.execPath, ["--import", preload, program, "serve", "--json", "--port", "0"], {
    cwd: project,
    env: { PATH: process.env["PATH"], HOME: directory, KEDGE_HOME: home, SOAK_FILE: memoryFile },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const line = await new Promise<string>((given, failed) => {
    child.stdout.once("data", (chunk: Buffer) => given(chunk.toString()));
    child.once("exit", () => failed(new Error("the server ended")));
  });
  const { url, token } = JSON.parse(line) as { readonly url: string; readonly token: string };
  return { child, pid: child.pid ?? 0, url, token };
}

function sampleOf(pid: number, minute: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const used = JSON.parse(readFileSync(memoryFile, "utf8")) as NodeJS.MemoryUsage;
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean),
  );
  return {
    minute,
    calls: callsDone,
    rssMb: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024,
    heapMb: used.heapTotal / 1024 / 1024,
    externalMb: (used.external + used.arrayBuffers) / 1024 / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    processes: children.length,
  };
}

function median(given: readonly number[]): number {
  return given.toSorted((left, right) => left - right)[Math.floor(given.length / 2)] ?? 0;
}

/** The first fifth is left out: the program warms up. */
function grows(name: "rssMb" | "descriptors" | "processes"): boolean {
  const numbers = samples.slice(Math.floor(samples.length / 5)).map((sample) => sample[name]);
  const half = Math.floor(numbers.length / 2);
  const [first, second] = [median(numbers.slice(0, half)), median(numbers.slice(half))];
  const isGrowing = second > first * growthMax && second - first > 2;
  console.log(
    `${name}: ${first.toFixed(0)} in the first half, ${second.toFixed(0)} in the second${isGrowing ? ", GROWS" : ""}`,
  );
  return isGrowing;
}

const model = await startMockModel({ script: answer });
setUp(model.baseUrl);
const { child, pid, url, token } = await startServer();
const begunMs = performance.now();
const elapsedMinutes = () => (performance.now() - begunMs) / 60_000;

function look(): void {
  const sample = sampleOf(pid, elapsedMinutes());
  samples.push(sample);
  const { minute, rssMb, heapMb, externalMb, descriptors, processes } = sample;
  const numbers = [minute.toFixed(1), sample.calls, rssMb.toFixed(0), heapMb.toFixed(0), externalMb.toFixed(0)];
  console.log([...numbers, descriptors, processes].map((each) => String(each).padStart(10)).join(""));
}

async function work(): Promise<void> {
  let sessionId = "";
  let compactedAt = 0;
  for (let count = 0; callsDone < calls; count += 1) {
    if (count % (callsPerSession / callsPerPrompt) === 0) {
      sessionId = String((await post("/session", {}))["sessionId"]);
    }
    await post(`/session/${sessionId}/prompt`, { text: `Part ${count} of the work.` });
    if (callsDone - compactedAt >= callsPerCompaction) {
      compactedAt = callsDone;
      await post(`/session/${sessionId}/compact`, {});
    }
    const aheadMinutes = callsDone / (callsPerMinute * Number(values.rate)) - elapsedMinutes();
    if (aheadMinutes > 0) await wait(aheadMinutes * 60_000);
  }
}

/** As every screen does. What is sent to it is read and forgotten. */
async function follow(signal: AbortSignal): Promise<void> {
  const response = await fetch(`${url}/event`, { headers: { authorization: `Bearer ${token}` }, signal });
  await response.body?.pipeTo(new WritableStream(), { signal });
}

async function post(path: string, body: object): Promise<{ readonly [name: string]: unknown }> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { readonly [name: string]: unknown };
}

// A server that nobody ends would go on without anybody who asks it.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    child.kill("SIGTERM");
    process.exit(1);
  });
}

try {
  console.log(
    ["minute", "calls", "RSS MB", "heap MB", "other MB", "files", "processes"]
      .map((each) => each.padStart(10))
      .join(""),
  );
  const leaving = new AbortController();
  const following = follow(leaving.signal).catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  const working = work();
  const sampling = setInterval(look, Math.min(sampleMsMax, (minutes * 60_000) / samplesPerRun));
  await Promise.race([working, following.then(() => working)]);
  clearInterval(sampling);
  look();
  leaving.abort();
  await following;
  const isGrowing = (["rssMb", "descriptors", "processes"] as const).map(grows).includes(true);
  process.exitCode = isGrowing ? 1 : 0;
} finally {
  child.kill("SIGTERM");
  await new Promise((over) => child.once("exit", over));
  await model.close();
  rmSync(directory, { recursive: true, force: true });
}
