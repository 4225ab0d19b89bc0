/** Records a session with a scripted model and the real tools in a throw-away project, ready to be replayed. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createEngine, type Engine, type EngineParts } from "@kedge/engine";
import {
  type CommandOf,
  type FactRecord,
  fixedToolSource,
  type Provider,
  type RunOptions,
  type SessionCommandType,
  type Store,
} from "@kedge/protocol";
import { createLookAtPath } from "@kedge/sandbox";
import { createMachineLook, createMemoryStore } from "@kedge/store";
import { createCountingIds, createRedactorDouble, createScriptedProvider, type ScriptedAnswer } from "@kedge/testing";
import {
  createArtifacts,
  createFileState,
  createGrammars,
  createJobs,
  createOutputSink,
  createTaskList,
  createTools,
  findRipgrep,
} from "@kedge/tools";
import { type CheckParts, createReplayTools } from "../../src/replay/index.ts";
import { createShellReading } from "../../src/shell/shell-reading.ts";
import { createDirectorySnapshots } from "./directory-snapshots.ts";

export const settings = {
  editing: { fuzzyMatch: true, fuzzyThreshold: 0.95, blockGenerated: true, recovery: true },
  reading: { defaultLimit: 2_000, summarize: true },
};

const environment = () => ({ PATH: process.env["PATH"] ?? "" });

export type Recording = {
  readonly project: string;
  readonly place: string;
  readonly engine: Engine;
  readonly store: Store;
  sessionId: string;
  send<Type extends SessionCommandType>(command: Omit<CommandOf<Type>, "sessionId">): Promise<unknown>;
  /** Submits a prompt and waits for the end of its run. */
  prompt(text: string, options?: RunOptions): Promise<void>;
  submit(text: string, delivery?: "steer" | "follow-up", options?: RunOptions): Promise<string>;
  runEnded(runId: string): Promise<void>;
  factSeen(isWanted: (record: FactRecord) => boolean): Promise<void>;
  /** A new process takes the session up. */
  restart(): Promise<void>;
  records(): Promise<readonly FactRecord[]>;
  checkParts: CheckParts;
  /** What a replay left in its temporary directory. */
  leftovers(): readonly string[];
  write(path: string, text: string): void;
  close(): Promise<void>;
};

export type RecordingOptions = {
  readonly answers?: readonly ScriptedAnswer[];
  readonly provider?: Provider;
  readonly files?: { readonly [path: string]: string };
  readonly parts?: Partial<EngineParts>;
};

export async function startRecording(options: RecordingOptions): Promise<Recording> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "kedge-recording-")));
  const project = join(place, "project");
  const temporaryDirectory = join(place, "tmp");
  for (const directory of [project, temporaryDirectory, join(project, ".git")]) mkdirSync(directory);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  for (const [path, text] of Object.entries(options.files ?? {})) write(path, text);
  const snapshots = createDirectorySnapshots(project, join(place, "trees"));
  mkdirSync(join(place, "trees"));
  let time = 1_000;
  const now = () => {
    time += 10;
    return time;
  };
  const store = createMemoryStore({ now, randomBytes: (size) => new Uint8Array(size).fill(7), isAlive: () => false });
  const provider = options.provider ?? createScriptedProvider(options.answers ?? []);
  const ids = createCountingIds();
  const shell = createShellReading({
    redefined: () => [],
    programOfProject: () => undefined,
    untrustedGitProgram: () => undefined,
    platform: "linux",
  });
  await shell.load();
  const lookAtPath = createLookAtPath({ root: project, added: [] });
  const listeners = new Set<(record: FactRecord) => void>();
  const seen: FactRecord[] = [];

  function open(boot: string): Engine {
    const parts: EngineParts = {
      store,
      models: {
        find: async (ref) => {
          const id = ref.slice(ref.indexOf("/") + 1);
          return {
            ok: true,
            model: { ref, provider: "mock", id, contextTokens: 100_000, outputTokensMax: 64_000 },
            provider,
          };
        },
        cost: (_, usage) => ({ usd: (usage.input + usage.output * 5) / 1_000_000, estimated: false }),
      },
      toolSources: [
        fixedToolSource({ name: "built-in", kind: "built-in" }, () =>
          createTools({
            ripgrepPath: findRipgrep,
            shellPath: "/bin/bash",
            childEnvironment: environment,
            isBashOffered: true,
            jobsEnabled: true,
            pollWait: "smart",
            now: () => performance.now(),
            wallClockMs: () => Date.now(),
            isInside: (path) => lookAtPath(path).place === "inside",
            grammars: createGrammars(),
            tasks: createTaskList({ path: join(place, "tasks.json") }),
            web: { judgeAddress: () => ({ verdict: "block", why: "no network in this test" }) },
            ...settings,
            offersCheckpoints: true,
          }),
        ),
      ],
      snapshots,
      resources: {
        newFileState: createFileState,
        newOutputSink: (sink) =>
          createOutputSink({ headBytes: 17_408, tailBytes: 11_264, now: () => performance.now(), ...sink }),
        newArtifacts: (sessionId) =>
          createArtifacts({ directory: join(place, "output", sessionId), redactor: createRedactorDouble() }),
        newJobs: () => createJobs({ now, max: 4 }),
      },
      machine: createMachineLook({ monotonicMs: () => performance.now() }),
      workspace: {
        cwd: project,
        root: project,
        projectId: "project",
        lookAtPath,
        analyseShell: shell.analyse,
        isProtected: () => false,
        home: place,
        kedgeHome: join(place, "kedge"),
      },
      rules: [],
      interactive: false,
      concurrentCallsMax: 10,
      holder: { boot, pid: 1, startedAt: "0" },
      kedgeVersion: "0.0.0",
      clock: { now, monotonicMs: () => performance.now() },
      newId: ids.newId,
      newRequestId: ids.newRequestId,
      redact: (text) => text,
      resultRedactor: createRedactorDouble(),
      localCommands: [],
      autoMode: { allow: [], softDeny: [], environment: [] },
      prompt: { platform: "linux", shell: "bash", isGitRepository: false, today: () => "2026-01-01" },
      ...options.parts,
    };
    return createEngine(parts, () => parts);
  }

  let engine = open("boot-1");
  let sessionId = "";
  const listen = () =>
    engine.subscribe(sessionId, (event) => {
      if (event.kind !== "fact") return;
      seen.push(event.record);
      for (const listener of listeners) listener(event.record);
    });

  async function send<Type extends SessionCommandType>(command: CommandOf<Type>): Promise<unknown> {
    const answer = await engine.send<Type>(command);
    if (!answer.ok) throw new Error(answer.failure.message);
    return answer.value;
  }

  function factSeen(isWanted: (record: FactRecord) => boolean): Promise<void> {
    if (seen.some(isWanted)) return Promise.resolve();
    return new Promise((resolve) => {
      const listener = (record: FactRecord) => {
        if (!isWanted(record)) return;
        listeners.delete(listener);
        resolve();
      };
      listeners.add(listener);
    });
  }

  const runEnded = (runId: string) => factSeen(({ fact }) => fact.type === "run.ended" && fact.runId === runId);

  async function submit(text: string, delivery: "steer" | "follow-up" = "steer", runOptions: RunOptions = {}) {
    const command = { type: "prompt.submit", sessionId, text, delivery, options: runOptions } as const;
    const answer = await engine.send<"prompt.submit">(command);
    if (!answer.ok) throw new Error(answer.failure.message);
    return answer.value.runId;
  }

  const created = await engine.send<"session.create">({ type: "session.create", mode: "bypass", model: "mock/model" });
  if (!created.ok) throw new Error(created.failure.message);
  sessionId = created.value.sessionId;
  listen();
  return {
    project,
    place,
    engine,
    store,
    sessionId,
    // The session is the one of this recording; everything else the caller has given.
    send: (command) => send({ ...command, sessionId } as unknown as CommandOf<SessionCommandType>),
    submit,
    runEnded,
    factSeen,
    async prompt(text, runOptions = {}) {
      await runEnded(await submit(text, "steer", runOptions));
    },
    async restart() {
      await engine.close();
      engine = open(`boot-${seen.length}`);
      listen();
      const answer = await engine.send<"session.resume">({ type: "session.resume", sessionId, mode: "bypass" });
      if (!answer.ok) throw new Error(answer.failure.message);
    },
    async records() {
      const records: FactRecord[] = [];
      for await (const record of store.read(sessionId, 0)) records.push(record);
      return records;
    },
    checkParts: {
      temporaryDirectory,
      newTools: (where) => createReplayTools({ settings, environment }, where),
      checkOut: snapshots.checkOut,
    },
    leftovers: () => readdirSync(temporaryDirectory),
    write,
    async close() {
      await engine.close();
      rmSync(place, { recursive: true, force: true });
    },
  };
}
