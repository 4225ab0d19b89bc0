/** Runs a worker that continues from where a session is: with its bytes, without a record, and with few tools. */
import { createEngine, type EngineShared } from "@kedge/engine";
import type {
  CallPhase,
  FactOf,
  RequestPrefix,
  SessionProfile,
  Snapshots,
  Tool,
  ToolSource,
  Usage,
} from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";

export type WorkerEngine = {
  readonly shared: EngineShared;
  readonly profile: SessionProfile;
  readonly randomBytes: (count: number) => Buffer;
};

export type WorkerWish = {
  readonly prefix: RequestPrefix;
  readonly prompt: string;
  readonly turnsMax: number;
  readonly gate: CallPhase;
  /** Another tool of the same name in the place of some. */
  readonly replaceTool: (tool: Tool) => Tool;
  readonly signal: AbortSignal;
};

/** With what the provider counted for its first answer. */
export type WorkerEnd = FactOf<"run.ended"> & { readonly first: Usage | undefined };

/** Undefined where it did not come to an end that can be told, or was stopped. Nothing of it is stored. */
export async function runWorker(
  { shared, profile, randomBytes }: WorkerEngine,
  wish: WorkerWish,
): Promise<WorkerEnd | undefined> {
  const { prompt, turnsMax, signal, prefix } = wish;
  const { model } = prefix;
  if (signal.aborted) return undefined;
  const store = createMemoryStore({ now: shared.clock.now, randomBytes, isAlive: () => true });
  const engine = createEngine(withoutRecord({ ...shared, store }), () => workerProfile(profile, wish));
  const ended = Promise.withResolvers<WorkerEnd | undefined>();
  let first: Usage | undefined;
  engine.subscribeAll((_, event) => {
    if (event.kind === "fact" && event.record.fact.type === "step.ended") first ??= event.record.fact.usage;
    if (event.kind === "fact" && event.record.fact.type === "run.ended") ended.resolve({ ...event.record.fact, first });
    else if (event.kind === "signal" && event.signal.type === "run.unrecorded") ended.resolve(undefined);
  });
  const stop = () => ended.resolve(undefined);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const created = await engine.send<"session.create">({ type: "session.create", model, mode: "default" });
    if (!created.ok) return undefined;
    const { sessionId } = created.value;
    const sent = await engine.send<"prompt.submit">({
      type: "prompt.submit",
      sessionId,
      text: prompt,
      delivery: "steer",
      options: { turnsMax },
    });
    return sent.ok ? await ended.promise : undefined;
  } finally {
    signal.removeEventListener("abort", stop);
    await engine.close();
  }
}

/** A worker has no title, no commands and no successor, and its conversation is never shortened. */
function withoutRecord({
  sessionDeleted: _,
  learn: ___,
  conversation = {},
  compaction,
  ...shared
}: EngineShared): EngineShared {
  const { titles: __, ...kept } = conversation;
  const settings = { ...compaction?.settings, enabled: false };
  return { ...shared, localCommands: [], conversation: kept, compaction: { ...compaction, settings } };
}

function workerProfile(
  { saveRules: _, steeringChanged: __, ...profile }: SessionProfile,
  { prefix, gate, replaceTool }: WorkerWish,
): SessionProfile {
  return {
    ...profile,
    model: prefix.model,
    mode: "default",
    prefix,
    interactive: false,
    snapshots: noSnapshots,
    contextSources: [],
    callPhases: [gate],
    toolSources: profile.toolSources.map((source) => withReplaced(source, replaceTool)),
  };
}

function withReplaced(source: ToolSource, replaceTool: (tool: Tool) => Tool): ToolSource {
  return {
    ...source,
    open(session) {
      const { tools, ...opened } = source.open(session);
      return { ...opened, tools: () => tools().map(replaceTool) };
    },
  };
}

/** The gate lets nothing pass that changes files. */
const noSnapshots: Snapshots = {
  track: async () => ({ ok: false, why: "a memory worker does not change files" }),
  changes: async () => [],
  restore: async () => undefined,
  diff: async () => "",
};
