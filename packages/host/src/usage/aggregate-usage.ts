/** What kedge used and cost over many sessions, by day, model, project and tool, from the local store alone. */
import {
  type BesideKind,
  type FactOf,
  FailureError,
  holdsCopies,
  type SessionSummary,
  type Store,
  type ToolCounts,
  type ToolSummary,
  type UsageSum,
  type UsageSummary,
} from "@kedge/protocol";
import { type BesideCall, besideCall } from "./beside-calls.ts";
import { addBeside, addCall, addStep, cacheHitShare, callsIn, nothingUsed } from "./usage-tally.ts";

/** The newest are counted; a store has no way to list them in pages. */
const sessionsMax = 100_000;

export type UsageFilter = {
  /** Milliseconds since the epoch; what happened before does not count. */
  readonly sinceMs?: number;
  readonly projectId?: string;
};

const dayMs = 24 * 60 * 60 * 1_000;

/** The first moment of the last `days` whole days in UTC, of which the day of `nowMs` is one. */
export function startOfDays(nowMs: number, days: number): number {
  return nowMs - (nowMs % dayMs) - (days - 1) * dayMs;
}

type ProjectTally = { readonly directory: string; readonly sessions: number; readonly sum: UsageSum };

/** Changed only here. Grows with the names in it, not with the number of facts. */
type Tally = {
  sessions: number;
  total: UsageSum;
  misses: UsageSummary["cacheMisses"];
  readonly beside: Map<BesideKind, { readonly calls: number; readonly sum: UsageSum }>;
  readonly models: Map<string, UsageSum>;
  readonly days: Map<string, UsageSum>;
  readonly projects: Map<string, ProjectTally>;
  readonly tools: Map<string, ToolCounts>;
  readonly unreadable: string[];
};

export async function aggregateUsage(
  store: Pick<Store, "sessions" | "read">,
  { sinceMs = 0, projectId }: UsageFilter,
): Promise<UsageSummary> {
  const tally: Tally = {
    sessions: 0,
    total: nothingUsed,
    misses: { count: 0, tokens: 0, usd: 0 },
    beside: new Map(),
    models: new Map(),
    days: new Map(),
    projects: new Map(),
    tools: new Map(),
    unreadable: [],
  };
  const filter = { limit: sessionsMax, ...(projectId !== undefined && { projectId }) };
  const archived = await store.sessions({ ...filter, isArchived: true });
  for (const session of [...(await store.sessions(filter)), ...archived]) {
    if (session.updatedAt < sinceMs) continue;
    try {
      await countSession(tally, session, { store, sinceMs });
    } catch (error) {
      // One damaged record must not hide what all other sessions cost.
      if (!(error instanceof FailureError)) throw error;
      tally.unreadable.push(session.sessionId);
    }
  }
  return summaryOf(tally);
}

async function countSession(
  tally: Tally,
  session: SessionSummary,
  { store, sinceMs }: { readonly store: Pick<Store, "read">; readonly sinceMs: number },
): Promise<void> {
  const models = new Map<string, string>();
  let counted = false;
  let isCopy = false;
  for await (const { fact, time } of store.read(session.sessionId, 0)) {
    if (fact.type === "session.created") isCopy = holdsCopies(fact.origin);
    // What comes after is its own.
    if (fact.type === "session.resumed") isCopy = false;
    if (fact.type === "step.started") models.set(fact.stepId, fact.model);
    const call = besideCall(fact);
    if (isCopy || time < sinceMs || (fact.type !== "step.ended" && fact.type !== "tool.ended" && call === undefined))
      continue;
    if (!counted) countProject(tally, session);
    counted = true;
    if (call !== undefined) countBeside(tally, session, { call, time });
    if (fact.type === "tool.ended") tally.tools.set(fact.tool, addCall(tally.tools.get(fact.tool), fact.outcome));
    if (fact.type !== "step.ended") continue;
    countStep(tally, session, { fact, time, model: models.get(fact.stepId) ?? session.model });
    models.delete(fact.stepId);
  }
}

function countProject(tally: Tally, { projectId, directory }: SessionSummary): void {
  tally.sessions += 1;
  const known = tally.projects.get(projectId) ?? { directory, sessions: 0, sum: nothingUsed };
  tally.projects.set(projectId, { ...known, sessions: known.sessions + 1 });
}

type CountedStep = { readonly fact: FactOf<"step.ended">; readonly time: number; readonly model: string };

function countBeside(
  tally: Tally,
  session: SessionSummary,
  { call, time }: { readonly call: BesideCall; readonly time: number },
): void {
  const { kind, usage, cost, model = session.model } = call;
  addEverywhere(tally, { projectId: session.projectId, time, model }, (sum) => addBeside(sum, usage, cost));
  const known = tally.beside.get(kind) ?? { calls: 0, sum: nothingUsed };
  tally.beside.set(kind, { calls: known.calls + 1, sum: addBeside(known.sum, usage, cost) });
}

type CountedPlace = { readonly projectId: string; readonly time: number; readonly model: string };

function addEverywhere(tally: Tally, place: CountedPlace, add: (sum: UsageSum) => UsageSum): void {
  const { projectId, time, model } = place;
  const day = new Date(time).toISOString().slice(0, "2000-01-01".length);
  tally.total = add(tally.total);
  tally.models.set(model, add(tally.models.get(model) ?? nothingUsed));
  tally.days.set(day, add(tally.days.get(day) ?? nothingUsed));
  const project = tally.projects.get(projectId);
  if (project !== undefined) tally.projects.set(projectId, { ...project, sum: add(project.sum) });
}

function countStep(tally: Tally, { projectId }: SessionSummary, { fact, time, model }: CountedStep): void {
  const { usage, cost, cacheBreak } = fact;
  addEverywhere(tally, { projectId, time, model }, (sum) => addStep(sum, usage, cost));
  if (cacheBreak === undefined) return;
  const { count, tokens, usd } = tally.misses;
  tally.misses = { count: count + 1, tokens: tokens + cacheBreak.tokensLost, usd: usd + cacheBreak.usd };
}

function summaryOf(tally: Tally): UsageSummary {
  const { sessions, total, misses, beside, models, days, projects, tools, unreadable } = tally;
  return {
    sessions,
    ...total,
    cacheHitShare: cacheHitShare(total.usage),
    cacheMisses: misses,
    beside: [...beside]
      .map(([kind, { calls, sum }]) => ({ kind, calls, usage: sum.usage, cost: sum.cost }))
      .sort(byCost),
    models: [...models]
      .map(([model, sum]) => ({ model, ...sum, cacheHitShare: cacheHitShare(sum.usage) }))
      .sort(byCost),
    projects: [...projects]
      .map(([projectId, { directory, sessions: count, sum }]) => ({ projectId, directory, sessions: count, ...sum }))
      .sort(byCost),
    tools: [...tools]
      .map(([tool, counts]) => toolSummary(tool, counts))
      .sort((left, right) => right.calls - left.calls),
    days: [...days].map(([day, sum]) => ({ day, ...sum })).sort((left, right) => (left.day < right.day ? -1 : 1)),
    unreadable,
  };
}

function byCost(left: Pick<UsageSum, "cost">, right: Pick<UsageSum, "cost">): number {
  return right.cost.usd - left.cost.usd;
}

function toolSummary(tool: string, counts: ToolCounts): ToolSummary {
  const calls = callsIn(counts);
  return { tool, calls, ...counts, successRate: counts.completed / calls };
}
