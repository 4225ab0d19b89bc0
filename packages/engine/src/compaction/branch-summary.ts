/** What another place of the tree is told of the branch that the user leaves. */
import {
  type ConversationItem,
  type FactOf,
  type Failure,
  type Model,
  noUsage,
  sightedPath,
  wholeItem,
} from "@kedge/protocol";
import { estimateTokens } from "../window/estimate-tokens.ts";
import { filesBlock, withoutFilesBlock } from "../window/files-block.ts";
import { touchedFiles } from "../window/touched-files.ts";
import type { CareBasis } from "./care-basis.ts";
import { summariserParts } from "./compact.ts";
import { serialise } from "./serialise.ts";
import { summarise } from "./summarise.ts";

export type BranchWish = {
  /** Where the conversation goes on; undefined before its first word. */
  readonly targetId: string | undefined;
  readonly instructions?: string;
  readonly model: Model;
  /** What of the window is left to the answer. */
  readonly reserveTokens: number;
  /** A summary that somebody else wrote; no model is asked for one. */
  readonly made?: { readonly by: string; readonly summary: string };
};

export type BranchOutcome =
  | { readonly kind: "summarised"; readonly record: FactOf<"message.added"> }
  /** Nothing is left behind. */
  | { readonly kind: "nothing" }
  | { readonly kind: "aborted" }
  | { readonly kind: "failed"; readonly failure: Failure };

/** Moves nothing itself. What a summary cost that failed is recorded here. */
export async function summariseBranch(
  basis: Pick<CareBasis, "engine" | "journal" | "settings">,
  { targetId, instructions, model, reserveTokens, made }: BranchWish,
  signal: AbortSignal,
): Promise<BranchOutcome> {
  const { engine, journal } = basis;
  const { state } = journal;
  const { leaf } = state;
  await journal.recall();
  const itemsTo = (place: string | undefined) => sightedPath(state, place).map(wholeItem);
  const left = leftItems(itemsTo(leaf), itemsTo(targetId));
  const groups = newestGroups(left, model.contextTokens - reserveTokens);
  if (leaf === undefined || groups.length === 0) return { kind: "nothing" };
  const wish = { of: "branch", groups, isUnderPressure: false } as const;
  const summarised =
    made !== undefined
      ? { ok: true as const, text: made.summary, usage: noUsage, cost: { usd: 0, estimated: false } }
      : await summarise(
          { ...wish, ...(instructions !== undefined && { instructions }) },
          await summariserParts(basis, { model, outputTokensMax: model.outputTokensMax }),
          signal,
        );
  const { usage, cost } = summarised;
  if (!summarised.ok) {
    if (usage.input + usage.output > 0) await journal.emit({ type: "session.updated", usage, cost });
    return signal.aborted ? { kind: "aborted" } : { kind: "failed", failure: summarised.failure };
  }
  if (signal.aborted) return { kind: "aborted" };
  const own = engine.redact(withoutFilesBlock(summarised.text));
  const ids = new Set(left.map(({ id }) => id));
  const undoPoints = state.undoPoints.filter(({ promptId }) => ids.has(promptId));
  const { root } = engine.workspace;
  const files = touchedFiles({ ...state, undoPoints }, { root, previous: undefined, items: left });
  const block = filesBlock(files);
  const text = block === undefined ? own : `${own}\n\n${block}`;
  const messageId = engine.newId("msg_");
  const record = { messageId, kind: "branch-summary", text, fromLeafId: leaf, files, usage, cost } as const;
  const by = made === undefined ? {} : { by: made.by };
  return { kind: "summarised", record: { type: "message.added", ...record, ...by } };
}

function leftItems(from: readonly ConversationItem[], to: readonly ConversationItem[]): readonly ConversationItem[] {
  const common = from.findIndex(({ id }, index) => to[index]?.id !== id);
  return common === -1 ? [] : from.slice(common);
}

/** In order, as many of the newest as fit. A summary of earlier work is worth being a little too long. */
function newestGroups(items: readonly ConversationItem[], tokensMax: number): readonly string[] {
  const groups: string[] = [];
  let tokensLeft = tokensMax;
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    const text = item === undefined ? "" : textOf(item, items[index + 1]);
    if (text === "") continue;
    const tokens = estimateTokens(text);
    if (tokens > tokensLeft && item?.type !== "compaction") break;
    groups.unshift(text);
    tokensLeft -= tokens;
    if (tokensLeft <= 0) break;
  }
  return groups;
}

function textOf(item: ConversationItem, next: ConversationItem | undefined): string {
  if (item.type === "compaction") return `[Summary of what came before]: ${withoutFilesBlock(item.summary)}`;
  return serialise(next?.type === "results" ? [item, next] : [item]).join("\n\n");
}
