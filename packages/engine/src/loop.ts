/** The loop: one run from its prompts to its end, step by step, with a named reason for every further step. */
import {
  type AssistantBlock,
  addUsage,
  type Denial,
  type Failure,
  type Message,
  type Model,
  noUsage,
  type Provider,
  type RunOptions,
  type RunReason,
  type RunResult,
  type StopReason,
  type ToolSchema,
  type Transition,
  toolCalls,
  type Usage,
} from "@kedge/protocol";
import { checkGates, crossings, nothingSpent, type Spent, spend } from "./budget.ts";
import { type Cancellation, createExecutor } from "./executor.ts";
import type { Journal } from "./journal.ts";
import type { EngineParts } from "./parts.ts";
import type { Pipeline } from "./pipeline.ts";
import { lastStepReminder, structuredRetryReminder } from "./prompt-texts.ts";
import { type Answer, streamStep } from "./step.ts";
import type { StructuredOutput } from "./structured-output.ts";
import type { WorkspaceGuard } from "./workspace-guard.ts";

const structuredRetriesMax = 5;

export type Run = {
  readonly runId: string;
  readonly model: Model;
  readonly provider: Provider;
  readonly options: RunOptions;
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  readonly structured: StructuredOutput | undefined;
  readonly signal: AbortSignal;
  readonly cancellation: Cancellation;
};

export type LoopParts = {
  readonly engine: EngineParts;
  readonly journal: Journal;
  readonly pipeline: Pipeline;
  readonly guard: WorkspaceGuard;
  readonly messages: () => readonly Message[];
  readonly denials: () => readonly Denial[];
  /** True once the user rejected a call without a word, which stops the run. */
  readonly stopped: () => boolean;
};

/** Replaced at the end of every iteration, never changed. */
type LoopState = {
  readonly spent: Spent;
  readonly usageByModel: { readonly [modelRef: string]: Usage };
  readonly transitions: readonly Transition[];
  readonly structuredRetries: number;
  readonly reminders: readonly string[];
  readonly text: string;
  readonly stopReason?: StopReason;
};

type End = {
  readonly reason: RunReason;
  readonly failure?: Failure;
  readonly budget?: "usd" | "tokens";
};

type Next = { readonly state: LoopState; readonly end?: End };

export async function runLoop(parts: LoopParts, run: Run): Promise<RunResult> {
  const startedAt = parts.engine.clock.monotonicMs();
  let state: LoopState = {
    spent: nothingSpent,
    usageByModel: {},
    transitions: [],
    structuredRetries: 0,
    reminders: [],
    text: "",
  };
  for (;;) {
    const next = await iterate(parts, run, state);
    state = next.state;
    if (next.end !== undefined) return resultOf(parts, run, state, { ...next.end, startedAt });
  }
}

async function iterate(parts: LoopParts, run: Run, state: LoopState): Promise<Next> {
  const { engine, journal } = parts;
  const { options, model, signal } = run;
  if (signal.aborted) return { state, end: { reason: "aborted" } };
  const gate = checkGates(options, state.spent, model, () => outputPrice(parts, model));
  if (!gate.open) return { state, end: gate };
  if (state.structuredRetries > structuredRetriesMax) {
    return { state, end: { reason: "error_max_structured_output_retries" } };
  }

  const stepId = engine.newId("stp_");
  const requestId = engine.newRequestId();
  const isLast = options.stepsMax !== undefined && state.spent.turns + 1 >= options.stepsMax;
  await journal.emit({
    type: "step.started",
    stepId,
    runId: run.runId,
    turn: state.spent.turns + 1,
    source: "main",
    model: model.ref,
    requestId,
    prompts: promptsFor(journal, run.runId, state.transitions.at(-1) === "tool_results" ? "steer" : "prompt"),
    reminders: isLast ? [...state.reminders, lastStepReminder()] : state.reminders,
  });

  const executor = createExecutor({
    pipeline: parts.pipeline,
    stepId,
    cancellation: run.cancellation,
    concurrentCallsMax: engine.concurrentCallsMax,
  });
  const answer = await streamStep(
    { journal, provider: run.provider, executor, clock: engine.clock, cost: engine.models.cost, redact: engine.redact },
    stepId,
    {
      model,
      source: "main",
      conversationId: journal.state.sessionId,
      system: run.system,
      tools: isLast ? [] : run.tools,
      messages: parts.messages(),
      outputTokensMax: gate.outputTokensMax,
      requestId,
    },
    signal,
  );
  const settled = await executor.settle();
  if (settled.changedFiles) await parts.guard.after(stepId);
  const next = decide(parts, run, account(parts, run, state, answer), answer);
  // The ends of the calls share a transaction with the next step's start; a run that ends here waits for them.
  if (next.end !== undefined) await Promise.all([answer.stored, settled.stored]);
  return next;
}

/** Prompts of this run, and what the user said meanwhile: between results and answer it is marked as such. */
function promptsFor(
  journal: Journal,
  runId: string,
  form: "prompt" | "steer",
): readonly { readonly promptId: string; readonly form: "prompt" | "steer" }[] {
  return journal.state.queue
    .filter((prompt) => prompt.delivery === "steer" || prompt.runId === runId)
    .map(({ promptId }) => ({ promptId, form }));
}

function outputPrice(parts: LoopParts, model: Model): number {
  return parts.engine.models.cost(model, { ...noUsage, output: 1_000_000 }).usd;
}

function account(parts: LoopParts, run: Run, state: LoopState, answer: Answer): LoopState {
  const spent = spend(state.spent, answer.usage, answer.cost);
  const { sessionId } = parts.journal.state;
  for (const crossing of crossings(run.options, state.spent, spent)) {
    parts.journal.signal({ type: "budget.crossing", sessionId, ...crossing });
  }
  const { ref } = run.model;
  return {
    ...state,
    spent,
    usageByModel: { ...state.usageByModel, [ref]: addUsage(state.usageByModel[ref] ?? noUsage, answer.usage) },
    reminders: [],
    text: textOf(answer.content),
    ...(answer.stopReason !== undefined && { stopReason: answer.stopReason }),
  };
}

function decide(parts: LoopParts, run: Run, state: LoopState, answer: Answer): Next {
  const goOn = (transition: Transition, change: Partial<LoopState> = {}): Next => ({
    state: { ...state, ...change, transitions: [...state.transitions, transition] },
  });
  if (answer.outcome === "interrupted" || run.signal.aborted) return { state, end: { reason: "aborted" } };
  if (answer.outcome === "failed") {
    const end = { reason: "error_during_execution", ...(answer.failure && { failure: answer.failure }) } as const;
    return { state, end };
  }
  if (parts.stopped()) return { state, end: { reason: "aborted" } };
  if (run.structured?.accepted() !== undefined) return { state, end: { reason: "completed" } };
  if (toolCalls(answer.content).length > 0) {
    const failed = run.structured?.takeProblems() !== undefined;
    return goOn("tool_results", failed ? { structuredRetries: state.structuredRetries + 1 } : {});
  }
  const queued = parts.journal.state.queue.some((prompt) => prompt.delivery === "steer");
  if (queued) return goOn("queued_input");
  if (run.structured !== undefined) {
    const reminders = [structuredRetryReminder("no call of structured_output")];
    return goOn("structured_retry", { structuredRetries: state.structuredRetries + 1, reminders });
  }
  return { state, end: { reason: "completed" } };
}

function textOf(content: readonly AssistantBlock[]): string {
  return content
    .filter((block) => block.type === "text")
    .map((block) => block.text)
    .join("");
}

function resultOf(parts: LoopParts, run: Run, state: LoopState, end: End & { readonly startedAt: number }): RunResult {
  const { startedAt, ...how } = end;
  const structured = run.structured?.accepted();
  return {
    ...how,
    text: state.text,
    ...(structured !== undefined && { structured }),
    usage: state.spent.usage,
    usageByModel: state.usageByModel,
    cost: state.spent.cost,
    turns: state.spent.turns,
    durationMs: Math.round(parts.engine.clock.monotonicMs() - startedAt),
    transitions: state.transitions,
    denials: parts.denials(),
    ...(state.stopReason !== undefined && { stopReason: state.stopReason }),
  };
}
