/** How long a person waits for a session of ten thousand messages, from the start of kedge to its last words on the screen. */
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStore } from "@kedge/store";
import { openScene, type Scene } from "@kedge/testing/screen-terminal";
import { fill, writer } from "../long-session.ts";
import { type Figure, percentile, residentMegabytes, rounded } from "./figures.ts";

const messages = 10_000;
const runs = 5;
const sessionId = "ses_tenthousandmessages";
const lastWords = "THE-LAST-WORDS-OF-ALL";

export async function measureResume(entry: string): Promise<readonly Figure[]> {
  const scene = await openScene({ entry, script: [], columns: 120, rows: 40 });
  try {
    await scene.terminal.shows("mock/mock-model");
    await leave(scene);
    await store(scene);
    // The first one reads all facts and writes the code caches; when it is left, it keeps what the next ones read.
    const [firstMs] = await resume(scene);
    const later: (readonly [number, number])[] = [];
    for (let run = 0; run < runs; run += 1) later.push(await resume(scene));
    const times = later.map(([time]) => time);
    const note = `median of ${runs}; ${rounded(Math.min(...times))} to ${rounded(Math.max(...times))}`;
    const megabytes = percentile(
      later.map(([, memory]) => memory),
      0.5,
    );
    return [
      { measure: "resume of 10,000 messages never left before", value: rounded(firstMs), unit: "ms" },
      { measure: "resume of 10,000 messages", value: rounded(percentile(times, 0.5)), unit: "ms", note },
      { measure: "memory after it", value: megabytes, unit: "MB" },
    ];
  } finally {
    await scene.close();
  }
}

async function store({ kedgeHome, project }: Scene): Promise<void> {
  const data = join(kedgeHome, "data");
  mkdirSync(data, { recursive: true });
  const files = { path: join(data, "kedge.db"), blobsDirectory: join(data, "blobs") };
  const opened = openSqliteStore({ ...files, now: Date.now, randomBytes, isAlive: () => false });
  if (!opened.ok) throw new Error(opened.failure.message);
  const place = { directory: project, projectId: "bench", model: "mock/mock-model" };
  await fill(opened.store, sessionId, messages, place);
  const last = { type: "message.added", messageId: "msg_last", kind: "handoff", text: lastWords } as const;
  await opened.store.append(sessionId, [last], writer);
  await opened.store.close();
}

async function resume(scene: Scene): Promise<readonly [ms: number, megabytes: number]> {
  const startedAt = performance.now();
  const terminal = await scene.restart(["--resume", sessionId]);
  await terminal.shows(lastWords, 60_000);
  const shownMs = performance.now() - startedAt;
  await terminal.settled(4_000, 60_000);
  const megabytes = residentMegabytes(terminal.pid);
  await leave(scene);
  return [shownMs, megabytes];
}

async function leave({ terminal }: Scene): Promise<void> {
  terminal.press("ctrl+c");
  await terminal.shows("again leaves");
  terminal.press("ctrl+c");
  await terminal.ended();
}
