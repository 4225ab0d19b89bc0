/** Which results the model need not see any longer, decided without asking one. Calls are never touched. */
import type { ClearReason, FactOf } from "@kedge/protocol";
import { tokensFreed } from "./after-clearing.ts";
import { tokensOfText } from "./estimate-tokens.ts";
import { isIdle, type ResultIndex, type ShownResult } from "./result-index.ts";

export type Cleared = FactOf<"context.cleared">;

export const clearedText = "[Old tool result content cleared]";
export const uneventfulText = "[Uneventful result elided]";

/** Their results can be had again, or no longer matter once the work went on. */
const repeatableTools: ReadonlySet<string> = new Set([
  "read",
  "bash",
  "grep",
  "glob",
  "list",
  "codesearch",
  "websearch",
  "webfetch",
  "edit",
  "write",
  "multi_edit",
  "apply_patch",
]);

const newestResultsKept = 5;
const protectedTokens = 40_000;
const protectedTurns = 2;
const pruneTokensMin = 20_000;
/** Of a result this small too little would be gained. */
const resultTokensMin = 50;

/** Those of tools that could be asked again, but for the newest. */
export function planMicrocompact(
  results: readonly ShownResult[],
  reason: Extract<ClearReason, "cache-expired" | "size">,
): Cleared | undefined {
  const shown = results.filter(({ result }) => result.cleared === undefined && repeatableTools.has(result.tool));
  const old = shown.slice(0, Math.max(0, shown.length - newestResultsKept));
  return clear(
    old.filter((entry) => mayGo(entry) && entry.tokens >= resultTokensMin),
    reason,
  );
}

/** Everything older than what is protected, and what is useless or superseded wherever it stands; or nothing for little. */
export function planPrune({ results, turn }: ResultIndex): Cleared | undefined {
  const chosen: ShownResult[] = [];
  let newerTokens = 0;
  for (const entry of results.toReversed()) {
    if (entry.result.cleared !== undefined) continue;
    const isOld = newerTokens >= protectedTokens && entry.turn <= turn - protectedTurns;
    newerTokens += entry.tokens;
    if (mayGo(entry) && (isIdle(entry) || (isOld && entry.tokens >= resultTokensMin))) chosen.push(entry);
  }
  const cleared = clear(chosen.reverse(), "size");
  return cleared !== undefined && cleared.tokensFreed >= pruneTokensMin ? cleared : undefined;
}

export type UneventfulOptions = {
  readonly dropUseless: boolean;
  readonly supersedeReads: boolean;
  /** Nothing of the conversation is in the vendor's cache any more. */
  readonly isCacheExpired: boolean;
  /** The last turn has ended, and what was read for it has served. */
  readonly isTurnOver: boolean;
};

/** What says nothing, or nothing new, once it can go for little. */
export function planUneventful(index: ResultIndex, options: UneventfulOptions): readonly Cleared[] {
  const candidates = options.isCacheExpired ? index.results : index.fresh;
  if (candidates.length === 0) return [];
  const turn = options.isTurnOver ? index.turn + 1 : index.turn;
  const useless: ShownResult[] = [];
  const superseded: ShownResult[] = [];
  for (const entry of candidates) {
    if (!mayGo(entry)) continue;
    if (options.dropUseless && entry.result.useless === true) useless.push(entry);
    else if (options.supersedeReads && isSettled(entry, turn)) superseded.push(entry);
  }
  return [clear(inOrder(useless), "useless", uneventfulText), clear(inOrder(superseded), "superseded")].filter(
    (fact) => fact !== undefined,
  );
}

/** An edit tells only what it changes: until its turn ends, the read before it is what the model works from. */
function isSettled({ superseded }: ShownResult, turn: number): boolean {
  return superseded !== undefined && (superseded.by !== "edit" || superseded.turn < turn);
}

/** What failed is remembered, so that it is not tried again. */
function mayGo({ result, isKept, isSeen }: ShownResult): boolean {
  return result.cleared === undefined && result.outcome === "completed" && isSeen && !isKept;
}

function inOrder(entries: readonly ShownResult[]): readonly ShownResult[] {
  return entries.toSorted((left, right) => left.endTokens - right.endTokens);
}

/** Undefined where nothing would become shorter. */
function clear(entries: readonly ShownResult[], reason: ClearReason, text = clearedText): Cleared | undefined {
  const longer = entries.filter(({ tokens }) => tokens > tokensOfText(text));
  if (longer.length === 0) return undefined;
  return {
    type: "context.cleared",
    reason,
    results: longer.map(({ stepId, result }) => ({ stepId, callId: result.callId, text })),
    tokensFreed: Math.floor(tokensFreed(longer.map((entry) => ({ entry, text })))),
  };
}
