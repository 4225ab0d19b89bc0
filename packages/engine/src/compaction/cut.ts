/** Where a conversation is cut: what a summary stands for from now on, and what stays word for word after it. */
import { type ConversationItem, toolCalls } from "@kedge/protocol";

export type Cut = {
  /** Whole turns, and what an earlier summary kept. */
  readonly history: readonly ConversationItem[];
  /** The beginning of a turn whose end is kept; empty when the cut lies between two turns. */
  readonly turnBeginning: readonly ConversationItem[];
  readonly kept: readonly ConversationItem[];
};

export type CutLimits = {
  readonly tokensOf: (item: ConversationItem) => number;
  /** Turns before the last one are kept as long as everything kept has no more than this. */
  readonly recentTokens: number;
  /** The turns of a task that is not finished are kept together up to this. */
  readonly taskTokens: number;
  /** A last turn larger than this is cut inside. */
  readonly keptTokensMax: number;
  /** The first item since the last summary: nothing before it can be kept again. */
  readonly firstNewIndex: number;
};

/** Undefined when there is nothing that a summary could stand for. */
export function findCut(items: readonly ConversationItem[], limits: CutLimits): Cut | undefined {
  const sizes = sizesToEnd(items, limits.tokensOf);
  const sizeFrom = (index: number) => sizes[index] ?? 0;
  const starts = turnStarts(items);
  const newStarts = starts.filter((index) => index >= limits.firstNewIndex);
  const betweenTurns = turnCut(items, newStarts, { ...limits, sizeFrom });
  if (betweenTurns !== undefined) return cutAt(items, { turn: betweenTurns, kept: betweenTurns });
  const turn = starts.at(-1) ?? 0;
  const first = Math.max(1, items.findLastIndex(isTurnStart) + 1, limits.firstNewIndex);
  const kept = insideCut(items, { ...limits, sizeFrom, first });
  return cutAt(items, { turn, kept });
}

type Measured = CutLimits & { readonly sizeFrom: (index: number) => number };

/** The start of the first turn that is kept; undefined when even the last one is too large. */
function turnCut(
  items: readonly ConversationItem[],
  starts: readonly number[],
  { sizeFrom, recentTokens, taskTokens, keptTokensMax }: Measured,
): number | undefined {
  let kept = starts.length - 1;
  const last = starts[kept];
  if (last === undefined || sizeFrom(last) > keptTokensMax) return undefined;
  let isSameTask = true;
  for (let before = kept - 1; before >= 0; before -= 1) {
    const start = starts[before] ?? 0;
    isSameTask &&= !isCompleted(items.slice(start, starts[before + 1]));
    const tokensMax = Math.min(keptTokensMax, isSameTask ? Math.max(taskTokens, recentTokens) : recentTokens);
    if (sizeFrom(start) > tokensMax) break;
    kept = before;
  }
  return starts[kept];
}

/** The earliest place inside the last turn from which on everything is small enough; the end when there is none. */
function insideCut(
  items: readonly ConversationItem[],
  { sizeFrom, recentTokens, keptTokensMax, first }: Measured & { readonly first: number },
): number {
  const places = items.flatMap((item, index) => (index >= first && isCutPlace(item) ? [index] : []));
  const place =
    places.find((index) => sizeFrom(index) <= Math.min(recentTokens, keptTokensMax)) ??
    places.findLast((index) => sizeFrom(index) <= keptTokensMax) ??
    items.length;
  // What kedge said just before an answer belongs to it.
  return withRemindersBefore(items, place, first);
}

function cutAt(
  items: readonly ConversationItem[],
  { turn, kept }: { readonly turn: number; readonly kept: number },
): Cut | undefined {
  const cut: Cut = {
    history: items.slice(0, turn),
    turnBeginning: items.slice(turn, kept),
    kept: items.slice(kept),
  };
  const isEmpty = [...cut.history, ...cut.turnBeginning].every(({ type }) => type === "compaction");
  return isEmpty ? undefined : cut;
}

function sizesToEnd(items: readonly ConversationItem[], tokensOf: CutLimits["tokensOf"]): readonly number[] {
  const sizes: number[] = [];
  let size = 0;
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    if (item !== undefined) size += tokensOf(item);
    sizes[index] = size;
  }
  return sizes;
}

/** What the model was told right before a prompt belongs to its turn. */
function turnStarts(items: readonly ConversationItem[]): readonly number[] {
  return items.flatMap((item, index) => (isTurnStart(item) ? [withRemindersBefore(items, index, 0)] : []));
}

function withRemindersBefore(items: readonly ConversationItem[], index: number, first: number): number {
  let start = index;
  while (start > first && items[start - 1]?.type === "reminder") start -= 1;
  return start;
}

function isTurnStart(item: ConversationItem): boolean {
  return (item.type === "prompt" && item.form === "prompt") || item.type === "record";
}

/** A call and its result are never parted, so nothing begins with a result. */
function isCutPlace({ type }: ConversationItem): boolean {
  return type === "prompt" || type === "answer" || type === "record" || type === "report";
}

/** True when the turn came to an answer that asks for nothing more. */
function isCompleted(turn: readonly ConversationItem[]): boolean {
  const last = turn.findLast(({ type }) => type !== "reminder");
  return last?.type === "answer" && toolCalls(last.content).length === 0;
}
