/** Measures how large a year of sessions grows and how it is lived with: a twentieth of it is written, the rest reckoned. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Fact, noUsage, runWithoutSteps, type Store } from "@kedge/protocol";
import { openSqliteStore } from "@kedge/store";

const year = { days: 250, sessionsPerDay: 8, turnsPerSession: 40 };
const part = 20;
const sessionCount = (year.days * year.sessionsPerDay) / part;
const turnsPerPrompt = 5;
/** Half a second of an answer each. */
const piecesPerTurn = 6;
const wordsOf = { prompt: 40, answer: 60, thought: 90, piece: 20 };
/** Most outputs are short and some are long; about 3,000 characters in the middle of it all. */
const outputWords = [10, 40, 150, 300, 400, 1_600];
const boot = "bench";

const vocabulary = Array.from({ length: 20_000 }, (_, index) => `${(index * 7919).toString(36)}w${index % 97}`);
let drawn = 1;
function draw(below: number): number {
  drawn = (Math.imul(drawn, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((drawn / 2 ** 32) * below);
}
const words = (count: number) => Array.from({ length: count }, () => vocabulary[draw(vocabulary.length)]).join(" ");

function turnFacts(id: string, runId: string, promptId: string | undefined): readonly Fact[] {
  const call = { callId: `call_${id}`, stepId: `stp_${id}`, tool: "read" };
  const inputText = JSON.stringify({ filePath: `src/${words(1)}.ts` });
  const decision = { behavior: "allow", source: "default", reason: "reading inside the project", rules: [] } as const;
  const step = {
    stepId: call.stepId,
    runId,
    turn: 1,
    source: "main",
    model: "mock/small",
    requestId: `q${id}`,
  } as const;
  const prompts = promptId === undefined ? [] : [{ promptId, form: "prompt" as const }];
  return [
    { type: "step.started", ...step, prompts, reminders: [] },
    ...Array.from({ length: piecesPerTurn }, (): Fact => {
      return { type: "step.progressed", stepId: step.stepId, appended: [{ type: "text", text: words(wordsOf.piece) }] };
    }),
    {
      type: "step.ended",
      stepId: step.stepId,
      outcome: "answered",
      content: [
        { type: "reasoning", text: words(wordsOf.thought), signature: randomBytes(300).toString("base64") },
        { type: "text", text: words(wordsOf.answer) },
        { type: "tool-call", callId: call.callId, tool: call.tool, inputText },
      ],
      usage: { ...noUsage, input: 100, output: 50 },
      cost: { usd: 0.01, estimated: false },
      stopReason: "tool-calls",
      durationMs: 900,
    },
    { type: "tool.started", ...call, inputText, readOnly: true, decision },
    {
      type: "tool.ended",
      ...call,
      outcome: "completed",
      output: words(outputWords[draw(outputWords.length)] ?? 0),
      title: words(3),
      phases: { run: 2 },
    },
  ];
}

async function fill(store: Store, sessionId: string, turns: number): Promise<void> {
  const place = { directory: "/work/project", projectId: "project", model: "mock/small", mode: "default" } as const;
  const options = { boot, durable: false };
  await store.append(sessionId, [{ type: "session.created", ...place, kedgeVersion: "0", boot }], options);
  for (let turn = 0; turn < turns; turn += turnsPerPrompt) {
    const [promptId, runId] = [`prm_${sessionId}-${turn}`, `run_${sessionId}-${turn}`];
    const count = Math.min(turnsPerPrompt, turns - turn);
    const steps = Array.from({ length: count }, (_, index) =>
      turnFacts(`${sessionId}.${turn + index}`, runId, index === 0 ? promptId : undefined),
    );
    await store.append(
      sessionId,
      [
        { type: "prompt.admitted", promptId, runId, delivery: "follow-up", text: words(wordsOf.prompt) },
        ...steps.flat(),
        { type: "run.ended", runId, ...runWithoutSteps("completed", words(wordsOf.answer)) },
      ],
      options,
    );
  }
}

function open(directory: string): Store {
  const opened = openSqliteStore({
    path: join(directory, "kedge.db"),
    blobsDirectory: join(directory, "blobs"),
    now: Date.now,
    randomBytes,
    isAlive: () => true,
  });
  if (!opened.ok) throw new Error(opened.failure.message);
  return opened.store;
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await work();
  console.log(`${name.padEnd(52)} ${(performance.now() - start).toFixed(1)} ms`);
}

/** In a process of its own nothing is known yet of the session, so each size is measured with a store just opened. */
async function measureClose(directory: string, turns: number): Promise<void> {
  const sessionId = `ses_close_${turns}`;
  const writing = open(directory);
  await fill(writing, sessionId, turns);
  await writing.close();
  const store = open(directory);
  await store.session(sessionId);
  await timed(`leaving a session of ${turns} turns: search brought up to date`, () => store.catchUp(sessionId));
  await timed(`leaving a session of ${turns} turns: pieces thinned`, () =>
    store.thin(sessionId, { by: "kedge", boot }),
  );
  await store.close();
}

const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MB`;

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "kedge-year-"));
  try {
    const store = open(directory);
    const sizeOf = async () => {
      const { databaseBytes, freeBytes, blobBytes } = await store.storageUse();
      return databaseBytes - freeBytes + blobBytes;
    };
    for (let index = 0; index < sessionCount; index += 1) await fill(store, `ses_${index}`, year.turnsPerSession);
    console.log(`${sessionCount} sessions of ${year.turnsPerSession} turns`);
    const facts = await sizeOf();
    await timed("search over everything, brought up to date", () => store.search({ text: "w1", limit: 20 }));
    const searchable = await sizeOf();
    const rewrite = () => store.collectGarbage({ graceMs: 0, isDryRun: false, isThorough: true });
    await timed("writing the database anew", rewrite);
    const rewritten = await sizeOf();
    for (let index = 0; index < sessionCount; index += 1) await store.thin(`ses_${index}`, { by: "kedge", boot });
    const thinned = await sizeOf();
    await rewrite();
    const small = await sizeOf();
    console.log(`written anew ${megabytes(rewritten)}, thinned ${megabytes(thinned)}, both ${megabytes(small)}`);
    console.log(
      `facts ${megabytes(facts)}, with messages and search ${megabytes(searchable)}, thinned ${megabytes(thinned)}`,
    );
    console.log(`a year of ${sessionCount * part} sessions: ${megabytes(searchable * part)}`);
    await timed("what the disk is used for, with the largest sessions", () => store.storageUse({ largestMax: 3 }));
    await timed("deleting half of them", async () => {
      for (let index = 0; index < sessionCount / 2; index += 1)
        await store.deleteSession(`ses_${index}`, { by: "user", boot, isOneOfMany: true });
    });
    await timed("giving the room back", rewrite);
    console.log(`left ${megabytes(await sizeOf())}`);
    await store.close();
    for (const turns of [1, 40, 400]) await measureClose(directory, turns);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

await main();
