/** Which results the model need not see any longer, decided without asking one. Calls are never touched. */
import type { ClearReason, FactOf } from "@kedge/protocol";
import { type Clearing, tokensFreed } from "./after-clearing.ts";
import { tokensOfText } from "./estimate-tokens.ts";
import { isIdle, type ResultIndex, type ShownResult } from "./result-index.ts";
import { type CachePrices, worthClearing } from "./worth-clearing.ts";

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
  const chosen = old.filter((entry) => mayGo(entry) && entry.tokens >= resultTokensMin);
  return clear(chosen.map(asCleared), reason);
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
  const cleared = clear(chosen.reverse().map(asCleared), "size");
  return cleared !== undefined && cleared.tokensFreed >= pruneTokensMin ? cleared : undefined;
}

export type UneventfulOptions = {
  readonly dropUseless: boolean;
  readonly supersedeReads: boolean;
  /** The last turn has ended, and what was read for it has served. */
  readonly isTurnOver: boolean;
  /** What clearing must be worth, where it would cost a cache that the vendor still has. */
  readonly prices?: CachePrices;
};

/** What says nothing, or nothing new. */
export function planUneventful(index: ResultIndex, options: UneventfulOptions): readonly Cleared[] {
  const turn = options.isTurnOver ? index.turn + 1 : index.turn;
  const clearings = index.results.flatMap((entry): readonly UneventfulClearing[] => {
    if (!mayGo(entry)) return [];
    if (options.dropUseless && entry.result.useless === true) return shorter(entry, "useless", uneventfulText);
    return options.supersedeReads && isSettled(entry, turn) ? shorter(entry, "superseded", clearedText) : [];
  });
  const chosen = options.prices === undefined ? clearings : worthClearing(clearings, index, options.prices);
  return (["useless", "superseded"] as const)
    .map((reason) =>
      clear(
        chosen.filter((clearing) => clearing.reason === reason),
        reason,
      ),
    )
    .filter((fact) => fact !== undefined);
}

type UneventfulClearing = Clearing & { readonly reason: Extract<ClearReason, "useless" | "superseded"> };

function shorter(
  entry: ShownResult,
  reason: UneventfulClearing["reason"],
  text: string,
): readonly UneventfulClearing[] {
  return isShorter({ entry, text }) ? [{ entry, text, reason }] : [];
}

/** An edit tells only what it changes: until its turn ends, the read before it is what the model works from. */
function isSettled({ superseded }: ShownResult, turn: number): boolean {
  return superseded !== undefined && (superseded.by !== "edit" || superseded.turn < turn);
}

const asCleared = (entry: ShownResult): Clearing => ({ entry, text: clearedText });

/** What failed is remembered, so that it is not tried again. */
function mayGo({ result, isKept, isSeen }: ShownResult): boolean {
  return result.cleared === undefined && result.outcome === "completed" && isSeen && !isKept;
}

function isShorter({ entry, text }: Clearing): boolean {
  return entry.tokens > tokensOfText(text);
}

/** Undefined where nothing would become shorter. */
function clear(clearings: readonly Clearing[], reason: ClearReason): Cleared | undefined {
  const shorter = clearings.filter(isShorter);
  if (shorter.length === 0) return undefined;
  return {
    type: "context.cleared",
    reason,
    results: shorter.map(({ entry, text }) => ({ stepId: entry.stepId, callId: entry.result.callId, text })),
    tokensFreed: Math.floor(tokensFreed(shorter)),
  };
}
