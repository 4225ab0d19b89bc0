/** One run of a session: what its steps work with, rebuilt for each, and its result. */
import { type Denial, type RunResult, runWithoutSteps } from "@kedge/protocol";
import { createDoomLoop } from "../call/asking/doom-loop.ts";
import type { RunStop } from "../call/call-services.ts";
import { createPipeline } from "../call/pipeline.ts";
import { createRunClassifier, type RunClassifier, type RunClassifierOptions } from "../classifier/run-classifier.ts";
import { createRunSources } from "../context/sources/run-sources.ts";
import type { EngineParts } from "../parts.ts";
import type { SessionParts } from "../session/session-parts.ts";
import { withinSession } from "./budget.ts";
import { runLoop } from "./loop.ts";
import type { Run } from "./loop-state.ts";
import type { RunTerms } from "./run-terms.ts";
import { createSideCosts } from "./side-costs.ts";
import { createStructuredOutput } from "./structured-output.ts";
import { createServerTools } from "./vendor-search.ts";

export type RunWish = Pick<Run, "runId" | "options" | "isLeftOver" | "signal">;

export async function executeRun(session: SessionParts, wish: RunWish, terms?: RunTerms): Promise<RunResult> {
  const { engine, journal, files, questions, guard, gates, services, dialogue, checkpoints, steering } = session;
  const { state } = journal;
  const own = withinSession(wish.options, state, engine.budget);
  // How a model thinks is part of what a vendor's cache knows a request by.
  const reasoning = own.reasoning ?? engine.prefix?.reasoning;
  const options = reasoning === undefined ? own : { ...own, reasoning };
  const { answerSchema } = options;
  session.treeBudget.runStarts(options);
  const found = await findModel(session, terms);
  if (!found.ok) return runWithoutSteps("error_during_execution", "", found.failure);
  session.asked.model = found.model.ref;
  session.asked.reasoning = reasoning;
  if (session.takenUp !== undefined) await session.takenUp.runStarts();
  const structured = answerSchema === undefined ? undefined : createStructuredOutput(answerSchema);
  session.pool.runStarts();
  const pool = structured === undefined ? session.pool : session.pool.with(structured.tool);
  const serverTools = createServerTools(engine);
  const denials: Denial[] = [];
  const sideCosts = createSideCosts();
  const conduct = session.conduct.startRun();
  const takeNews = () => session.takenUp?.takeNews();
  const runSources = createRunSources({ jobs: services.jobs, conduct, takeNews });
  let stopped: RunStop | undefined;
  const pipeline = createPipeline({
    engine,
    journal,
    pool,
    context: { services, files, editMode: session.editModeOf(found.model.id), dialogue, checkpoints },
    questions,
    watch: guard,
    gates,
    conduct,
    steering,
    doomLoop: createDoomLoop(),
    ...(terms !== undefined && { terms }),
    classifier: classifierFor(engine, found.model.ref, sideCosts.add),
    onDenial: (denial) => denials.push(denial),
    onStop: (reason) => {
      stopped ??= reason;
    },
  });
  const result = await runLoop(
    {
      engine,
      journal,
      pipeline,
      watch: guard,
      conduct,
      dialogue,
      checkpoints,
      care: session.care,
      messages: () => session.messages.all(state),
      dueContext: (model) => session.context.due(model, runSources),
      takeSideCosts: sideCosts.take,
      denials: () => denials,
      stopped: () => stopped,
      moments: session.moments,
      agentNews: session.agentNews,
      treeBudget: session.treeBudget,
    },
    {
      ...wish,
      options,
      configured: found,
      system: (model) => session.context.system(model, { isStructured: structured !== undefined }),
      addedTools: session.pool.stepStarts,
      tools: (model) => engine.prefix?.tools ?? pool.schemas(session.editModeOf(model.id)),
      serverTools,
      structured,
    },
  );
  session.asked.model = undefined;
  return result;
}

/** Asked in auto mode only; without a model of its own it takes the one that works. */
async function findModel(parts: SessionParts, terms: RunTerms | undefined) {
  const found = await findNamed(parts, terms);
  const { temperature } = parts.engine;
  return found.ok && temperature !== undefined ? { ...found, model: { ...found.model, temperature } } : found;
}

/** A command that was written for a model which nobody set up here is answered by the session's own, and says so. */
async function findNamed({ engine, journal }: SessionParts, terms: RunTerms | undefined) {
  const { model, sessionId } = journal.state;
  const wanted = terms?.model;
  if (terms === undefined || wanted === undefined) return engine.models.find(model);
  const found = await engine.models.find(wanted, model);
  if (found.ok) return found;
  const text = `${terms.name} asks for the model ${wanted}, which cannot be used here. ${model} answers instead. ${found.failure.message}`;
  journal.signal({ type: "notice", sessionId, text });
  return engine.models.find(model);
}

function classifierFor(engine: EngineParts, model: string, onCost: RunClassifierOptions["onCost"]): RunClassifier {
  const { models, newRequestId, redact, clock, autoMode } = engine;
  const { model: own, ...rules } = autoMode;
  const parts = {
    models,
    model: own ?? model,
    beside: model,
    rules,
    newRequestId,
    redact,
    monotonicMs: clock.monotonicMs,
  };
  return createRunClassifier(parts, { onCost });
}
