/** Has a small model say which of two topics counts that speak of the same thing. */
import { askAside, type OpenSession } from "@kedge/engine";
import { readVerdict, verdictRequest, verdictSystem, verdictTokensMax } from "@kedge/memory/extraction";
import { findTopic } from "@kedge/memory/topics";
import { isWithinBackground } from "./background-budget.ts";
import type { UpkeepParts } from "./upkeep-parts.ts";

const timeoutMs = 15_000;
const comparedMax = 5;

export type OpenPairs = { readonly newer: string; readonly older: readonly string[] };

/** Without a small model, or once too much was spent, all stay as they are. */
export async function settleRelated(
  { newer, older }: OpenPairs,
  session: OpenSession,
  parts: UpkeepParts,
  signal: AbortSignal,
): Promise<void> {
  const { settings, store, background, nonceOf } = parts;
  const { model } = settings;
  if (model === undefined) return;
  const { models, newRequestId, clock } = parts.workerEngine().shared;
  for (const slug of older.slice(0, comparedMax)) {
    if (signal.aborted || !isWithinBackground(session.state, background)) return;
    const startedAt = clock.monotonicMs();
    const contents = await store.read();
    const [one, other] = [findTopic(contents, newer, "active"), findTopic(contents, slug, "active")];
    if (one === undefined || other === undefined) continue;
    const text = verdictRequest(one, other, nonceOf(session.state.sessionId));
    const answer = await askAside(
      { models, newRequestId },
      {
        ...{
          model,
          beside: session.state.model,
          source: "background",
          system: verdictSystem,
          messages: [{ role: "user", text }],
        },
        ...{ outputTokensMax: verdictTokensMax, timeoutMs, signal },
      },
    );
    const verdict = answer.ok ? readVerdict(answer.text) : undefined;
    if (verdict !== undefined) await store.settle(newer, slug, verdict);
    const isChanged = verdict === "successor" || verdict === "conflict";
    await session.record({
      type: "memory.consolidated",
      trigger: "due",
      outcome: isChanged ? "changed" : verdict === undefined ? "failed" : "unchanged",
      paths: isChanged ? [other.path] : [],
      denials: [],
      durationMs: Math.round(clock.monotonicMs() - startedAt),
      usage: answer.usage,
      cost: answer.cost,
    });
  }
}
