/** Has the older part of a conversation printed on pictures, in the place of a summary in words. No model is asked. */
import {
  type CompactionItem,
  type FactOf,
  type Failure,
  type HistoryToPrint,
  type Model,
  noUsage,
  type PrintHistory,
  type PrintSettings,
  type SessionState,
} from "@kedge/protocol";
import { estimateTokens } from "../window/estimate-tokens.ts";
import { withoutFilesBlock } from "../window/files-block.ts";
import type { Spending } from "./compaction-parts.ts";
import type { Cut } from "./cut.ts";

export type PrintedCut = Spending &
  (
    | ({ readonly ok: true; readonly text: string; readonly tokens: number } & Required<
        Pick<FactOf<"context.compacted">, "frames" | "archive">
      >)
    | { readonly ok: false; readonly failure: Failure }
  );

const free: Spending = { usage: noUsage, cost: { usd: 0, estimated: false } };

export type PrintParts = {
  readonly state: SessionState;
  readonly model: Model;
  readonly redact: (text: string) => string;
  readonly print: PrintHistory;
  readonly settings?: PrintSettings;
};

export async function printCut(cut: Cut, { state, print, ...options }: PrintParts): Promise<PrintedCut> {
  const items = [...cut.history, ...cut.turnBeginning];
  const printed = await print({ items, ...before(state.items[0]) }, options);
  if (printed === undefined) return { ok: false, failure: unprintable, ...free };
  const { guide: text, frames, archive, frameTokens } = printed;
  return { ok: true, text, frames, archive, tokens: frameTokens + estimateTokens(text), ...free };
}

function before(item: SessionState["items"][number] | undefined): Omit<HistoryToPrint, "items"> {
  if (item?.type !== "compaction") return {};
  const { archive, frames = [], summary }: CompactionItem = item;
  return archive === undefined ? { earlierSummary: withoutFilesBlock(summary) } : { previous: { frames, ...archive } };
}

const unprintable: Failure = {
  code: "bad_request",
  message: "Much of the conversation cannot be rendered as images.",
  recovery: "Set compaction.strategy to summary.",
  retryable: false,
};
