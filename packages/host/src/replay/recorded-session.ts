/** A record read as a script: what came from outside, in which order, and what the engine answered to it. */
import {
  applyRecord,
  emptySession,
  type Fact,
  type FactOf,
  type FactRecord,
  type RunOptions,
  type SessionState,
  toolCalls,
} from "@kedge/protocol";

export type RecordedCall = {
  readonly seq: number;
  readonly ended: FactOf<"tool.ended">;
  /** Absent when the call never came to run. */
  readonly started: { readonly seq: number; readonly fact: FactOf<"tool.started"> } | undefined;
  /** A person wrote another input than the model's. */
  readonly isEdited: boolean;
};

export type RecordedStep = {
  readonly seq: number;
  readonly time: number;
  readonly started: FactOf<"step.started">;
  /** Absent when the process died before the answer was over. */
  ended?: FactOf<"step.ended">;
  /** By the id of the call; calls inside a call are not among them. */
  readonly calls: Map<string, RecordedCall>;
  /** What was said and changed from outside while it was at work. */
  readonly inputs: Fact[];
  /** What made the conversation shorter, or was added to it, just before. */
  readonly contextFacts: readonly Fact[];
  /** Something before it explains reminders that the engine does not make by itself. */
  readonly hasOutsideReminders: boolean;
  changes?: FactOf<"files.changed">;
  rewound?: FactOf<"conversation.rewound">;
};

export type RecordedRun = {
  readonly runId: string;
  /** `auto`: what waited in the queue follows a run by itself. */
  readonly start:
    | { readonly by: "prompt"; readonly fact: FactOf<"prompt.admitted"> }
    | { readonly by: "continue" | "auto" };
  /** What it was given, where the record tells; those of a run that was gone on with are not in it. */
  readonly options?: RunOptions;
  /** What came between its start and its first step. */
  readonly early: Fact[];
  readonly steps: RecordedStep[];
  /** Absent when the process died before it was over. */
  end?: { readonly seq: number; readonly fact: FactOf<"run.ended"> };
};

export type ScriptMove =
  | { readonly kind: "run"; readonly run: RecordedRun }
  /** Something from outside while nothing ran. */
  | { readonly kind: "idle"; readonly seq: number; readonly fact: Fact };

/** What one process did with the session. */
export type Segment = {
  /** Everything before it, taken as it is. */
  readonly before: readonly FactRecord[];
  readonly opening: FactOf<"session.created"> | FactOf<"session.resumed">;
  readonly moves: readonly ScriptMove[];
};

/** The first one when none was begun yet; steps of a run follow each other. */
export function stepAfter({ steps }: RecordedRun, step: RecordedStep | undefined): RecordedStep | undefined {
  return steps[step === undefined ? 0 : steps.indexOf(step) + 1];
}

/** Undefined when nothing ran in it. */
export function readSegments(records: readonly FactRecord[]): readonly Segment[] {
  const state = emptySession(records[0]?.sessionId ?? "");
  const segments: Segment[] = [];
  let reader: SegmentReader | undefined;
  for (const [index, record] of records.entries()) {
    const { fact } = record;
    const isCopy = fact.type === "session.created" && fact.origin !== undefined;
    if ((fact.type === "session.created" && !isCopy) || fact.type === "session.resumed") {
      if (reader !== undefined) segments.push(reader.end());
      reader = createSegmentReader(fact, records.slice(0, index), state);
    }
    applyRecord(state, record);
    reader?.take(record);
  }
  if (reader !== undefined) segments.push(reader.end());
  return segments.filter(({ moves }) => moves.some(({ kind }) => kind === "run"));
}

type SegmentReader = { take(record: FactRecord): void; end(): Segment };

const contextTypes: ReadonlySet<Fact["type"]> = new Set<Fact["type"]>([
  "context.cleared",
  "context.compacted",
  "message.added",
  "compaction.failed",
]);

/** `state` is folded by the caller, and always holds the fact that is taken. */
function createSegmentReader(
  opening: Segment["opening"],
  before: readonly FactRecord[],
  state: SessionState,
): SegmentReader {
  const moves: ScriptMove[] = [];
  const startedCalls = new Map<string, RecordedCall["started"]>();
  const editedCalls = new Set<string>();
  const optionsByRun = new Map<string, RunOptions>();
  let run: RecordedRun | undefined;
  let step: RecordedStep | undefined;
  /** Said after the last answer of a run; whether the run heard it shows in what follows. */
  let late: Fact[] = [];
  let context: Fact[] = [];
  let hasOutsideReminders = false;

  function begin(runId: string, start: RecordedRun["start"]): RecordedRun {
    const options = start.by === "continue" ? undefined : optionsByRun.get(runId);
    const begun: RecordedRun = { runId, start, early: late, steps: [], ...(options !== undefined && { options }) };
    late = [];
    step = undefined;
    run = begun;
    moves.push({ kind: "run", run: begun });
    return begun;
  }

  function startStep({ seq, time }: FactRecord, started: FactOf<"step.started">): void {
    if (started.source !== "main") return;
    const running = run ?? begin(started.runId, { by: "continue" });
    (step?.inputs ?? running.early).push(...late);
    late = [];
    step = {
      ...{ seq, time, started, calls: new Map(), inputs: [] },
      contextFacts: context,
      hasOutsideReminders,
    };
    context = [];
    hasOutsideReminders = false;
    startedCalls.clear();
    editedCalls.clear();
    running.steps.push(step);
  }

  function endRun(seq: number, fact: FactOf<"run.ended">): void {
    if (run === undefined || fact.runId !== run.runId) return;
    run.end = { seq, fact };
    run = undefined;
    step = undefined;
    const next = state.queue[0];
    if (fact.reason !== "completed" || next === undefined) {
      for (const input of late) moves.push({ kind: "idle", seq, fact: input });
      late = [];
      return;
    }
    const [first, ...rest] = late;
    const isFirst = first?.type === "prompt.admitted" && first.promptId === next.promptId;
    if (isFirst) late = rest;
    begin(next.runId, isFirst ? { by: "prompt", fact: first } : { by: "auto" });
  }

  /** From outside, in a run: heard with the next step, if there is one. */
  function heard(fact: Fact): void {
    if (run === undefined) return;
    if (step === undefined) run.early.push(fact);
    else if (step.ended?.outcome === "answered" && toolCalls(step.ended.content).length === 0) late.push(fact);
    else step.inputs.push(fact);
  }

  return {
    take(record) {
      const { seq, fact } = record;
      if (contextTypes.has(fact.type) && run !== undefined) {
        context.push(fact);
        if (fact.type === "context.compacted") hasOutsideReminders = true;
        return;
      }
      switch (fact.type) {
        case "prompt.admitted":
          if (fact.options !== undefined) optionsByRun.set(fact.runId, fact.options);
          if (run === undefined) begin(fact.runId, { by: "prompt", fact });
          else heard(fact);
          return;
        case "step.started":
          return startStep(record, fact);
        case "step.ended":
          if (step?.started.stepId === fact.stepId) step.ended = fact;
          return;
        case "tool.started":
          startedCalls.set(fact.callId, { seq, fact });
          return;
        case "tool.ended":
          if (fact.parentCallId !== undefined || step?.started.stepId !== fact.stepId) return;
          step.calls.set(fact.callId, {
            seq,
            ended: fact,
            started: startedCalls.get(fact.callId),
            isEdited: editedCalls.has(fact.callId),
          });
          return;
        case "permission.answered":
          if (fact.updatedInputText !== undefined) editedCalls.add(fact.callId);
          return;
        case "files.changed":
          if (step?.started.stepId === fact.stepId) step.changes = fact;
          return;
        case "conversation.rewound":
          if (step?.started.stepId === fact.stepId) step.rewound = fact;
          return;
        case "pressure.changed":
          hasOutsideReminders = true;
          return;
        case "run.ended":
          return endRun(seq, fact);
        case "prompt.revised":
        case "prompt.withdrawn":
        case "model.changed":
        case "entry.labelled":
        case "checkpoint.discarded":
          if (run !== undefined) return heard(fact);
          moves.push({ kind: "idle", seq, fact });
          return;
        case "mode.changed":
        case "leaf.moved":
        case "session.reverted":
        case "session.unreverted":
        case "context.cleared":
        case "context.compacted":
        case "message.added":
        case "message.removed":
          if (run === undefined) moves.push({ kind: "idle", seq, fact });
          return;
        default:
          return;
      }
    },
    end: () => ({ before, opening, moves }),
  };
}
