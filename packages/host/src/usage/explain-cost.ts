/** Where the money of one session went: a row per step with what it cost and why, from its facts alone. */
import {
  addUsage,
  type CacheBreak,
  type Cost,
  type FactOf,
  type FactRecord,
  type FailureCode,
  noUsage,
  type QuerySource,
  type Transition,
  type Usage,
} from "@kedge/protocol";
import { type AgentCost, createAgentCosts } from "./agent-costs.ts";
import { type BesideCall, besideCall } from "./beside-calls.ts";
import { type ClearedResults, causesOf, type Since, type StepCircumstances } from "./step-causes.ts";

export type CostRow = {
  /** Counted through the whole session. */
  readonly turn: number;
  readonly stepId: string;
  /** When the step began, in milliseconds since the epoch. */
  readonly time: number;
  readonly model: string;
  readonly source: QuerySource;
  readonly outcome: FactOf<"step.ended">["outcome"];
  readonly usage: Usage;
  readonly cost: Cost;
  readonly causes: readonly string[];
  readonly cacheBreak?: CacheBreak;
};

export type CostReport = {
  readonly rows: readonly CostRow[];
  /** What was paid beside the steps; contained in the sums. */
  readonly beside: readonly (BesideCall & { readonly time: number })[];
  readonly usage: Usage;
  readonly cost: Cost;
  /** What agents of the session cost, which is not in the sums; absent where there were none. */
  readonly agents?: readonly AgentCost[];
  /** What was paid again because a vendor's cache was lost. */
  readonly cacheMisses: { readonly count: number; readonly tokens: number; readonly usd: number };
};

/** A step whose end is stored; its causes wait for the end of its run, which tells the transitions. */
type EndedStep = Omit<CostRow, "causes"> & {
  readonly runId: string;
  readonly failure: FailureCode | undefined;
  readonly circumstances: StepCircumstances;
  transition: Transition | undefined;
};

type OpenStep = {
  readonly started: FactOf<"step.started">;
  readonly turn: number;
  readonly time: number;
  readonly before: Pick<StepCircumstances, "since" | "cleared" | "largestOutput">;
};

/** Keeps numbers and names only, so the memory it takes grows with the steps and not with what was said in them. */
export async function explainCost(records: AsyncIterable<FactRecord> | Iterable<FactRecord>): Promise<CostReport> {
  const ended: EndedStep[] = [];
  const beside: CostReport["beside"][number][] = [];
  const since = new Set<Since>();
  const outputs = new Map<string, number>();
  const agents = createAgentCosts();
  let turns = 0;
  let cleared: ClearedResults | undefined;
  /** Background calls see none of the conversation, so what happened in it explains the next call that does. */
  const takeBefore = (source: QuerySource): OpenStep["before"] => {
    if (source === "background") return { since: new Set() };
    const before = { since: new Set(since), ...(cleared !== undefined && { cleared }), ...largestOf(outputs) };
    since.clear();
    cleared = undefined;
    outputs.clear();
    return before;
  };
  const open = new Map<string, OpenStep>();
  for await (const { fact, time } of records) {
    agents.add(fact);
    const call = besideCall(fact);
    if (call !== undefined) beside.push({ ...call, time });
    switch (fact.type) {
      case "context.compacted":
        since.add("compacted");
        break;
      case "context.cleared":
        cleared = addCleared(cleared, fact);
        break;
      case "session.resumed":
        since.add("resumed");
        break;
      case "session.reverted":
      case "session.unreverted":
        // Files that go back alone change nothing of a request.
        if (fact.only === undefined) since.add("reverted");
        break;
      case "conversation.rewound":
        since.add("rewound");
        break;
      case "tool.ended":
        outputs.set(fact.tool, (outputs.get(fact.tool) ?? 0) + fact.output.length);
        break;
      case "step.started":
        turns += 1;
        open.set(fact.stepId, { started: fact, turn: turns, time, before: takeBefore(fact.source) });
        break;
      case "step.ended": {
        const step = open.get(fact.stepId);
        if (step === undefined) break;
        open.delete(fact.stepId);
        const { source } = step.started;
        ended.push(
          endStep(
            step,
            fact,
            ended.findLast((earlier) => earlier.source === source),
          ),
        );
        break;
      }
      case "run.ended":
        assignTransitions(ended, fact);
        break;
      default:
        break;
    }
  }
  const report = reportOf(ended.map(rowOf), beside);
  return agents.rows().length === 0 ? report : { ...report, agents: agents.rows() };
}

/** The most expensive first; equal ones stay in their order. */
export function mostExpensive(rows: readonly CostRow[], countMax: number): readonly CostRow[] {
  // Where no price is known, the larger turn is the more expensive one.
  const order = (left: CostRow, right: CostRow) =>
    right.cost.usd - left.cost.usd || tokensOf(right.usage) - tokensOf(left.usage);
  return rows.toSorted(order).slice(0, countMax);
}

function addCleared(
  sum: ClearedResults | undefined,
  { reason, tokensFreed, resentTokens = 0 }: FactOf<"context.cleared">,
): ClearedResults {
  return {
    reasons: new Set([...(sum?.reasons ?? []), reason]),
    tokensFreed: (sum?.tokensFreed ?? 0) + tokensFreed,
    resentTokens: (sum?.resentTokens ?? 0) + resentTokens,
  };
}

function largestOf(outputs: ReadonlyMap<string, number>): Pick<StepCircumstances, "largestOutput"> {
  let largestOutput: StepCircumstances["largestOutput"];
  for (const [tool, characters] of outputs) {
    if (largestOutput === undefined || characters > largestOutput.characters) largestOutput = { tool, characters };
  }
  return largestOutput === undefined ? {} : { largestOutput };
}

function endStep(open: OpenStep, fact: FactOf<"step.ended">, last: EndedStep | undefined): EndedStep {
  const { started, turn, time, before } = open;
  const { model, source, stepId, runId, fallback } = started;
  const { outcome, usage, cost, cacheBreak, retries = [], failure } = fact;
  const lost = cacheBreak === undefined ? {} : { cacheBreak };
  return {
    turn,
    stepId,
    time,
    model,
    source,
    outcome,
    usage,
    cost,
    ...lost,
    runId,
    failure: outcome === "failed" ? failure?.code : undefined,
    transition: undefined,
    circumstances: {
      ...before,
      ...lost,
      model,
      outcome,
      usage,
      retries,
      runId,
      ...(fallback !== undefined && { fallback }),
      ...(last !== undefined && { previous: { model: last.model, runId: last.runId, failure: last.failure } }),
    },
  };
}

/** A run names one transition for every step of its own but the first; after a crash it names none. */
function assignTransitions(ended: readonly EndedStep[], { runId, transitions }: FactOf<"run.ended">): void {
  const steps = ended.filter((step) => step.runId === runId && step.source !== "background");
  if (steps.length !== transitions.length + 1) return;
  for (const [index, step] of steps.entries()) step.transition = transitions[index - 1];
}

function rowOf({ circumstances, transition, runId: _, failure: __, ...row }: EndedStep): CostRow {
  return { ...row, causes: causesOf({ ...circumstances, ...(transition !== undefined && { transition }) }) };
}

function reportOf(rows: readonly CostRow[], beside: CostReport["beside"]): CostReport {
  let usage = noUsage;
  let usd = 0;
  let estimated = false;
  let count = 0;
  let tokens = 0;
  let lostUsd = 0;
  for (const row of rows) {
    usage = addUsage(usage, row.usage);
    usd += row.cost.usd;
    estimated ||= row.cost.estimated;
    if (row.cacheBreak === undefined) continue;
    count += 1;
    tokens += row.cacheBreak.tokensLost;
    lostUsd += row.cacheBreak.usd;
  }
  for (const call of beside) {
    usage = addUsage(usage, call.usage);
    usd += call.cost.usd;
    estimated ||= call.cost.estimated;
  }
  return { rows, beside, usage, cost: { usd, estimated }, cacheMisses: { count, tokens, usd: lostUsd } };
}

function tokensOf({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + cacheRead + cacheWrite;
}
