/** Puts a real engine together from stand-ins: nothing of it reaches the network, the user's files or a clock. */
import { createEngine, type Engine } from "@kedge/engine";
import type { Artifacts, Failure, Jobs, Provider, RuleSet, Snapshots, Store, Tool } from "@kedge/protocol";
import { createFileState, createOutputSink } from "@kedge/tools";
import type { RecordedWorld } from "./recorded-world.ts";
import { outputTokensOf } from "./run-options.ts";
import type { ScratchWorkspace } from "./scratch-workspace.ts";

export type ReplayIds = {
  /** The ids that the next prompt and the next run get. */
  prompt: string;
  run: string;
};

export type ReplayEngineParts = {
  readonly store: Store;
  readonly world: RecordedWorld;
  readonly provider: Provider;
  readonly newTools: () => readonly Tool[];
  readonly scratch: ScratchWorkspace;
  readonly sessionId: string;
  readonly ids: ReplayIds;
  /** Holds a run until everything is said that was said before its first step. */
  readonly mayStart: () => Promise<Failure | undefined>;
  readonly editChoice: Parameters<typeof createEngine>[0]["editChoice"];
};

export const replayHolder = { boot: "replay", pid: 0, startedAt: "" } as const;

/** No model has a window that a recorded conversation could fill: its size is the record's business. */
const windowTokens = Number.MAX_SAFE_INTEGER;
const sinkBytes = 64 * 1024;

/** What was permitted is in the record. */
const allowed: readonly RuleSet[] = [{ source: "flag", rules: [{ permission: "*", pattern: "*", action: "allow" }] }];

export function createReplayEngine(parts: ReplayEngineParts): Engine {
  const { store, world, scratch, ids } = parts;
  let unrecorded = 0;
  const newId = (prefix: string): string => {
    unrecorded += 1;
    return `${prefix}unrecorded${unrecorded}`;
  };
  return createEngine({
    store,
    models: {
      async find(ref) {
        const failure = await parts.mayStart();
        if (failure !== undefined) return { ok: false, failure };
        const slash = ref.indexOf("/");
        const model = { ref, provider: ref.slice(0, Math.max(0, slash)), id: ref.slice(slash + 1) };
        const outputTokensMax = world.run === undefined ? windowTokens : outputTokensOf(world.run);
        const sizes = { contextTokens: windowTokens, outputTokensMax, assumed: true } as const;
        return { ok: true, model: { ...model, ...sizes }, provider: parts.provider };
      },
      cost: (_, usage) => {
        const ended = world.step?.ended;
        return ended !== undefined && usage === ended.usage ? ended.cost : { usd: 0, estimated: false };
      },
    },
    newTools: parts.newTools,
    snapshots: noSnapshots,
    newFileState: createFileState,
    newOutputSink: (sink) => createOutputSink({ headBytes: sinkBytes, tailBytes: sinkBytes, now: () => 0, ...sink }),
    newArtifacts: () => createNumberedArtifacts(world),
    newJobs: () => noJobs,
    machine: {
      list: async () => ({ items: [], isComplete: true }),
      lookAt: async () => [],
      changedSince: async () => ({ items: [], isComplete: true }),
      measure: async () => ({ kind: "missing" }),
      readText: async () => undefined,
    },
    pressure: { enabled: false },
    workspace: {
      cwd: scratch.cwd,
      root: scratch.root,
      projectId: "replay",
      judgePath: () => "inside",
      analyseShell: () => {
        throw new Error("no command is judged in a replay");
      },
      isProtected: () => false,
      home: scratch.root,
      kedgeHome: scratch.root,
    },
    rules: allowed,
    interactive: false,
    concurrentCallsMax: Number.MAX_SAFE_INTEGER,
    holder: replayHolder,
    kedgeVersion: "replay",
    clock: { now: () => world.time, monotonicMs: () => 0 },
    newId(prefix) {
      if (prefix === "ses_") return parts.sessionId;
      if (prefix === "prm_") return ids.prompt;
      if (prefix === "run_") return ids.run;
      if (prefix === "stp_") return nextStepId(world) ?? newId(prefix);
      return newId(prefix);
    },
    newRequestId: () => newId("req_"),
    redact: (text) => text,
    localCommands: [],
    editChoice: parts.editChoice,
    autoMode: { allow: [], softDeny: [], environment: [] },
    interruptMode: "boundary",
    // Only what the vendor found too long is shortened again, and the record says how.
    compaction: { thresholdPercent: 100, settings: { strategy: "summary", reserveTokens: 0 } },
    prompt: { override: "", platform: "", shell: "", isGitRepository: false, today: () => "" },
  });
}

/** Steps of a run follow each other, so the next one is the one after the last. */
function nextStepId({ run, step }: RecordedWorld): string | undefined {
  if (run === undefined) return undefined;
  const at = step === undefined ? -1 : run.steps.indexOf(step);
  return run.steps[at + 1]?.started.stepId;
}

const noSnapshots: Snapshots = {
  track: async () => ({ ok: true, tree: "replay", uncovered: [] }),
  changes: async () => [],
  restore: async () => undefined,
  diff: async () => "",
};

const noJobs: Jobs = {
  start: () => ({ ok: false, problem: "there are no jobs in a replay" }),
  adopt: () => ({ ok: false, problem: "there are no jobs in a replay" }),
  find: () => undefined,
  list: () => [],
  takeOutput: () => "",
  waitForEnd: async () => undefined,
  watch: () => undefined,
  kill: async () => undefined,
  takeEnded: () => [],
  close: async () => undefined,
};

/** Their numbers stand in results, so they go on from the highest that the record has shown so far. */
function createNumberedArtifacts(world: RecordedWorld): Artifacts {
  let last = 0;
  const shown = () => {
    for (const { ended } of world.step?.calls.values() ?? []) {
      const number = ended.metadata?.["artifact"];
      if (world.taken.has(ended.callId) && typeof number === "number") last = Math.max(last, number);
    }
    return last;
  };
  return {
    create() {
      last = shown() + 1;
      return { number: last, path: "", write: () => undefined, close: () => undefined };
    },
    pathOf: () => undefined,
    numbers: () => [],
  };
}
