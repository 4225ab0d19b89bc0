/** A record as a script: what came from outside, in which order, and what the engine answered to it. */
import type { Fact, FactOf, FactRecord, RunOptions } from "@kedge/protocol";

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
