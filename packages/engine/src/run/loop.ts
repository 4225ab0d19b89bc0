/** The loop: one run from its prompts to its end, step by step, with a named reason for every further step. */
import {
  type AssistantBlock,
  addUsage,
  type Denial,
  type Message,
  type Model,
  noUsage,
  type QueuedPrompt,
  type RunResult,
  toolCalls,
} from "@kedge/protocol";
import type { RunStop } from "../call/call-services.ts";
import { createExecutor } from "../call/executor.ts";
import type { WorkspaceWatch } from "../call/files/workspace-watch.ts";
import type { Pipeline } from "../call/pipeline.ts";
import { tellCrossings } from "../compaction/charge-run.ts";
import type { ContextCare } from "../compaction/context-care.ts";
import type { DueContext } from "../context/context-builder.ts";
import type { Journal } from "../journal.ts";
import type { SessionMoments } from "../moments/session-moments.ts";
import type { EngineParts } from "../parts.ts";
import { lastStepReminder, structuredRetryReminder } from "../prompt-texts.ts";
import type { AgentNews } from "../session/agent-news.ts";
import type { SessionCheckpoints } from "../session/checkpoints.ts";
import type { SessionDialogue } from "../session/dialogue.ts";
import { type Answer, streamStep } from "../step/step.ts";
import { spend, tokensOf } from "./budget.ts";
import type { Pause, RunConduct } from "./conduct.ts";
import { gateFor, unpricedNotice } from "./gate-for.ts";
import { givenCalls } from "./given-calls.ts";
import { hearsAgents } from "./hear-agents.ts";
import { answersOnly, answerTools, isLastStep, mustGiveAnswer } from "./last-step.ts";
import {
  type End,
  firstState,
  goOn,
  type LoopState,
  lastTransition,
  type Next,
  type Run,
  settledState,
  soundState,
  transitionsOf,
  withoutOnce,
  withTried,
} from "./loop-state.ts";
import { pauseRun } from "./pause-run.ts";
import { outputLimit, recoverFromAnswer, recoverFromFailure, remindOfCheckpoint } from "./recoveries.ts";
import { saidPrompts } from "./said-prompts.ts";
import type { SideCosts } from "./side-costs.ts";
import { loadedFacts, stepReminders } from "./step-reminders.ts";
import { continueAtStop } from "./stop-moment.ts";
import type { TreeBudget } from "./tree-budget.ts";
import { unexpectedStopDefaults } from "./unexpected-stop-settings.ts";

const structuredRetriesMax = 5;
/** Nobody waits in front of an agent, so it is given fewer chances. */
const structuredRetriesOfAgentMax = 3;

export type LoopParts = {
  readonly engine: EngineParts;
  readonly journal: Journal;
  readonly pipeline: Pipeline;
  readonly watch: WorkspaceWatch;
  readonly conduct: RunConduct;
  readonly dialogue: SessionDialogue;
  readonly checkpoints: SessionCheckpoints;
  readonly care: ContextCare;
  readonly messages: () => readonly Message[];
  /** What the model is told with the next step besides the conversation. */
  readonly dueContext: (model: Model) => DueContext;
  /** What was spent beside the conversation since the last step. */
  readonly takeSideCosts: () => SideCosts;
  readonly denials: () => readonly Denial[];
  /** Why the run shall end with this step: the user rejected a call without a word, or a phase from outside wants it. */
  readonly stopped: () => RunStop | undefined;
  /** Who is asked before prompts are told, after calls, and before the run ends; undefined where nobody is. */
  readonly moments: SessionMoments | undefined;
  readonly agentNews: AgentNews;
  readonly treeBudget: TreeBudget;
};

export async function runLoop(parts: LoopParts, run: Run): Promise<RunResult> {
  const startedAt = parts.engine.clock.monotonicMs();
  let state = firstState(run);
  const unpriced = unpricedNotice(parts.engine, run.options, state.using.model);
  if (unpriced !== undefined) {
    parts.journal.signal({ type: "notice", sessionId: parts.journal.state.sessionId, text: unpriced });
  }
  for (;;) {
    const next = await iterate(parts, run, state);
    parts.treeBudget.requestEnds();
    parts.treeBudget.charge(state.spent, next.state.spent);
    state = next.state;
    if (next.end === undefined) continue;
    const isCompleted = next.end.reason === "completed";
    if (isCompleted && (await hearsAgents(parts, run, () => mayCallAgain(parts, run, state)))) {
      state = goOn(state, "agents_ended").state;
      continue;
    }
    const further =
      isCompleted && parts.moments !== undefined ? await atStop(parts, parts.moments, run, state) : undefined;
    if (further !== undefined) {
      state = further;
      continue;
    }
    if (isCompleted) tellOpenCheckpoint(parts);
    return resultOf(parts, run, state, { ...next.end, startedAt });
  }
}

function atStop(parts: LoopParts, moments: SessionMoments, run: Run, state: LoopState) {
  const { journal } = parts;
  const notice = (text: string) => journal.signal({ type: "notice", sessionId: journal.state.sessionId, text });
  const isHeard = () => isSteered(journal);
  const mayGoOn = (now: LoopState) => mayCallAgain(parts, run, now);
  return continueAtStop({ moments, notice, isSteered: isHeard, mayGoOn }, run, state);
}

async function iterate(parts: LoopParts, run: Run, state: LoopState): Promise<Next> {
  const { engine, journal } = parts;
  const { options, signal } = run;
  const { model, provider } = state.using;
  if (signal.aborted) return { state, end: { reason: "aborted" } };
  const gate = gateFor(parts, options, state);
  if (!gate.open) {
    const { open: _, ...end } = gate;
    return { state, end };
  }
  if (state.structuredRetries > (engine.agent === undefined ? structuredRetriesMax : structuredRetriesOfAgentMax)) {
    return { state, end: { reason: "error_max_structured_output_retries" } };
  }
  if (parts.moments !== undefined) {
    const refusal = await parts.moments.beforeStep(promptsFor(parts, run), signal);
    if (signal.aborted) return { state, end: { reason: "aborted" } };
    const isNothingSaid = refusal !== undefined && promptsFor(parts, run).length === 0;
    if (isNothingSaid && state.spent.turns === 0) {
      return { state: { ...state, text: refusal }, end: { reason: "stopped_by_hook" } };
    }
  }
  const shortened = await parts.care.beforeStep(run, state, gate.outputTokensMax);
  if (shortened !== undefined) return shortened;

  const source = engine.prefix !== undefined ? "fork" : engine.agent === undefined ? "main" : "subagent";
  const stepId = engine.newId("stp_");
  const requestId = engine.newRequestId();
  const isLast = isLastStep(options, state.spent);
  const said = promptsFor(parts, run);
  const given = said.flatMap(({ subtasks = [] }) => subtasks);
  const addedTools = run.addedTools(model);
  const form = lastTransition(state) === "tool_results" ? "steer" : "prompt";
  const due = parts.dueContext(model);
  await journal.emit(...said.flatMap(({ text }) => parts.conduct.userSpoke(text)), ...loadedFacts(due), {
    type: "step.started",
    stepId,
    runId: run.runId,
    turn: state.spent.turns + 1,
    source,
    model: model.ref,
    requestId,
    prompts: said.map(({ promptId }) => ({ promptId, form })),
    ...stepReminders({
      due: due.texts,
      added: parts.moments?.takeContext(),
      own: isLast ? [...state.reminders, lastStepReminder()] : state.reminders,
      hasPrompts: said.length > 0,
    }),
    ...(addedTools.length > 0 && { addedTools }),
    ...(state.fallback !== undefined && { fallback: state.fallback }),
    ...(state.withoutMedia && { withoutMedia: true }),
  });

  parts.treeBudget.requestStarts();
  const { cancellation } = state;
  const { concurrentCallsMax } = engine;
  const pipeline = isLast ? answersOnly(parts.pipeline, run) : parts.pipeline;
  const executor = createExecutor({ pipeline, stepId, cancellation, concurrentCallsMax });
  const output = outputLimit(state, run, gate.outputTokensMax);
  const { clock, redact } = engine;
  const canCall = model.capabilities?.tools !== false;
  const offersTools = !isLast && canCall;
  const serverTools = offersTools ? run.serverTools(model) : undefined;
  const answer = await streamStep(
    {
      journal,
      provider: given.length === 0 ? provider : givenCalls(given, stepId),
      executor,
      clock,
      cost: engine.models.cost,
      redact,
      onToolNamed: parts.pipeline.announce,
      dropCutOff: output.mayEscalate,
      // Once shortened, a window that is full again is not emptied a second time for the same answer.
      ...(!state.tried.filledWindow && parts.care.isAutomatic() && { windowTokens: model.contextTokens }),
    },
    stepId,
    {
      model,
      source,
      conversationId: engine.prefix?.conversationId ?? journal.state.sessionId,
      ...state.system,
      tools: offersTools ? run.tools(model) : canCall ? answerTools(run, model) : [],
      messages: parts.messages(),
      ...(serverTools !== undefined && { serverTools }),
      ...(canCall && mustGiveAnswer(run, model, isLast || lastTransition(state) === "structured_retry")),
      ...(options.reasoning !== undefined && { reasoning: options.reasoning }),
      outputTokensMax: output.tokensMax,
      requestId,
    },
    signal,
  );
  const settled = await executor.settle();
  if (settled.changedFiles) await parts.watch.after(stepId);
  const stored = () => Promise.all([answer.stored, settled.stored]);
  const accounted = account(parts, run, { ...state, stored }, answer);
  const current = parts.checkpoints.isRewinding() ? await afterRewind(parts, stepId, accounted) : accounted;
  const next = await decide(parts, run, current, answer);
  // The ends of the calls share a transaction with the next step's start; a run that ends here waits for them.
  if (next.end !== undefined) await stored();
  return next;
}

/** The next checkpoint is a new one, with reminders of its own. */
async function afterRewind({ checkpoints }: LoopParts, stepId: string, state: LoopState): Promise<LoopState> {
  await checkpoints.rewind(stepId);
  return withTried(state, { checkpointReminders: 0 });
}

function tellOpenCheckpoint({ journal }: LoopParts): void {
  const { checkpoint, sessionId } = journal.state;
  if (checkpoint === undefined) return;
  const text = `The model stopped before returning to its checkpoint (${checkpoint.goal}). Discard it with /checkpoint discard.`;
  journal.signal({ type: "notice", sessionId, text });
}

function promptsFor({ engine, journal }: LoopParts, run: Run): readonly QueuedPrompt[] {
  return saidPrompts(journal.state.queue, run, engine.conversation?.steeringMode ?? "all");
}

function account(parts: LoopParts, run: Run, state: LoopState, answer: Answer): LoopState {
  const side = parts.takeSideCosts();
  const spent = spend(state.spent, addUsage(answer.usage, side.usage), {
    usd: answer.cost.usd + side.cost.usd,
    estimated: answer.cost.estimated || side.cost.estimated,
  });
  tellCrossings(parts.journal, run.options, state.spent, spent);
  const { ref } = state.using.model;
  return {
    ...withoutOnce(state),
    spent,
    usageByModel: { ...state.usageByModel, [ref]: addUsage(state.usageByModel[ref] ?? noUsage, answer.usage) },
    reminders: [],
    contextTokens: tokensOf(answer.usage),
    isLookedAfter: false,
    text: isContinuation(state) ? state.text + textOf(answer.content) : textOf(answer.content),
    ...(answer.stopReason !== undefined && { stopReason: answer.stopReason }),
  };
}

/** True when the answer begins where the last one stopped. */
function isContinuation(state: LoopState): boolean {
  const last = lastTransition(state);
  return last === "output_resume" || last === "server_pause";
}

async function decide(parts: LoopParts, run: Run, state: LoopState, answer: Answer): Promise<Next> {
  const { engine, journal } = parts;
  if (answer.outcome === "interrupted" || run.signal.aborted) return { state, end: { reason: "aborted" } };
  if (answer.outcome === "failed") {
    return recoverFromFailure(run, state, {
      answer,
      models: engine.models,
      care: parts.care,
      hasMedia: parts.messages().some((message) => message.role === "user" && message.media !== undefined),
      notice: (text) => journal.signal({ type: "notice", sessionId: journal.state.sessionId, text }),
    });
  }
  const stopped = parts.stopped();
  if (stopped !== undefined) return { state, end: { reason: stopped } };
  if (run.structured?.accepted() !== undefined) return { state, end: { reason: "completed" } };
  const sound = soundState(state);
  if (toolCalls(answer.content).length > 0) {
    const settled = settledState(sound);
    const pause = parts.conduct.takePause();
    const paused: Next = pause === undefined ? { state: settled } : await afterPause(parts, run, settled, pause);
    if (paused.end !== undefined) return paused;
    if (parts.moments !== undefined) {
      const callIds = toolCalls(answer.content).map(({ callId }) => callId);
      const why = await parts.moments.callsEnded(callIds, run.signal);
      if (why !== undefined) return { state: { ...settled, text: why }, end: { reason: "stopped_by_hook" } };
    }
    const failed = run.structured?.takeProblems() !== undefined;
    const { structuredRetries } = state;
    return goOn(paused.state, "tool_results", failed ? { structuredRetries: structuredRetries + 1 } : {});
  }
  const { detection } = engine.conversation?.unexpectedStop ?? unexpectedStopDefaults;
  const repeatsEmpty = detection !== "none";
  const recovery = run.structured === undefined ? recoverFromAnswer(sound, answer, { repeatsEmpty }) : undefined;
  if (recovery !== undefined) return recovery;
  if (isSteered(journal)) return goOn(settledState(sound), "queued_input");
  if (run.structured !== undefined) {
    const reminders = [structuredRetryReminder("no call of structured_output")];
    return goOn(sound, "structured_retry", { structuredRetries: state.structuredRetries + 1, reminders });
  }
  const isJudged = detection === "smart" && journal.state.mode !== "plan" && mayCallAgain(parts, run, sound);
  const judged: Next | undefined = isJudged ? await afterStop(parts, run, sound, answer) : undefined;
  return judged ?? afterLastWord(parts, run, sound);
}

/** Whether the model meant to stop is asked of another one, which is loaded with the first stop that is. */
async function afterStop(parts: LoopParts, run: Run, state: LoopState, answer: Answer): Promise<Next> {
  const { goOnAfterAnnouncement } = await import("./announced-work.ts");
  const { engine, journal } = parts;
  // Who spoke meanwhile is answered instead.
  const mayGoOn = (charged: LoopState) => !isSteered(journal) && mayCallAgain(parts, run, charged);
  const judged = await goOnAfterAnnouncement({ engine, journal, mayGoOn }, run, state, answer);
  if (run.signal.aborted) return { state: judged.state, end: { reason: "aborted" } };
  if (judged.isGoingOn) return { state: judged.state };
  if (isSteered(journal)) return goOn(settledState(judged.state), "queued_input");
  return afterLastWord(parts, run, judged.state);
}

function afterLastWord(parts: LoopParts, run: Run, state: LoopState): Next {
  const { checkpoint } = parts.journal.state;
  if (checkpoint !== undefined && mayCallAgain(parts, run, state)) {
    const reminded = remindOfCheckpoint(state, checkpoint.goal);
    if (reminded !== undefined) return reminded;
  }
  return { state, end: { reason: "completed" } };
}

function isSteered({ state }: Journal): boolean {
  return state.queue.some((prompt) => prompt.delivery === "steer");
}

/** Where the calls brought the run under high pressure, the user says how it goes on. */
async function afterPause(parts: LoopParts, run: Run, state: LoopState, pause: Pause): Promise<Next> {
  const { conduct, dialogue, journal } = parts;
  const paused = await pauseRun(pause, { conduct, dialogue, signal: run.signal });
  if (paused.kind === "stop" || run.signal.aborted) return { state, end: { reason: "aborted" } };
  await journal.emit(...paused.facts);
  return { state: { ...state, reminders: [...state.reminders, ...paused.reminders] } };
}

/** True when another step would be let through and could call a tool. */
function mayCallAgain(parts: LoopParts, { options }: Run, { spent, using }: LoopState): boolean {
  if (isLastStep(options, spent) || using.model.capabilities?.tools === false) return false;
  return gateFor(parts, options, { spent, using }).open;
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
  const pressure = parts.conduct.level();
  return {
    ...how,
    text: state.text,
    ...(structured !== undefined && { structured }),
    usage: state.spent.usage,
    usageByModel: state.usageByModel,
    cost: state.spent.cost,
    turns: state.spent.turns,
    durationMs: Math.round(parts.engine.clock.monotonicMs() - startedAt),
    transitions: transitionsOf(state),
    denials: parts.denials(),
    ...(state.stopReason !== undefined && { stopReason: state.stopReason }),
    ...(pressure !== "calm" && { pressure }),
  };
}
