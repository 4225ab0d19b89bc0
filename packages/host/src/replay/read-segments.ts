/** Reads a record as a script, a segment for each process that worked on the session. */
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
import type { RecordedCall, RecordedRun, RecordedStep, ScriptMove, Segment } from "./recorded-session.ts";

/** Without segments in which nothing ran. */
export function readSegments(records: readonly FactRecord[]): readonly Segment[] {
  const state = emptySession(records[0]?.sessionId ?? "");
  const segments: Segment[] = [];
  let reading: Reading | undefined;
  for (const [index, record] of records.entries()) {
    const { fact } = record;
    const isCopy = fact.type === "session.created" && fact.origin !== undefined;
    if ((fact.type === "session.created" && !isCopy) || fact.type === "session.resumed") {
      if (reading !== undefined) segments.push(reading.segment);
      reading = beginSegment(fact, records.slice(0, index), state);
    }
    applyRecord(state, record);
    if (reading !== undefined) take(reading, record);
  }
  if (reading !== undefined) segments.push(reading.segment);
  return segments.filter(({ moves }) => moves.some(({ kind }) => kind === "run"));
}

/** Where the reading of a segment stands. */
type Reading = {
  readonly segment: Segment & { readonly moves: ScriptMove[] };
  /** Folded by the caller, and always holds the fact that is taken. */
  readonly state: SessionState;
  readonly startedCalls: Map<string, RecordedCall["started"]>;
  readonly editedCalls: Set<string>;
  readonly optionsByRun: Map<string, RunOptions>;
  run: RecordedRun | undefined;
  step: RecordedStep | undefined;
  /** Said after the last answer of a run; whether the run heard it shows in what follows. */
  late: Fact[];
  context: Fact[];
  hasOutsideReminders: boolean;
};

function beginSegment(opening: Segment["opening"], before: readonly FactRecord[], state: SessionState): Reading {
  return {
    segment: { before, opening, moves: [] },
    state,
    startedCalls: new Map(),
    editedCalls: new Set(),
    optionsByRun: new Map(),
    run: undefined,
    step: undefined,
    late: [],
    context: [],
    hasOutsideReminders: false,
  };
}

const contextTypes: ReadonlySet<Fact["type"]> = new Set<Fact["type"]>([
  "context.cleared",
  "context.compacted",
  "message.added",
  "compaction.failed",
]);

function take(reading: Reading, record: FactRecord): void {
  const { seq, fact } = record;
  const { run } = reading;
  if (contextTypes.has(fact.type) && run !== undefined) {
    reading.context.push(fact);
    if (fact.type === "context.compacted") reading.hasOutsideReminders = true;
    return;
  }
  switch (fact.type) {
    case "prompt.admitted":
      if (fact.options !== undefined) reading.optionsByRun.set(fact.runId, fact.options);
      if (run === undefined) beginRun(reading, fact.runId, { by: "prompt", fact });
      else hear(reading, run, fact);
      return;
    case "step.started":
      startStep(reading, record, fact);
      return;
    case "tool.started":
      reading.startedCalls.set(fact.callId, { seq, fact });
      return;
    case "permission.answered":
      if (fact.updatedInputText !== undefined) reading.editedCalls.add(fact.callId);
      return;
    case "step.ended":
    case "tool.ended":
    case "files.changed":
    case "conversation.rewound":
      if (reading.step?.started.stepId === fact.stepId) addToStep(reading, reading.step, { seq, fact });
      return;
    case "pressure.changed":
      reading.hasOutsideReminders = true;
      return;
    case "run.ended":
      endRun(reading, seq, fact);
      return;
    case "prompt.revised":
    case "prompt.withdrawn":
    case "model.changed":
    case "entry.labelled":
    case "checkpoint.discarded":
      if (run !== undefined) hear(reading, run, fact);
      else reading.segment.moves.push({ kind: "idle", seq, fact });
      return;
    case "mode.changed":
    case "leaf.moved":
    case "session.reverted":
    case "session.unreverted":
    case "context.cleared":
    case "context.compacted":
    case "message.added":
    case "message.removed":
      if (run === undefined) reading.segment.moves.push({ kind: "idle", seq, fact });
      return;
    default:
      return;
  }
}

function beginRun(reading: Reading, runId: string, start: RecordedRun["start"]): RecordedRun {
  const options = start.by === "continue" ? undefined : reading.optionsByRun.get(runId);
  const run: RecordedRun = { runId, start, early: reading.late, steps: [], ...(options !== undefined && { options }) };
  reading.late = [];
  reading.step = undefined;
  reading.run = run;
  reading.segment.moves.push({ kind: "run", run });
  return run;
}

function startStep(reading: Reading, { seq, time }: FactRecord, started: FactOf<"step.started">): void {
  if (started.source !== "main") return;
  const run = reading.run ?? beginRun(reading, started.runId, { by: "continue" });
  (reading.step?.inputs ?? run.early).push(...reading.late);
  reading.late = [];
  reading.step = {
    ...{ seq, time, started, calls: new Map(), inputs: [] },
    contextFacts: reading.context,
    hasOutsideReminders: reading.hasOutsideReminders,
  };
  reading.context = [];
  reading.hasOutsideReminders = false;
  reading.startedCalls.clear();
  reading.editedCalls.clear();
  run.steps.push(reading.step);
}

type StepFact = FactOf<"step.ended" | "tool.ended" | "files.changed" | "conversation.rewound">;

function addToStep(
  { startedCalls, editedCalls }: Reading,
  step: RecordedStep,
  { seq, fact }: { readonly seq: number; readonly fact: StepFact },
): void {
  switch (fact.type) {
    case "step.ended":
      step.ended = fact;
      return;
    case "tool.ended": {
      const { callId, parentCallId } = fact;
      if (parentCallId !== undefined) return;
      const call = { seq, ended: fact, started: startedCalls.get(callId), isEdited: editedCalls.has(callId) };
      step.calls.set(callId, call);
      return;
    }
    case "files.changed":
      step.changes = fact;
      return;
    case "conversation.rewound":
      step.rewound = fact;
      return;
  }
}

function endRun(reading: Reading, seq: number, fact: FactOf<"run.ended">): void {
  const { run, state, segment } = reading;
  if (run === undefined || fact.runId !== run.runId) return;
  run.end = { seq, fact };
  reading.run = undefined;
  reading.step = undefined;
  const next = state.queue[0];
  if (fact.reason !== "completed" || next === undefined) {
    for (const input of reading.late) segment.moves.push({ kind: "idle", seq, fact: input });
    reading.late = [];
    return;
  }
  const [first, ...rest] = reading.late;
  const isFirst = first?.type === "prompt.admitted" && first.promptId === next.promptId;
  if (isFirst) reading.late = rest;
  beginRun(reading, next.runId, isFirst ? { by: "prompt", fact: first } : { by: "auto" });
}

/** From outside, in a run: heard with the next step, if there is one. */
function hear({ step, late }: Reading, run: RecordedRun, fact: Fact): void {
  if (step === undefined) run.early.push(fact);
  else if (step.ended?.outcome === "answered" && toolCalls(step.ended.content).length === 0) late.push(fact);
  else step.inputs.push(fact);
}
