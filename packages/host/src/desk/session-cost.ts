/** What a session cost: money and tokens by model, time, lines, its agents, and what the limits leave. */
import {
  addUsage,
  type Cost,
  notFound,
  noUsage,
  type QueryAnswer,
  type QueryOf,
  type SpendingBudget,
  type Usage,
} from "@kedge/protocol";
import { childrenUse } from "../sessions/child-sessions.ts";
import type { HostDeskParts } from "./host-desk.ts";
import { diffSession, type SessionQueryParts } from "./session-queries.ts";

export type SessionCostParts = SessionQueryParts & Pick<HostDeskParts, "configuration" | "spending">;

type CostQuery = QueryOf<"session.cost">;
type ModelSum = { readonly usage: Usage; readonly cost: Cost };

const nothing: ModelSum = { usage: noUsage, cost: { usd: 0, estimated: false } };

export async function costSession(parts: SessionCostParts, query: CostQuery): Promise<QueryAnswer<"session.cost">> {
  const { store } = parts;
  const { sessionId } = query;
  const session = await store.sessionView(sessionId);
  if (session === undefined) return notFound("session", sessionId);
  const figures = await readFigures(parts, sessionId, session.model);
  const children = await childrenUse(sessionId, store);
  const budgets = await budgetsOf(parts, session.cost.usd + (children?.cost.usd ?? 0));
  return {
    ok: true,
    value: {
      ...{ total: session.cost, usage: session.usage, ...figures, lines: await changedLines(parts, sessionId) },
      ...(budgets.length > 0 && { budgets }),
      ...(children !== undefined && { children }),
    },
  };
}

async function readFigures({ store }: SessionCostParts, sessionId: string, modelOfSession: string) {
  const byModel: Record<string, ModelSum> = {};
  const models = new Map<string, string>();
  const started = new Map<string, number>();
  let turns = 0;
  let apiMs = 0;
  let toolMs = 0;
  for await (const { fact, time } of store.read(sessionId, 0)) {
    if (fact.type === "step.started") models.set(fact.stepId, fact.model);
    if (fact.type === "tool.started") started.set(fact.callId, time);
    if (fact.type === "tool.ended") {
      toolMs += Math.max(0, time - (started.get(fact.callId) ?? time));
      started.delete(fact.callId);
    }
    if (fact.type !== "step.ended") continue;
    turns += 1;
    apiMs += fact.durationMs;
    const model = models.get(fact.stepId) ?? modelOfSession;
    byModel[model] = added(byModel[model] ?? nothing, fact);
  }
  return { byModel, turns, apiMs, toolMs };
}

function added(sum: ModelSum, { usage, cost }: ModelSum): ModelSum {
  return {
    usage: addUsage(sum.usage, usage),
    cost: { usd: sum.cost.usd + cost.usd, estimated: sum.cost.estimated || cost.estimated },
  };
}

async function changedLines(parts: SessionCostParts, sessionId: string) {
  const diff = await diffSession(parts, { type: "session.diff", sessionId });
  const files = diff.ok ? diff.value.files : [];
  return {
    added: files.reduce((sum, { additions }) => sum + additions, 0),
    removed: files.reduce((sum, { deletions }) => sum + deletions, 0),
  };
}

async function budgetsOf(
  { configuration, spending }: SessionCostParts,
  usd: number,
): Promise<readonly SpendingBudget[]> {
  const usdMax = configuration.spending?.session;
  return [
    ...(usdMax === undefined ? [] : [{ window: "session" as const, usdMax, usd }]),
    ...((await spending?.budgets()) ?? []),
  ];
}
