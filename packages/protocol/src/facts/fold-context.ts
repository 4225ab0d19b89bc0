/** The part of the fold that makes the conversation smaller: cleared results and summaries. */
import { namesIn } from "./call-result.ts";
import type { FactOf } from "./facts.ts";
import { addSpending } from "./fold-spending.ts";
import { addBoundary, replaceItems } from "./fold-tree.ts";
import type { CallResult, SessionState } from "./session-state.ts";

export function clearResults(state: SessionState, { results }: FactOf<"context.cleared">): void {
  const texts = new Map(results.map(({ stepId, callId, text }) => [`${stepId} ${callId}`, text]));
  replaceItems(state, (item) => {
    if (item.type !== "results") return item;
    const isMeant = item.results.some(({ callId }) => texts.has(`${item.stepId} ${callId}`));
    return isMeant ? { ...item, results: item.results.map((result) => clearedResult(item.stepId, result)) } : item;
  });

  function clearedResult(stepId: string, result: CallResult): CallResult {
    const cleared = texts.get(`${stepId} ${result.callId}`);
    if (cleared === undefined) return result;
    const { media: _, ...kept } = result;
    return { ...kept, cleared };
  }
}

export function compact(state: SessionState, fact: FactOf<"context.compacted">, time: number): void {
  const { compactionId: id, summary, restored, frames, archive, vendorHistory, firstKeptId } = fact;
  const pictures = { ...(frames !== undefined && { frames }), ...(archive !== undefined && { archive }) };
  const forms = { ...pictures, ...(vendorHistory !== undefined && { vendorHistory }) };
  const shown = { ...forms, ...(firstKeptId !== undefined && { firstKeptId }) };
  addBoundary(state, { type: "compaction", id, summary, restored, ...shown }, time);
  // A session that was taken over may lack the searches before its summary.
  for (const name of namesIn(fact.boundary?.["preCompactDiscoveredTools"])) state.foundTools.add(name);
  state.compactionFailures = 0;
  addSpending(state, fact);
}

export function failCompaction(state: SessionState, fact: FactOf<"compaction.failed">): void {
  state.compactionFailures += 1;
  addSpending(state, fact);
}
