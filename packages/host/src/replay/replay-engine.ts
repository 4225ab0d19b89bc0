/** Puts a real engine together from stand-ins: nothing of it reaches the network, the user's files or a clock. */
import { type ConversationSettings, createEngine, type Engine, type EngineParts } from "@kedge/engine";
import {
  type Artifacts,
  type Failure,
  fixedToolSource,
  type Jobs,
  type Provider,
  type Redactor,
  type RuleSet,
  type Snapshots,
  type Store,
  type Tool,
} from "@kedge/protocol";
import { createFileState, createOutputSink } from "@kedge/tools";
import { detectionOf } from "./judged-stops.ts";
import { promotionModel, windowOf, windowTokens } from "./promotion.ts";
import { recordedHooks } from "./recorded-hooks.ts";
import { stepAfter } from "./recorded-session.ts";
import type { RecordedWorld } from "./recorded-world.ts";
import { isMissingFallback, outputTokensOf } from "./run-options.ts";
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
  readonly editChoice: NonNullable<ConversationSettings["editChoice"]>;
};

export const replayHolder = { boot: "replay", pid: 0, startedAt: "" } as const;

const sinkBytes = 64 * 1024;

/** What was permitted is in the record. */
const allowed: readonly RuleSet[] = [{ source: "flag", rules: [{ permission: "*", pattern: "*", action: "allow" }] }];

/** What was recorded lost its secrets then. */
const asRecorded: Redactor = {
  redact: (text) => text,
  open: () => ({ write: (chunk) => chunk, end: () => "" }),
};

export function createReplayEngine(parts: ReplayEngineParts): Engine {
  const { store, world, scratch, ids } = parts;
  let unrecorded = 0;
  const newId = (prefix: string): string => {
    unrecorded += 1;
    return `${prefix}unrecorded${unrecorded}`;
  };
  const replayed: EngineParts = {
    store,
    models: {
      async find(ref) {
        const failure = (await parts.mayStart()) ?? (isMissing(world, ref) ? missing : undefined);
        if (failure !== undefined) return { ok: false, failure };
        const slash = ref.indexOf("/");
        const model = {
          ref,
          provider: ref.slice(0, Math.max(0, slash)),
          id: ref.slice(slash + 1),
          outputTokensMax: world.run === undefined ? windowTokens : outputTokensOf(world.run),
          assumed: true as const,
          // Read before each step, and by then the record may say otherwise.
          get contextTokens() {
            return windowOf(world, ref);
          },
        };
        return { ok: true, model, provider: parts.provider };
      },
      cost: (_, usage) => {
        const ended = world.step?.ended;
        return ended !== undefined && usage === ended.usage ? ended.cost : { usd: 0, estimated: false };
      },
    },
    toolSources: [fixedToolSource({ name: "built-in", kind: "built-in" }, parts.newTools)],
    snapshots: noSnapshots,
    resources: {
      newFileState: createFileState,
      newOutputSink: (sink) => createOutputSink({ headBytes: sinkBytes, tailBytes: sinkBytes, now: () => 0, ...sink }),
      newArtifacts: () => createNumberedArtifacts(world),
      newJobs: () => noJobs,
    },
    machine: {
      list: async () => ({ items: [], isComplete: true }),
      lookAt: async () => [],
      changedSince: async () => ({ items: [], isComplete: true }),
      measure: async () => ({ kind: "missing" }),
      mark: async () => [],
      readText: async () => undefined,
    },
    pressure: { enabled: false },
    workspace: {
      cwd: scratch.cwd,
      root: scratch.root,
      projectId: "replay",
      lookAtPath: () => ({ place: "inside", otherNames: [] }),
      analyseShell: () => {
        throw new Error("commands are not checked in a replay");
      },
      isProtected: () => false,
      home: scratch.root,
      kedgeHome: scratch.root,
    },
    rules: allowed,
    sessionMoments: [recordedHooks(world)],
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
    resultRedactor: asRecorded,
    localCommands: [],
    autoMode: { allow: [], softDeny: [], environment: [] },
    conversation: {
      editChoice: parts.editChoice,
      interruptMode: "boundary",
      get steeringMode() {
        return steeringModeOf(world);
      },
      unexpectedStop: {
        get detection() {
          return detectionOf(world);
        },
        questions: false,
      },
    },
    // Only what the vendor found too long is shortened again, and the record says how.
    compaction: {
      thresholdPercent: 100,
      settings: { strategy: "summary", reserveTokens: 0 },
      get promotionModel() {
        return promotionModel(world);
      },
    },
    prompt: { override: "", platform: "", shell: "", isGitRepository: false, today: () => "" },
  };
  return createEngine(replayed, () => replayed);
}

function nextStepId({ run, step }: RecordedWorld): string | undefined {
  return run === undefined ? undefined : stepAfter(run, step)?.started.stepId;
}

/** The setting of then is not in the record, but what the next step took is. */
function steeringModeOf({ run, step }: RecordedWorld): "one-at-a-time" | "all" {
  const next = run === undefined ? undefined : stepAfter(run, step);
  return next?.started.prompts.length === 1 ? "one-at-a-time" : "all";
}

const missing: Failure = { code: "invalid_model", message: "The model was unavailable.", retryable: false };

function isMissing({ run }: RecordedWorld, model: string): boolean {
  return run !== undefined && isMissingFallback(run, model);
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

/** Their numbers stand in results, and what else was given one, such as moved results and jobs, is not run again. */
function createNumberedArtifacts(world: RecordedWorld): Artifacts {
  const given = new Set<number>();
  const recorded = (tool: string) =>
    [...(world.step?.calls.values() ?? [])]
      .filter(({ ended }) => ended.tool === tool && !world.taken.has(ended.callId))
      .flatMap(({ ended }) => ended.metadata?.["artifact"] ?? [])
      .find((number) => typeof number === "number" && !given.has(number));
  return {
    create(tool) {
      const number = recorded(tool);
      // Without one the result cannot be the recorded one, whatever its number is.
      const own = typeof number === "number" ? number : given.size + 1;
      given.add(own);
      return { number: own, path: "", write: () => undefined, close: () => undefined };
    },
    pathOf: () => undefined,
    numbers: () => [],
  };
}
