/** A real engine on a real database with a model that streams at random, and its events over HTTP on loopback. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { createEngine, type Engine, type EngineParts } from "@kedge/engine";
import { fixedToolSource, type ModelEvent, type Provider, type Store, type Tool } from "@kedge/protocol";
import { createMachineLook, openSqliteStore } from "@kedge/store";
import { createRedactorDouble, noArtifacts, noJobs, noSnapshots, type SeededRandom } from "@kedge/testing";
import { createFileState, createOutputSink } from "@kedge/tools";
import { Hono } from "hono";
import { createEventHub, type EventHub, type EventHubParts } from "../../src/events/event-hub.ts";
import { answerProblem } from "../../src/http/answer-json.ts";
import { ProblemError } from "../../src/http/failure-status.ts";
import type { ServerEnvironment } from "../../src/http/server-environment.ts";
import { createServerRoutes } from "../../src/http/server-routes.ts";
import { addEventRoutes, addProcessEventRoutes } from "../../src/routes/event-routes.ts";

export type EventSite = {
  readonly engine: Engine;
  readonly store: Store;
  readonly hub: EventHub;
  readonly url: string;
  open(): Promise<string>;
  /** Submits a prompt and waits for the end of its run. */
  run(sessionId: string, text: string): Promise<void>;
  /** Leaves the database. */
  close(): Promise<void>;
};

type SiteOptions = {
  readonly folder: string;
  readonly boot: string;
  readonly provider: Provider;
  readonly projectId?: string;
  readonly hub?: Partial<EventHubParts>;
  /** Puts something between the store and all who use it. */
  readonly watchStore?: (store: Store) => Store;
  /** How much faster than ours the clock of the engine runs, so that texts are stored more often. */
  readonly speed?: number;
};

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "kedge-events-"));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

export function openStore(folder: string): Store {
  const opened = openSqliteStore({
    path: join(folder, "kedge.db"),
    blobsDirectory: join(folder, "blobs"),
    now: Date.now,
    randomBytes,
    isAlive: () => false,
  });
  if (!opened.ok) throw new Error(opened.failure.message);
  return opened.store;
}

export async function openEventSite(options: SiteOptions): Promise<EventSite> {
  const opened = openStore(options.folder);
  const store = options.watchStore?.(opened) ?? opened;
  const engine = openEngine(store, options);
  const hub = createEventHub({
    ...{ engine, store, boot: options.boot, directory: "/project", now: Date.now },
    projectId: "project",
    ...options.hub,
  });
  const processHub = createEventHub({ engine, store, boot: options.boot, directory: "/", now: Date.now });
  const app = new Hono<ServerEnvironment>();
  app.onError((error) => {
    if (error instanceof ProblemError) return answerProblem(error.problem);
    throw error;
  });
  const routes = createServerRoutes(app);
  addProcessEventRoutes(routes, () => processHub);
  addEventRoutes(routes, () => hub);
  // The adaptor makes a server of node:http by default.
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");

  return {
    ...{ engine, store, hub },
    url: `http://127.0.0.1:${address.port}`,
    async open() {
      const created = await engine.send({ type: "session.create", mode: "bypass", model: "mock/model" });
      if (!created.ok) throw new Error(created.failure.message);
      return created.value.sessionId;
    },
    async run(sessionId, text) {
      const ended = Promise.withResolvers<void>();
      const stop = engine.subscribe(sessionId, (event) => {
        if (event.kind === "fact" && event.record.fact.type === "run.ended") ended.resolve();
      });
      const prompt = { type: "prompt.submit", sessionId, text, delivery: "follow-up", options: {} } as const;
      const sent = await engine.send<"prompt.submit">(prompt);
      if (!sent.ok) throw new Error(sent.failure.message);
      await ended.promise;
      stop();
    },
    async close() {
      await Promise.all([hub.close(), processHub.close()]);
      const closed = new Promise((resolve) => server.close(resolve));
      // Streams end by themselves, unless the other side does not read.
      const timer = setTimeout(() => server.closeAllConnections(), 3_000);
      await closed;
      clearTimeout(timer);
      await engine.close();
      await store.close();
    },
  };
}

function openEngine(store: Store, { boot, provider, projectId = "project", speed = 1 }: SiteOptions): Engine {
  const monotonicMs = () => performance.now() * speed;
  let count = 0;
  const newId = (prefix: string) => {
    count += 1;
    return `${prefix}${boot}${String(count).padStart(8, "0")}`;
  };
  const parts: EngineParts = {
    store,
    models: {
      find: async (ref) => ({
        ok: true,
        model: { ref, provider: "mock", id: "model", contextTokens: 1_000_000_000, outputTokensMax: 8000 },
        provider,
      }),
      cost: () => ({ usd: 0.01, estimated: false }),
    },
    toolSources: [fixedToolSource({ name: "built-in", kind: "built-in" }, () => [noteTool])],
    snapshots: noSnapshots,
    resources: {
      newFileState: createFileState,
      newOutputSink: (sink) => createOutputSink({ headBytes: 4096, tailBytes: 4096, now: monotonicMs, ...sink }),
      newArtifacts: () => noArtifacts,
      newJobs: () => noJobs,
    },
    machine: createMachineLook({ monotonicMs }),
    workspace: {
      cwd: "/project",
      root: "/project",
      projectId,
      lookAtPath: () => ({ place: "inside", otherNames: [] }),
      analyseShell: () => ({ ok: false, why: "there is no shell in this test" }) as never,
      isProtected: () => false,
      home: "/home/dev",
      kedgeHome: "/home/dev/.kedge",
    },
    autoMode: { allow: [], softDeny: [], environment: [] },
    rules: [{ source: "user", rules: [{ permission: "*", pattern: "*", action: "allow" }] }],
    interactive: false,
    concurrentCallsMax: 10,
    holder: { boot, pid: process.pid, startedAt: boot },
    kedgeVersion: "0.0.0",
    clock: { now: Date.now, monotonicMs },
    newId,
    newRequestId: () => newId("req_"),
    redact: (text) => text,
    resultRedactor: createRedactorDouble(),
    localCommands: [],
    prompt: { override: "SYSTEM", platform: "linux", shell: "bash", isGitRepository: false, today: () => "2026-01-01" },
  };
  return createEngine(parts, () => parts);
}

/** Answers with random pieces of thoughts, words and calls; `pause` is waited for between two of them. */
export function createBusyProvider(random: SeededRandom, pause: () => Promise<void>): Provider {
  let calls = 0;
  return {
    async *stream(_request, signal): AsyncGenerator<ModelEvent> {
      const usage = { input: 100, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
      const pieces = 5 + random.below(30);
      for (let piece = 0; piece < pieces && !signal.aborted; piece += 1) {
        if (random.below(3) === 0) await pause();
        const text = `piece ${piece} of ${pieces} “${random.below(1_000_000)}” `;
        yield piece < pieces / 4 ? { type: "reasoning-delta", text } : { type: "text-delta", text };
      }
      if (random.below(3) > 0) {
        yield { type: "end", stopReason: "end", usage };
        return;
      }
      calls += 1;
      const callId = `call_${calls}_${random.below(1_000_000)}`;
      const inputText = JSON.stringify({ text: `note ${calls}` });
      yield { type: "tool-input-delta", callId, tool: "note", text: inputText.slice(0, 6) };
      await pause();
      yield { type: "tool-input-delta", callId, tool: "note", text: inputText.slice(6) };
      yield { type: "tool-call", call: { type: "tool-call", callId, tool: "note", inputText } };
      yield { type: "end", stopReason: "tool-calls", usage };
    },
  };
}

const noteTool: Tool<{ readonly text: string }> = {
  name: "note",
  description: "Notes a text.",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  resultCharactersMax: 10_000,
  parse: (input) => ({ ok: true, input: input as { readonly text: string } }),
  needs: () => [],
  readOnly: () => true,
  concurrencySafe: () => true,
  run: async ({ text }) => ({ output: `Noted ${text}.`, title: "note", metadata: {} }),
};
