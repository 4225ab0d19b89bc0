/** The lines of `stream-json` between `init` and `result`, in the order in which a conversation reads. */
import {
  type CacheBreak,
  type FactOf,
  type FactRecord,
  parseCallInput,
  type Signal,
  type SignalOf,
} from "@kedge/protocol";
import { failureObject, usageObject } from "./result-object.ts";

type Line = { readonly type: string; readonly [key: string]: unknown };

export interface StreamLines {
  /** The lines that are due with this fact. */
  add(record: FactRecord): readonly Line[];
}

/** Calls may start, and even end, while the answer that asks for them still arrives; their lines wait for it. */
export function createStreamLines(): StreamLines {
  let arrivingStep: string | undefined;
  let waiting: Line[] = [];
  return {
    add(record) {
      const { fact } = record;
      if (fact.type === "step.started") arrivingStep = fact.stepId;
      const line = lineOf(record);
      if (line === undefined) return [];
      if (fact.type === "step.ended") {
        const lines = [line, ...waiting];
        arrivingStep = undefined;
        waiting = [];
        return lines;
      }
      const isCall = fact.type === "tool.started" || fact.type === "tool.ended";
      if (!isCall || fact.stepId !== arrivingStep) return [line];
      waiting.push(line);
      return [];
    },
  };
}

/** A model call that is tried again; live only, since the end of its step tells all attempts. */
export function retryLine(retry: SignalOf<"step.retrying">): Line {
  const { sessionId, stepId, attempt, attemptsMax, delayMs, until, failure } = retry;
  return {
    type: "retry",
    sessionId,
    step_id: stepId,
    attempt,
    ...(attemptsMax !== undefined && { max: attemptsMax }),
    delay_ms: delayMs,
    until: new Date(until).toISOString(),
    error: failureObject(failure),
  };
}

/** A piece of an answer, for `--include-partial-messages`; the line of the whole answer follows. */
export function partialLine(delta: Signal): Line | undefined {
  switch (delta.type) {
    case "text.delta":
    case "reasoning.delta": {
      const { sessionId, stepId, text } = delta;
      return {
        type: "partial",
        sessionId,
        step_id: stepId,
        of: delta.type === "text.delta" ? "text" : "reasoning",
        text,
      };
    }
    case "tool.input.delta": {
      const { sessionId, stepId, callId, tool, text } = delta;
      return { type: "partial", sessionId, step_id: stepId, of: "tool_input", call_id: callId, tool, text };
    }
    default:
      return undefined;
  }
}

/** Undefined for facts that another line already tells, or that matter only to the journal. */
function lineOf({ fact, sessionId }: FactRecord): Line | undefined {
  const place = { sessionId };
  switch (fact.type) {
    case "prompt.admitted":
      return { type: "user", ...place, prompt_id: fact.promptId, text: fact.text };
    case "step.ended":
      return {
        type: "assistant",
        ...place,
        step_id: fact.stepId,
        outcome: fact.outcome,
        content: fact.content,
        usage: usageObject(fact.usage),
        ...(fact.stopReason !== undefined && { stop_reason: fact.stopReason }),
        ...(fact.failure !== undefined && { error: failureObject(fact.failure) }),
        ...(fact.retries !== undefined && { retries: fact.retries }),
        ...(fact.cacheBreak !== undefined && { cache_break: cacheBreakObject(fact.cacheBreak) }),
      };
    case "tool.started":
      return { type: "tool_call", ...place, call_id: fact.callId, tool: fact.tool, input: inputOf(fact.inputText) };
    case "tool.ended":
      return {
        type: "tool_result",
        ...place,
        call_id: fact.callId,
        tool: fact.tool,
        outcome: fact.outcome,
        output: fact.output,
        ...(fact.title !== undefined && { title: fact.title }),
        ...(fact.metadata !== undefined && { metadata: fact.metadata }),
        ...(fact.decision !== undefined && { decision: fact.decision }),
      };
    case "files.changed":
      return { type: "files_changed", ...place, files: fact.files, uncovered: fact.uncovered };
    case "command.ran":
      return {
        type: "command_result",
        ...place,
        command: fact.command,
        text: fact.text,
        ...(fact.data !== undefined && { data: fact.data }),
      };
    case "todos.replaced":
      return { type: "todos", ...place, todos: fact.todos };
    case "pressure.changed":
      return {
        type: "pressure",
        ...place,
        level: fact.level,
        score: fact.score,
        contributions: fact.contributions.map(({ callId, weight, why }) => ({ call_id: callId, weight, why })),
      };
    case "conversation.rewound":
      return { type: "rewound", ...place, report: fact.report, files: fact.files };
    case "context.compacted":
      return {
        type: "compacted",
        ...place,
        trigger: fact.trigger,
        strategy: fact.strategy,
        tokens_before: fact.tokensBefore,
        tokens_after: fact.tokensAfter,
        summary: fact.summary,
      };
    case "context.cleared":
      return {
        type: "cleared",
        ...place,
        reason: fact.reason,
        call_ids: fact.results.map(({ callId }) => callId),
        tokens_freed: fact.tokensFreed,
      };
    case "instructions.loaded":
      return { type: "instructions_loaded", ...place, origins: fact.blocks.map(({ origin }) => origin) };
    case "reproduction.judged":
      return { type: "reproduction_judged", ...place, id: fact.id, state: fact.state, why: fact.why };
    case "memory.written":
      return { type: "memory_written", ...place, path: fact.path, origin: fact.origin };
    case "memory.quarantined":
      return { type: "memory_quarantined", ...place, path: fact.path, why: fact.why };
    case "memory.recalled":
      return { type: "memory_recalled", ...place, candidates: fact.candidates, selected: fact.selected };
    case "memory.consolidated":
      return { type: "memory_consolidated", ...place, outcome: fact.outcome, paths: fact.paths };
    case "agent.started":
      return { type: "agent_started", ...place, ...startedAgent(fact) };
    case "agent.ended":
      return { type: "agent_ended", ...place, ...endedAgent(fact) };
    case "mail.received":
    case "memory.extracted":
    case "compaction.failed":
    case "job.started":
    case "job.ended":
    case "leaf.moved":
    case "entry.labelled":
    case "message.added":
    case "message.removed":
    case "grants.replaced":
    case "session.updated":
    case "session.deleted":
    case "chain.closed":
    case "journal.recovered":
    case "question.asked":
    case "question.answered":
    case "session.created":
    case "session.resumed":
    case "model.changed":
    case "mode.changed":
    case "style.changed":
    case "prompt.revised":
    case "prompt.withdrawn":
    case "step.started":
    case "step.progressed":
    case "permission.asked":
    case "permission.answered":
    case "session.reverted":
    case "session.unreverted":
    case "checkpoint.opened":
    case "checkpoint.discarded":
    case "run.ended":
    case "memory.lesson_extracted":
    case "content.removed":
      return undefined;
  }
}

function startedAgent({ agentId, agent, description, callId, name, isBackground }: FactOf<"agent.started">) {
  return {
    agent_id: agentId,
    agent,
    description,
    ...(name !== undefined && { name }),
    is_background: isBackground === true,
    ...(callId !== undefined && { call_id: callId }),
  };
}

function endedAgent({ agentId, status, result, cost, turns, durationMs, why }: FactOf<"agent.ended">) {
  return {
    agent_id: agentId,
    status,
    result,
    ...(why !== undefined && { why }),
    turns,
    duration_ms: durationMs,
    total_cost_usd: cost.usd,
  };
}

function cacheBreakObject({ cause, tokensLost, usd, diffFile }: CacheBreak): object {
  return { cause, tokens_lost: tokensLost, usd, ...(diffFile !== undefined && { diff_file: diffFile }) };
}

/** The model's own text when no tool takes it: such a call fails, and the reader should see why. */
function inputOf(inputText: string): unknown {
  return parseCallInput(inputText) ?? inputText;
}
