/** Builds a real engine on a memory store with a scripted model and a few plain tools, and records every event. */
import {
  type CommandOf,
  type Event,
  type Fact,
  type FactRecord,
  type Failure,
  fixedToolSource,
  type Json,
  type ModelEvent,
  type ModelRequest,
  type PermissionMode,
  type Provider,
  type RuleSet,
  type RunOptions,
  type SessionProfile,
  type Signal,
  type Snapshots,
  type Store,
  type Tool,
} from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import {
  createCountingIds,
  createFixedClock,
  createRedactorDouble,
  createScriptedProvider,
  noArtifacts,
  noJobs,
  noSnapshots,
} from "@kedge/testing";
import {
  type ConversationSettings,
  createEngine,
  type Engine,
  type EngineParts,
  type SessionResources,
} from "../src/index.ts";
import { createMemoryMachine } from "./gate-cases.ts";
import { readPlainCommands } from "./judge-cases.ts";

export type ScriptedTurn = readonly ModelEvent[] | ((request: ModelRequest) => readonly ModelEvent[]);

export type HarnessOptions = {
  readonly turns?: readonly ScriptedTurn[];
  readonly provider?: Provider;
  readonly tools?: readonly Tool[];
  readonly rules?: readonly RuleSet[];
  readonly interactive?: boolean;
  readonly snapshots?: Snapshots;
  readonly store?: Store;
  readonly boot?: string;
  readonly outputTokensMax?: number;
  readonly webSearch?: boolean;
  readonly reasoning?: "none" | "effort";
  readonly withoutTools?: true;
  /** The model rejects a request that names the tool to be called. */
  readonly withoutForcedTools?: true;
  readonly parts?: HarnessParts;
};

/** Anything that an engine or a session is made of, by its own name. */
export type HarnessParts = Partial<EngineParts & SessionResources & ConversationSettings>;

export type Opening = Pick<CommandOf<"session.create">, "parent"> & { readonly profile?: Partial<SessionProfile> };

export type Harness = {
  readonly engine: Engine;
  /** What the engine and, where nothing else is said, each session was made of. */
  readonly parts: EngineParts;
  readonly store: Store;
  readonly requests: readonly ModelRequest[];
  readonly events: Event[];
  /** Creates a session and listens to it. */
  open(mode?: PermissionMode): Promise<string>;
  /** The same with a profile or a parent of its own, and with whatever mode and model these have. */
  openWith(opening: Opening): Promise<string>;
  resume(
    sessionId: string,
    wish?: { readonly mode?: PermissionMode },
    profile?: Partial<SessionProfile>,
  ): Promise<{ readonly interrupted: boolean }>;
  /** Submits a prompt and waits for the end of its run. */
  prompt(sessionId: string, text: string, options?: RunOptions): Promise<FactRecord>;
  submit(sessionId: string, text: string, options?: RunOptions): Promise<{ promptId: string; runId: string }>;
  waitFor(wanted: (event: Event) => boolean): Promise<Event>;
  waitForFact<Type extends Fact["type"]>(type: Type, nth?: number): Promise<Extract<Fact, { type: Type }>>;
  facts(): readonly Fact[];
  signals(): readonly Signal[];
};

const withoutPassword = (text: string) => text.replaceAll("hunter2", "[REDACTED:password]");

const resources: SessionResources = {
  newFileState: () => ({ remember: () => undefined, known: () => undefined, exclusively: (_, work) => work() }),
  newArtifacts: () => noArtifacts,
  newJobs: () => noJobs,
  newOutputSink: ({ onProgress }) => {
    let kept = "";
    return {
      write: (chunk, stream) => {
        kept += chunk;
        onProgress(chunk, stream);
      },
      text: () => kept,
      dump: () => ({
        output: kept,
        truncated: false,
        totalLines: kept.split("\n").length,
        totalBytes: kept.length,
        outputLines: kept.split("\n").length,
        outputBytes: kept.length,
        stderrRanges: [],
      }),
    };
  },
};

export function say(text: string): readonly ModelEvent[] {
  return [{ type: "text-delta", text }, end("end")];
}

export function end(stopReason: "end" | "tool-calls" | "output-limit"): ModelEvent {
  return { type: "end", stopReason, usage: { input: 100, output: 10, reasoning: 0, cacheRead: 0, cacheWrite: 0 } };
}

export function call(callId: string, tool: string, input: Json): ModelEvent {
  return { type: "tool-call", call: { type: "tool-call", callId, tool, inputText: JSON.stringify(input) } };
}

export function calls(...events: readonly ModelEvent[]): readonly ModelEvent[] {
  return [...events, end("tool-calls")];
}

export function createHarness(options: HarnessOptions): Harness {
  const store =
    options.store ??
    createMemoryStore({ now: () => 1000, randomBytes: (size) => new Uint8Array(size).fill(7), isAlive: () => false });
  const scripted = createScriptedProvider(options.turns ?? []);
  const events: Event[] = [];
  const waiters = new Set<(event: Event) => void>();
  const ids = createCountingIds();
  const boot = options.boot ?? "boot-1";
  const parts: EngineParts = {
    store,
    models: {
      find: async (ref) =>
        ref === "mock/model" || ref === "mock/other"
          ? {
              ok: true,
              model: {
                ref,
                provider: "mock",
                id: ref.slice("mock/".length),
                contextTokens: 100_000,
                outputTokensMax: options.outputTokensMax ?? 8000,
                ...((options.webSearch ?? options.reasoning ?? options.withoutTools ?? options.withoutForcedTools) !==
                  undefined && {
                  capabilities: {
                    tools: options.withoutTools !== true,
                    reasoning: options.reasoning ?? "none",
                    images: true,
                    documents: true,
                    mediaInToolResults: true,
                    temperature: true,
                    cacheMarks: false,
                    webSearch: options.webSearch ?? false,
                    ...(options.withoutForcedTools && { forcedToolChoice: false }),
                  },
                }),
              },
              provider: options.provider ?? scripted,
            }
          : { ok: false, failure: unknownModel(ref) },
      cost: (_, usage) => ({ usd: (usage.input + usage.output * 5) / 1_000_000, estimated: false }),
    },
    toolSources: [fixedToolSource({ name: "built-in", kind: "built-in" }, () => options.tools ?? [])],
    snapshots: options.snapshots ?? noSnapshots,
    resources: { ...resources, ...options.parts },
    conversation: { ...options.parts },
    workspace: {
      cwd: "/project",
      root: "/project",
      projectId: "project-1",
      lookAtPath: (path) => ({ place: path.startsWith("/project") ? "inside" : "outside", otherNames: [] }),
      analyseShell: readPlainCommands,
      isProtected: () => false,
      home: "/home/dev",
      kedgeHome: "/home/dev/.kedge",
    },
    machine: createMemoryMachine().look,
    autoMode: { allow: [], softDeny: [], environment: [] },
    rules: options.rules ?? [],
    interactive: options.interactive ?? false,
    concurrentCallsMax: 10,
    holder: { boot, pid: 1, startedAt: "0" },
    kedgeVersion: "0.0.0",
    clock: createFixedClock(),
    // Two harnesses on one store are two processes, whose ids never meet.
    newId: (prefix) => ids.newId(boot === "boot-1" ? prefix : `${prefix}${boot}-`),
    newRequestId: ids.newRequestId,
    redact: withoutPassword,
    resultRedactor: createRedactorDouble(withoutPassword),
    localCommands: [{ name: "hello", summary: "greets", run: async (argument) => ({ text: `hello ${argument}` }) }],
    prompt: { override: "SYSTEM", platform: "linux", shell: "bash", isGitRepository: false, today: () => "2026-01-01" },
    ...options.parts,
  };
  const engine = createEngine(parts, () => parts);

  function listen(sessionId: string): void {
    engine.subscribe(sessionId, (event) => {
      events.push(event);
      for (const waiter of waiters) waiter(event);
    });
  }

  function waitFor(wanted: (event: Event) => boolean): Promise<Event> {
    const already = events.find(wanted);
    if (already !== undefined) return Promise.resolve(already);
    return new Promise((resolve) => {
      const waiter = (event: Event) => {
        if (!wanted(event)) return;
        waiters.delete(waiter);
        resolve(event);
      };
      waiters.add(waiter);
    });
  }

  const facts = () => events.flatMap((event) => (event.kind === "fact" ? [event.record.fact] : []));

  async function submit(sessionId: string, text: string, runOptions: RunOptions = {}) {
    const answer = await engine.send({
      type: "prompt.submit",
      sessionId,
      text,
      delivery: "steer",
      options: runOptions,
    });
    if (!answer.ok) throw new Error(answer.failure.message);
    return answer.value;
  }

  return {
    engine,
    parts,
    store,
    requests: scripted.requests,
    events,
    async openWith({ parent, profile }) {
      const command = { type: "session.create", ...(parent !== undefined && { parent }) } as const;
      const given = profile === undefined ? {} : { profile: { ...parts, model: "mock/model", ...profile } };
      const answer = await engine.send<"session.create">(command, given);
      if (!answer.ok) throw new Error(answer.failure.message);
      listen(answer.value.sessionId);
      return answer.value.sessionId;
    },
    async open(mode = "default") {
      const answer = await engine.send({ type: "session.create", mode, model: "mock/model" });
      if (!answer.ok) throw new Error(answer.failure.message);
      listen(answer.value.sessionId);
      return answer.value.sessionId;
    },
    async resume(sessionId, wish = { mode: "default" }, profile = {}) {
      listen(sessionId);
      const given = { profile: { ...parts, ...profile } };
      const answer = await engine.send({ type: "session.resume", sessionId, ...wish }, given);
      if (!answer.ok) throw new Error(answer.failure.message);
      return answer.value;
    },
    submit,
    async prompt(sessionId, text, runOptions = {}) {
      const { runId } = await submit(sessionId, text, runOptions);
      const event = await waitFor(
        (seen) => seen.kind === "fact" && seen.record.fact.type === "run.ended" && seen.record.fact.runId === runId,
      );
      if (event.kind !== "fact") throw new Error("not a fact");
      return event.record;
    },
    waitFor,
    async waitForFact(type, nth = 1) {
      let seen = 0;
      await waitFor(() => {
        seen = facts().filter((fact) => fact.type === type).length;
        return seen >= nth;
      });
      // The filter keeps only facts of the wanted type; the compiler cannot follow the generic through it.
      return facts().filter((fact) => fact.type === type)[nth - 1] as Extract<Fact, { type: typeof type }>;
    },
    facts,
    signals: () => events.flatMap((event) => (event.kind === "signal" ? [event.signal] : [])),
  };
}

function unknownModel(ref: string): Failure {
  return { code: "invalid_model", message: `model ${ref} not found.`, retryable: false };
}

export type ToolBehaviour = {
  readonly name: string;
  readonly readOnly?: boolean;
  readonly concurrencySafe?: boolean;
  readonly run?: Tool["run"];
  readonly validate?: NonNullable<Tool["validate"]>;
  readonly permission?: string;
  readonly required?: readonly string[];
};

/** A plain tool whose behaviour a test decides. */
export function createTool(behaviour: ToolBehaviour): Tool {
  const { name, readOnly = true, concurrencySafe = readOnly, permission = name } = behaviour;
  return {
    name,
    description: `does ${name}`,
    inputSchema: { type: "object" },
    resultCharactersMax: 50_000,
    parse: (input) => {
      const missing = (behaviour.required ?? []).filter((key) => !(key in (input as object)));
      return missing.length === 0 ? { ok: true, input } : { ok: false, report: `${missing.join()}: required` };
    },
    ...(behaviour.validate !== undefined && { validate: behaviour.validate }),
    needs: (input) => [
      {
        permission,
        patterns: [JSON.stringify(input)],
        always: [JSON.stringify(input)],
        access: readOnly ? "read" : "write",
      },
    ],
    readOnly: () => readOnly,
    concurrencySafe: () => concurrencySafe,
    run: behaviour.run ?? (async (input) => ({ output: `${name} ${JSON.stringify(input)}`, title: name })),
  };
}
