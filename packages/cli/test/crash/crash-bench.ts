/** A home, a mock model that plays a run with real tools, the real program ended in the midst of it, and what must hold afterwards. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyRecord, emptySession, type Fact, type FactRecord, type SessionState, type Store } from "@kedge/protocol";
import { openSqliteStore } from "@kedge/store";
import { type MockModel, type MockRequest, type MockTurn, startMockModel } from "@kedge/testing";
import { expect } from "vitest";

export const entry = join(import.meta.dirname, "../../../../dist/kedge.js");

export type Ended = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly tookMs: number;
};

export type RunOptions = {
  readonly after?: { readonly ms: number; readonly send: "SIGKILL" | "SIGTERM" };
  readonly environment?: { readonly [name: string]: string };
  /** Kills it as soon as this resolves. */
  readonly until?: Promise<unknown>;
  /** What is typed into it; the keyboard then stays there, silent. */
  readonly input?: string;
  /** Called with everything that was printed so far. */
  readonly onOutput?: (printed: string, kill: () => void) => void;
};

export type CrashBench = {
  readonly folder: string;
  readonly home: string;
  readonly model: MockModel;
  run(cwd: string, argv: readonly string[], options?: RunOptions): Promise<Ended>;
  workspace(name: string): string;
  openStore(): Store;
  close(): Promise<void>;
};

export const turns = 12;

/** Read, edit, write and a command that shows how often it ran, in turn; the last answer says that all is done. */
export function turnAfter(results: number): MockTurn {
  if (results >= turns) return { text: "All turns done." };
  const id = `call_${results}`;
  const call = (name: string, input: object): MockTurn => ({ toolCalls: [{ id, name, input }] });
  switch (results % 4) {
    case 0:
      return call("read", { filePath: "slots.txt" });
    case 1:
      return call("edit", { filePath: "slots.txt", oldString: `slot-${results}:`, newString: `slot-${results}: done` });
    case 2:
      return call("write", { filePath: `written-${results}.txt`, content: `${results}\n` });
    default:
      return call("bash", { command: markCommand(results), description: "leave a mark" });
  }
}

function markCommand(turn: number): string {
  return `echo mark-${turn} >> marks.txt`;
}

export function resultsIn({ body }: MockRequest): number {
  return body.messages?.filter((message) => message.role === "tool").length ?? 0;
}

export async function openCrashBench(
  script: (request: MockRequest) => MockTurn = (request) => turnAfter(resultsIn(request)),
  commands: readonly string[] = [],
  settings: object = {},
): Promise<CrashBench> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "kedge-crash-")));
  const home = join(folder, "home");
  const model = await startMockModel({ script });
  mkdirSync(home);
  const models = { "mock-model": { context: 200_000, output: 64_000 } };
  const provider = { mock: { api: "openai-chat", baseURL: model.baseUrl, apiKey: "x", models } };
  const marks = Array.from({ length: turns }, (_, turn) => markCommand(turn));
  const allowed = Object.fromEntries([...marks, ...commands].map((command) => [command, "allow"]));
  const permission = { bash: allowed, edit: "allow" };
  writeFileSync(
    join(home, "config.json"),
    JSON.stringify({ model: "mock/mock-model", provider, permission, ...settings }),
  );
  return {
    folder,
    home,
    model,
    run: (cwd, argv, options = {}) => runProgram({ cwd, argv, home, folder }, options),
    workspace(name) {
      const directory = join(folder, name);
      mkdirSync(directory);
      const slots = Array.from({ length: turns }, (_, turn) => `slot-${turn}:\n`).join("");
      writeFileSync(join(directory, "slots.txt"), slots);
      return directory;
    },
    openStore: () => openStore(home),
    async close() {
      await model.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Program = {
  readonly cwd: string;
  readonly argv: readonly string[];
  readonly home: string;
  readonly folder: string;
};

function runProgram({ cwd, argv, home, folder }: Program, options: RunOptions): Promise<Ended> {
  const startedAt = performance.now();
  const env = { PATH: process.env["PATH"], HOME: folder, KEDGE_HOME: home, ...options.environment };
  const keyboard = options.input === undefined ? "ignore" : "pipe";
  const child = spawn(process.execPath, [entry, ...argv], { cwd, env, stdio: [keyboard, "pipe", "pipe"] });
  // A program that is killed leaves its input unread.
  child.stdin?.on("error", () => undefined).write(options.input ?? "");
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.on("data", (chunk: Buffer) => {
      printed[name] += chunk.toString();
      options.onOutput?.(printed.stdout + printed.stderr, () => child.kill("SIGKILL"));
    });
  }
  const { after, until } = options;
  void until?.then(() => child.kill("SIGKILL"));
  const timer = after === undefined ? undefined : setTimeout(() => child.kill(after.send), after.ms);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, ...printed, tookMs: performance.now() - startedAt });
    });
  });
}

export function openStore(home: string): Store {
  const opened = openSqliteStore({
    path: join(home, "data/kedge.db"),
    blobsDirectory: join(home, "data/blobs"),
    now: Date.now,
    randomBytes: (size) => crypto.getRandomValues(new Uint8Array(size)),
    isAlive: () => true,
  });
  if (!opened.ok) throw new Error(opened.failure.message);
  expect(opened.notice).toBeUndefined();
  return opened.store;
}

export type Stored = { readonly records: readonly FactRecord[]; readonly state: SessionState };

/** The only session of the directory: its chain holds and its facts fold. Undefined when none was stored. */
export async function storedSession(store: Store, directory: string): Promise<Stored | undefined> {
  const [session, ...others] = await store.sessions({ directory, limit: 10 });
  expect(others).toEqual([]);
  if (session === undefined) return undefined;
  const { sessionId } = session;
  expect(await store.verify(sessionId)).toMatchObject({ valid: true, truncated: false });
  const records: FactRecord[] = [];
  const state = emptySession(sessionId);
  for await (const record of store.read(sessionId, 0)) {
    records.push(record);
    applyRecord(state, record);
  }
  expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => index + 1));
  return { records, state };
}

/** Every call starts at most once and ends exactly once, and no run is left open; prompts may still wait. */
export function expectAllClosed({ records, state }: Stored): void {
  const count = new Map<string, { started: number; ended: number }>();
  for (const { fact } of records) {
    if (fact.type !== "tool.started" && fact.type !== "tool.ended") continue;
    const seen = count.get(fact.callId) ?? { started: 0, ended: 0 };
    count.set(fact.callId, seen);
    if (fact.type === "tool.started") seen.started += 1;
    else seen.ended += 1;
  }
  for (const [callId, { started, ended }] of count) {
    expect({ callId, startedTwice: started > 1, ended }).toEqual({ callId, startedTwice: false, ended: 1 });
  }
  expect({ runId: state.runId, step: state.step }).toEqual({ runId: undefined, step: undefined });
}

/** What the tools did in the workspace shows that none of it was done twice. */
export function expectNothingTwice(directory: string): void {
  const marks = textOf(join(directory, "marks.txt")).split("\n").filter(Boolean);
  expect(marks).toEqual([...new Set(marks)]);
  expect(textOf(join(directory, "slots.txt"))).not.toContain("done done");
}

export function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** The last fact but for what the run is remembered by, which stands behind its end. */
export function lastOfRun(records: readonly FactRecord[]): Fact | undefined {
  return records.findLast(({ fact }) => fact.type !== "memory.lesson_extracted")?.fact;
}
