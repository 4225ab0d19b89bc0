/** One session: takes commands in order, admits prompts durably, and keeps one run going at a time. */
import {
  type CommandAnswer,
  type CommandOf,
  type Denial,
  type EditMode,
  type Failure,
  FailureError,
  type FileUpkeep,
  type Model,
  type PermissionMode,
  type RunOptions,
  type RunResult,
  runWithoutSteps,
  type ServerTool,
  type Tool,
} from "@kedge/protocol";
import { switchedOff } from "./call-gates.ts";
import { createCheckpoints } from "./checkpoints.ts";
import { createRunClassifier, type RunClassifier, type RunClassifierOptions } from "./classifier/run-classifier.ts";
import { compactForUser } from "./compaction/compact-for-user.ts";
import { createContextCare } from "./compaction/context-care.ts";
import { createFileKnowledge } from "./compaction/file-knowledge.ts";
import { createConduct } from "./conduct.ts";
import { createContext } from "./context.ts";
import { createDialogue } from "./dialogue.ts";
import { createDoomLoop } from "./doom-loop.ts";
import { editModeFor } from "./edit-mode.ts";
import type { Journal } from "./journal.ts";
import { runLoop } from "./loop.ts";
import type { EngineParts } from "./parts.ts";
import { isToolAllowed, isToolDenied } from "./permission/index.ts";
import { createPipeline, type ToolServices } from "./pipeline.ts";
import { systemPrompt } from "./prompt-texts.ts";
import { createQuestions, type PermissionAnswer } from "./questions.ts";
import { closingFacts, isInterrupted } from "./recovery.ts";
import { createSessionGates } from "./session-gates.ts";
import { createSessionNaming } from "./session-naming.ts";
import { labelEntry, moveLeaf } from "./session-tree.ts";
import { createSideCosts } from "./side-costs.ts";
import { createSteering } from "./steering.ts";
import { createStructuredOutput } from "./structured-output.ts";
import { createToolPool } from "./tool-pool.ts";
import { createToolSearch } from "./tool-search.ts";
import { redo, type UndoOptions, undo } from "./undo.ts";
import { createWorkspaceGuard } from "./workspace-guard.ts";

export type SubmittedPrompt = Pick<CommandOf<"prompt.submit">, "text" | "delivery" | "attachments">;

export interface Session {
  submit(prompt: SubmittedPrompt, options: RunOptions): Promise<CommandAnswer<"prompt.submit">>;
  continueRun(options: RunOptions): Promise<CommandAnswer<"run.continue">>;
  revise(promptId: string, text: string): Promise<CommandAnswer<"prompt.revise">>;
  withdraw(promptId: string): Promise<CommandAnswer<"prompt.withdraw">>;
  answer(requestId: string, answer: PermissionAnswer): Promise<CommandAnswer<"permission.answer">>;
  answerQuestion(requestId: string, answers: readonly string[]): Promise<CommandAnswer<"question.answer">>;
  changeMode(mode: PermissionMode): Promise<CommandAnswer<"mode.change">>;
  changeModel(model: string): Promise<CommandAnswer<"model.change">>;
  discardCheckpoint(): Promise<CommandAnswer<"checkpoint.discard">>;
  undo(options: Pick<UndoOptions, "promptId" | "evenIfChanged">): Promise<CommandAnswer<"session.undo">>;
  redo(): Promise<CommandAnswer<"session.redo">>;
  moveLeaf(entryId: string | undefined): Promise<CommandAnswer<"leaf.move">>;
  labelEntry(entryId: string, label: string | undefined): Promise<CommandAnswer<"entry.label">>;
  /** Stops what runs first; prompts that come meanwhile wait. */
  compact(instructions: string | undefined): Promise<CommandAnswer<"context.compact">>;
  interrupt(): void;
  /** Interrupts what runs and waits until its end is stored. */
  close(): Promise<void>;
}

/** How often a vendor may search by itself for one answer. */
const vendorSearch: readonly ServerTool[] = [{ name: "web_search", usesMax: 5 }];

const noUpkeep: FileUpkeep = { format: async () => undefined, diagnose: async () => [] };

type ActiveRun = {
  readonly runId: string;
  readonly stop: AbortController;
  readonly done: Promise<void>;
  /** No run, but the user's wish to have the conversation summarised; prompts wait for its end. */
  readonly isCompacting?: true;
};

export function createSession(engine: EngineParts, journal: Journal): Session {
  const { state } = journal;
  const context = createContext();
  const files = createFileKnowledge(engine.newFileState);
  const tools = engine.newTools();
  const questions = createQuestions(journal, engine.holder.boot);
  const gates = createSessionGates(engine);
  const conduct = createConduct(engine);
  const dialogue = createDialogue({
    journal,
    interactive: engine.interactive,
    newRequestId: () => engine.newId("qst_"),
  });
  const jobs = engine.newJobs();
  const guard = createWorkspaceGuard({
    snapshots: engine.snapshots,
    journal,
    hasRunningJobs: () => jobs.list().some(({ status }) => status === "running"),
  });
  const services: ToolServices = {
    artifacts: engine.newArtifacts(state.sessionId),
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
  const care = createContextCare({ engine, journal, jobs, artifacts: services.artifacts, files });
  const checkpoints = createCheckpoints(journal);
  const naming = createSessionNaming(engine, journal);
  const steering = createSteering({
    mode: engine.interruptMode ?? "immediate",
    isWaiting: () => state.queue.some((prompt) => prompt.delivery === "steer"),
  });
  /** Asked for with every step, and found by patterns. */
  const editModes = new Map<string, EditMode>();
  const editModeOf = (modelId: string): EditMode => {
    const mode = editModes.get(modelId) ?? editModeFor(modelId, engine.editChoice);
    editModes.set(modelId, mode);
    return mode;
  };
  const optionsByRun = new Map<string, RunOptions>();
  let active: ActiveRun | undefined;

  /** Starts a run in the background; its end is a fact, or a signal when even that cannot be stored. */
  function start(runId: string): void {
    const stop = new AbortController();
    const done = execute(runId, optionsByRun.get(runId) ?? {}, stop.signal).catch((error: unknown) => {
      const failure = error instanceof FailureError ? error.failure : bugFailure(error, engine.redact);
      journal.signal({ type: "run.unrecorded", sessionId: state.sessionId, runId, failure });
    });
    active = { runId, stop, done: done.then(() => ended(runId)) };
  }

  /** What the user asked to be done after the run comes next; after a failure or a stop it waits for the user. */
  function ended(runId: string): void {
    active = undefined;
    const next = state.queue[0];
    if (next?.runId !== runId) optionsByRun.delete(runId);
    if (next !== undefined && state.lastRun?.runId === runId && state.lastRun.reason === "completed") start(next.runId);
  }

  async function execute(runId: string, options: RunOptions, signal: AbortSignal): Promise<void> {
    try {
      const result = await resultOf(runId, options, signal);
      await journal.emit({ type: "run.ended", runId, ...result });
      naming.runEnded();
    } finally {
      for (const tool of tools) tool.runEnded?.();
    }
  }

  async function resultOf(runId: string, options: RunOptions, signal: AbortSignal): Promise<RunResult> {
    const found = await engine.models.find(state.model);
    if (!found.ok) return runWithoutSteps("error_during_execution", "", found.failure);
    const structured = options.answerSchema === undefined ? undefined : createStructuredOutput(options.answerSchema);
    const pool = createToolPool([...offeredTools(), ...(structured === undefined ? [] : [structured.tool])]);
    const mayVendorSearch = isToolAllowed("websearch", engine.rules);
    const denials: Denial[] = [];
    const sideCosts = createSideCosts();
    const runConduct = conduct.startRun();
    let stopped = false;
    const pipeline = createPipeline({
      engine,
      journal,
      pool,
      files,
      questions,
      guard,
      gates,
      conduct: runConduct,
      services,
      editMode: editModeOf(found.model.id),
      dialogue,
      checkpoints,
      steering,
      doomLoop: createDoomLoop(),
      classifier: classifierFor(found.model.ref, sideCosts.add),
      onDenial: (denial) => denials.push(denial),
      onPlainRejection: () => {
        stopped = true;
      },
    });
    return runLoop(
      {
        engine,
        journal,
        pipeline,
        guard,
        conduct: runConduct,
        dialogue,
        jobs: services.jobs,
        checkpoints,
        care,
        messages: () => context.messages(state),
        takeSideCosts: sideCosts.take,
        denials: () => denials,
        stopped: () => stopped,
      },
      {
        runId,
        configured: found,
        options,
        system: (model) =>
          systemPrompt(engine.prompt, engine.workspace, { model, structured: structured !== undefined }),
        tools: (model) => pool.schemas(state.foundTools, editModeOf(model.id)),
        serverTools: (model) => (mayVendorSearch && model.capabilities?.webSearch ? vendorSearch : undefined),
        structured,
        signal,
      },
    );
  }

  function offeredTools(): readonly Tool[] {
    return withSearch(tools.filter((tool) => !isToolDenied(tool.name, engine.rules)));
  }

  /** What was said meanwhile comes next; what waited before still waits for the user. */
  function compacted(waiting: ReadonlySet<string>, { aborted }: AbortSignal): void {
    active = undefined;
    const next = state.queue.find(({ promptId }) => !waiting.has(promptId));
    if (next !== undefined && !aborted) start(next.runId);
  }

  /** Asked in auto mode only; without a model of its own it takes the one that works. */
  function classifierFor(model: string, onCost: RunClassifierOptions["onCost"]): RunClassifier {
    const { models, newRequestId, redact, clock, autoMode } = engine;
    const { model: own, ...rules } = autoMode;
    const parts = { models, model: own ?? model, rules, newRequestId, redact, monotonicMs: clock.monotonicMs };
    return createRunClassifier(parts, { onCost });
  }

  async function runLocalCommand(text: string, options: RunOptions): Promise<string | undefined> {
    const [name = "", ...rest] = text.slice(1).split(/\s+/);
    const command = text.startsWith("/") ? engine.localCommands.find((known) => known.name === name) : undefined;
    if (command === undefined) return undefined;
    const { text: output, data } = await command.run(rest.join(" "), state, options);
    const ran = {
      type: "command.ran",
      command: `/${name}`,
      text: output,
      ...(data !== undefined && { data }),
    } as const;
    const runId = engine.newId("run_");
    // Beside a run that is under way the command is only recorded; alone it is a whole run without a model call.
    if (active !== undefined) await journal.emit(ran);
    else await journal.emit(ran, { type: "run.ended", runId, ...runWithoutSteps("completed", output) });
    return runId;
  }

  /** After a failed write: what was open is closed first, as after a crash. */
  async function mend(): Promise<void> {
    if (journal.broken() === undefined) return;
    journal.mend();
    await journal.emit(...closingFacts(state));
  }

  /** A client may act on `run.ended` in the moment it is published; the run is then over, but not yet put away. */
  async function isBusy(): Promise<boolean> {
    if (active !== undefined && state.runId === undefined && !active.isCompacting) await active.done;
    return active !== undefined;
  }

  function isQueued(promptId: string): boolean {
    return state.queue.some((prompt) => prompt.promptId === promptId);
  }

  function busy(): { readonly ok: false; readonly failure: Failure } {
    const message = "A run is under way in this session.";
    return { ok: false, failure: { code: "session_busy", message, recovery: "Interrupt it first.", retryable: true } };
  }

  return {
    async submit({ text, delivery, attachments }, options) {
      await mend();
      const commandRun = await runLocalCommand(text, options);
      if (commandRun !== undefined) return { ok: true, value: { promptId: "", runId: commandRun } };
      const promptId = engine.newId("prm_");
      await isBusy();
      const runId = active !== undefined && delivery === "steer" ? active.runId : engine.newId("run_");
      if (!optionsByRun.has(runId)) optionsByRun.set(runId, options);
      await journal.emit({
        type: "prompt.admitted",
        promptId,
        runId,
        delivery,
        text,
        ...(attachments !== undefined && { attachments }),
      });
      if (active === undefined) start(runId);
      else if (delivery === "steer") steering.arrived();
      return { ok: true, value: { promptId, runId } };
    },
    async continueRun(options) {
      if (await isBusy()) return busy();
      await mend();
      if (!isInterrupted(state)) {
        const message = "Nothing is left to continue: the last run was finished.";
        return { ok: false, failure: { code: "not_found", message, recovery: "Give a new prompt.", retryable: false } };
      }
      const runId = state.queue[0]?.runId ?? engine.newId("run_");
      optionsByRun.set(runId, options);
      start(runId);
      return { ok: true, value: { runId } };
    },
    async revise(promptId, text) {
      if (!isQueued(promptId)) return notQueued(promptId);
      await journal.emit({ type: "prompt.revised", promptId, text });
      return { ok: true, value: {} };
    },
    async withdraw(promptId) {
      if (!isQueued(promptId)) return notQueued(promptId);
      await journal.emit({ type: "prompt.withdrawn", promptId });
      return { ok: true, value: {} };
    },
    async answer(requestId, answer) {
      const failure = await questions.answer(requestId, answer);
      return failure === undefined ? { ok: true, value: {} } : { ok: false, failure };
    },
    async answerQuestion(requestId, answers) {
      const failure = await dialogue.answer(requestId, answers);
      return failure === undefined ? { ok: true, value: {} } : { ok: false, failure };
    },
    async changeMode(mode) {
      if (engine.policy?.disabledModes.includes(mode)) return switchedOff(mode);
      await journal.emit({ type: "mode.changed", mode });
      return { ok: true, value: {} };
    },
    async changeModel(ref) {
      const found = await engine.models.find(ref);
      if (!found.ok) return found;
      await journal.emit({ type: "model.changed", model: found.model.ref });
      return { ok: true, value: { model: found.model.ref } };
    },
    async discardCheckpoint() {
      const discarded = await checkpoints.discard();
      return discarded.ok ? { ok: true, value: { goal: discarded.goal } } : discarded;
    },
    async undo(options) {
      if (await isBusy()) return busy();
      await guard.settle();
      return undo(journal, engine.snapshots, { ...options, signal: new AbortController().signal });
    },
    async redo() {
      if (await isBusy()) return busy();
      return redo(journal, engine.snapshots);
    },
    async moveLeaf(entryId) {
      if (await isBusy()) return busy();
      return moveLeaf(journal, entryId);
    },
    labelEntry: (entryId, label) => labelEntry(journal, entryId, label),
    async compact(instructions) {
      if (active?.isCompacting) return busy();
      active?.stop.abort();
      await active?.done;
      await mend();
      if (active !== undefined) return busy();
      const stop = new AbortController();
      const waiting = new Set(state.queue.map(({ promptId }) => promptId));
      const schemas = (model: Model) => createToolPool(offeredTools()).schemas(state.foundTools, editModeOf(model.id));
      const parts = { engine, care, model: state.model, tools: schemas };
      const answer = compactForUser(parts, instructions, stop.signal);
      const over = () => compacted(waiting, stop.signal);
      active = { runId: engine.newId("run_"), stop, done: answer.then(over, over), isCompacting: true };
      return answer;
    },
    interrupt() {
      active?.stop.abort();
    },
    async close() {
      active?.stop.abort();
      await active?.done;
      await Promise.all([services.jobs.close(), naming.close()]);
      await guard.settle();
    },
  };
}

/** Where every tool is in the request already, there is nothing to search. */
function withSearch(tools: readonly Tool[]): readonly Tool[] {
  return tools.some(({ searchHint }) => searchHint !== undefined) ? [...tools, createToolSearch(tools)] : tools;
}

function notQueued(promptId: string): { readonly ok: false; readonly failure: Failure } {
  const message = `Prompt ${promptId} is not waiting any more; the model has already seen it.`;
  return { ok: false, failure: { code: "not_found", message, retryable: false } };
}

function bugFailure(error: unknown, redact: (text: string) => string): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return { code: "unknown", message: `kedge has a defect: ${redact(message)}`, retryable: false };
}
