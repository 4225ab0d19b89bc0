/** What a session has for as long as it is open, whatever runs in it. */
import type { EditMode, FileUpkeep, Jobs, Model } from "@kedge/protocol";
import { createCheckpoints, type SessionCheckpoints } from "./checkpoints.ts";
import type { Frame } from "./compaction/care-basis.ts";
import { type ContextCare, createContextCare } from "./compaction/context-care.ts";
import { createFileKnowledge, type FileKnowledge } from "./compaction/file-knowledge.ts";
import { createConduct, type SessionConduct } from "./conduct.ts";
import { type Context, createContext } from "./context.ts";
import { createDialogue, type SessionDialogue } from "./dialogue.ts";
import { editModeFor } from "./edit-mode.ts";
import type { Journal } from "./journal.ts";
import type { EngineParts } from "./parts.ts";
import type { ToolServices } from "./pipeline.ts";
import { type SystemTexts, systemPrompt } from "./prompt-texts.ts";
import { createQuestions, type Questions } from "./questions.ts";
import { recordJobs } from "./recorded-jobs.ts";
import { createSessionGates, type SessionGates } from "./session-gates.ts";
import { createSessionNaming, type SessionNaming } from "./session-naming.ts";
import { createSteering, type Steering } from "./steering.ts";
import { createTakenUp, type TakenUp } from "./taken-up.ts";
import { createToolPool, type SessionPool } from "./tool-pool.ts";
import { createWorkspaceGuard, type WorkspaceGuard } from "./workspace-guard.ts";

export type SessionParts = {
  readonly engine: EngineParts;
  readonly journal: Journal;
  readonly context: Context;
  readonly files: FileKnowledge;
  readonly pool: SessionPool;
  readonly questions: Questions;
  readonly gates: SessionGates;
  readonly conduct: SessionConduct;
  readonly dialogue: SessionDialogue;
  readonly jobs: Jobs;
  readonly guard: WorkspaceGuard;
  readonly services: ToolServices;
  readonly care: ContextCare;
  readonly checkpoints: SessionCheckpoints;
  readonly naming: SessionNaming;
  readonly steering: Steering;
  readonly editModeOf: (modelId: string) => EditMode;
  /** What the model is told first: the same for as long as the session is open. */
  readonly systemTexts: (model: Model, options: { readonly structured: boolean }) => SystemTexts;
  /** What a request of this conversation carries beside its messages, when no run says otherwise. */
  readonly frameFor: (model: Model) => Frame;
  /** Stops what runs in sessions that work for this one. */
  readonly interruptChildren: () => void;
  /** Present in a session that has a past. */
  readonly takenUp?: TakenUp;
};

const noUpkeep: FileUpkeep = { format: async () => undefined, diagnose: async () => [] };

export function createSessionParts(
  engine: EngineParts,
  journal: Journal,
  { isResumed, interruptChildren }: { readonly isResumed: boolean; readonly interruptChildren: () => void },
): SessionParts {
  const { state } = journal;
  const context = createContext();
  const files = createFileKnowledge(engine.resources.newFileState);
  const pool = createToolPool({
    profile: engine,
    state,
    onClash({ name, source }) {
      const text = `The tool ${name} of ${source} is not offered: another tool has that name.`;
      journal.signal({ type: "notice", sessionId: state.sessionId, text });
    },
  });
  const jobs = recordJobs(engine.resources.newJobs(), journal);
  const services: ToolServices = {
    artifacts: engine.resources.newArtifacts(state.sessionId),
    jobs,
    todos: { list: () => state.todos, replace: (todos) => journal.emit({ type: "todos.replaced", todos }) },
    planning: {
      mode: () => state.mode,
      enter: () => journal.emit({ type: "mode.changed", mode: "plan" }),
      leave: () => journal.emit({ type: "mode.changed", mode: state.modeBeforePlan }),
    },
    upkeep: engine.upkeep ?? noUpkeep,
    isShown: (callId) => context.isShown(callId, state),
  };
  /** Asked for with every step, and found by patterns. */
  const editModes = new Map<string, EditMode>();
  const editModeOf = (modelId: string): EditMode => {
    const mode = editModes.get(modelId) ?? editModeFor(modelId, engine.conversation?.editChoice ?? {});
    editModes.set(modelId, mode);
    return mode;
  };
  const date = engine.prompt.today();
  const systemTexts: SessionParts["systemTexts"] = (model, { structured }) =>
    systemPrompt({ ...engine.prompt, today: () => date }, engine.workspace, { model, structured });
  const parts: SessionParts = {
    engine,
    journal,
    context,
    files,
    pool,
    questions: createQuestions(journal, engine.holder.boot),
    gates: createSessionGates(engine),
    conduct: createConduct(engine),
    dialogue: createDialogue({
      journal,
      interactive: engine.interactive,
      newRequestId: () => engine.newId("qst_"),
    }),
    jobs,
    guard: createWorkspaceGuard({
      snapshots: engine.snapshots,
      journal,
      hasRunningJobs: () => jobs.list().some(({ status }) => status === "running"),
    }),
    services,
    care: createContextCare({ engine, journal, jobs, artifacts: services.artifacts, files }),
    checkpoints: createCheckpoints(journal),
    naming: createSessionNaming(engine, journal),
    steering: createSteering({
      mode: engine.conversation?.interruptMode ?? "immediate",
      isWaiting: () => state.queue.some((prompt) => prompt.delivery === "steer"),
    }),
    editModeOf,
    interruptChildren,
    systemTexts,
    frameFor: (model) => ({
      model,
      system: systemTexts(model, { structured: false }),
      tools: pool.schemas(editModeOf(model.id)),
    }),
  };
  return isResumed ? { ...parts, takenUp: createTakenUp(parts) } : parts;
}
