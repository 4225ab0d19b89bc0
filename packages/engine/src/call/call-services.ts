/** What the phases of the calls of one run work with. */
import type { Denial, EditMode, FileState, ToolContext } from "@kedge/protocol";
import type { RunClassifier } from "../classifier/run-classifier.ts";
import type { SessionGates } from "../gates/session-gates.ts";
import type { Journal } from "../journal.ts";
import type { EngineParts } from "../parts.ts";
import type { RunConduct } from "../run/conduct.ts";
import type { RunTerms } from "../run/run-terms.ts";
import type { SessionCheckpoints } from "../session/checkpoints.ts";
import type { SessionDialogue } from "../session/dialogue.ts";
import type { Steering } from "../session/steering.ts";
import type { ToolPool } from "../tool-pool/tool-pool.ts";
import type { DoomLoop } from "./asking/doom-loop.ts";
import type { Questions } from "./asking/questions.ts";
import type { WorkspaceWatch } from "./files/workspace-watch.ts";

/** What tools of a session share. */
export type ToolServices = Pick<
  ToolContext,
  "reading" | "artifacts" | "jobs" | "todos" | "planning" | "upkeep" | "isShown"
>;

export type ContextParts = {
  readonly services: ToolServices;
  readonly files: FileState;
  readonly editMode: EditMode;
  readonly dialogue: SessionDialogue;
  readonly checkpoints: SessionCheckpoints;
};

export type CallServices = {
  readonly engine: EngineParts;
  readonly journal: Journal;
  readonly pool: ToolPool;
  /** What tools are given. */
  readonly context: ContextParts;
  readonly questions: Questions;
  readonly watch: WorkspaceWatch;
  readonly gates: SessionGates;
  readonly conduct: RunConduct;
  readonly steering: Steering;
  readonly doomLoop: DoomLoop;
  /** Of the command that began the run; none without it. */
  readonly terms?: RunTerms;
  /** Answers in auto mode what nobody wished to be asked about. */
  readonly classifier: RunClassifier | undefined;
  /** Told of every refusal, for the result of the run. */
  readonly onDenial: (denial: Denial) => void;
  /** Told when the run shall end with this step: the user said no without a word, or a phase from outside wants it. */
  readonly onStop: (reason: RunStop) => void;
};

export type RunStop = "aborted" | "stopped_by_hook";

export function notify({ journal }: Pick<CallServices, "journal">, text: string): void {
  journal.signal({ type: "notice", sessionId: journal.state.sessionId, text });
}
