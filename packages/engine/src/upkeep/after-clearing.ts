/** What clearing results comes to before it has happened: how much it frees, and which results are left. */
import type { ClearedResult } from "@kedge/protocol";
import { tokensOfText } from "./estimate-tokens.ts";
import type { ResultIndex, ShownResult } from "./result-index.ts";

/** A result, and the text that shall stand in its place. */
export type Clearing = { readonly entry: ShownResult; readonly text: string };

/** Estimated and not padded. Where an answer has more results than are shown, others take the place of what goes. */
export function tokensFreed(clearings: readonly Clearing[]): number {
  const hiddenLeft = new Map<string, number>();
  let freed = 0;
  for (const clearing of clearings) {
    const { stepId, tokens, hiddenTokens, result } = clearing.entry;
    const hidden = hiddenLeft.get(stepId) ?? hiddenTokens;
    const text = textFreed(clearing);
    // Where nothing is hidden, a short text with a picture may also become longer.
    const isFull = hidden > 0;
    hiddenLeft.set(stepId, isFull ? Math.max(0, hidden - text) : 0);
    freed += tokens - tokensOfText(result.output) + (isFull ? Math.max(0, text - hidden) : text);
  }
  return freed;
}

function textFreed({ entry, text }: Clearing): number {
  return tokensOfText(entry.result.output) - tokensOfText(text);
}

/** As if the state had changed already. */
export function afterClearing(index: ResultIndex, cleared: readonly ClearedResult[]): ResultIndex {
  const texts = new Map(cleared.map(({ stepId, callId, text }) => [`${stepId} ${callId}`, text]));
  const results: ShownResult[] = [];
  let freed = 0;
  for (const step of byStep(index.results)) {
    const clearings: Clearing[] = [];
    const staying: ShownResult[] = [];
    for (const entry of step) {
      const text = texts.get(`${entry.stepId} ${entry.result.callId}`);
      if (text !== undefined) clearings.push({ entry, text });
      else staying.push({ ...entry, endTokens: entry.endTokens - freed - tokensFreed(clearings) });
    }
    const removed = clearings.reduce((sum, clearing) => sum + textFreed(clearing), 0);
    for (const entry of staying) results.push({ ...entry, hiddenTokens: Math.max(0, entry.hiddenTokens - removed) });
    freed += tokensFreed(clearings);
  }
  return { ...index, results, tokens: index.tokens - freed };
}

function byStep(results: readonly ShownResult[]): readonly (readonly ShownResult[])[] {
  const steps: ShownResult[][] = [];
  for (const entry of results) {
    const last = steps.at(-1);
    if (last?.[0]?.stepId === entry.stepId) last.push(entry);
    else steps.push([entry]);
  }
  return steps;
}
