/** Has the older part of a conversation printed on pictures, in the place of a summary in words. No model is asked. */
import {
  type CompactionItem,
  type FactOf,
  type Failure,
  type Model,
  noUsage,
  type SessionState,
} from "@kedge/protocol";
import { withoutFilesBlock } from "../upkeep/files-block.ts";
import type { SnapcompactSettings, Spending } from "./compaction-parts.ts";
import type { Cut } from "./cut.ts";

export type PrintedCut = Spending &
  (
    | ({ readonly ok: true; readonly text: string } & Required<Pick<FactOf<"context.compacted">, "frames" | "archive">>)
    | { readonly ok: false; readonly failure: Failure }
  );

const free: Spending = { usage: noUsage, cost: { usd: 0, estimated: false } };

/** Where more of a text than this can be printed only by its numbers, nobody reads it from a picture. */
const unprintableShareMax = 0.05;

export type PrintParts = {
  readonly state: SessionState;
  readonly model: Model;
  readonly redact: (text: string) => string;
  readonly settings?: SnapcompactSettings;
};

export function mayPrint({ capabilities }: Model): boolean {
  return capabilities?.images === true;
}

export async function printCut(cut: Cut, { state, model, redact, settings = {} }: PrintParts): Promise<PrintedCut> {
  // Fonts and tables are large, and few conversations come to this.
  const { archiveText, defaultArchiveCaps, frameMedia, frameOf, framesMaxFor, printArchive, readingGuide, shapeFor } =
    await import("../snapcompact/index.ts");
  const { shape: forced, framesMax: framesWanted = Number.POSITIVE_INFINITY, ...given } = settings;
  const caps = { ...defaultArchiveCaps, ...given };
  const history = archiveText([...cut.history, ...cut.turnBeginning], { redact, caps });
  const earlier = state.items[0]?.type === "compaction" ? state.items[0] : undefined;
  const shape = shapeFor(model, forced);
  const framesMax = Math.min(framesMaxFor(model), framesWanted);
  const printed = printArchive({ history, ...before(earlier) }, shape, { framesMax, redact });
  if (printed.unprintable > history.length * unprintableShareMax) return { ok: false, failure: unprintable, ...free };
  const { tail, dropped } = printed;
  return {
    ok: true,
    text: readingGuide(printed, shape),
    frames: printed.frames.map(frameMedia),
    archive: { tail, dropped },
    ...free,
  };

  function before(item: CompactionItem | undefined) {
    if (item === undefined) return {};
    if (item.archive === undefined) return { earlierSummary: withoutFilesBlock(item.summary) };
    return { previous: { frames: (item.frames ?? []).flatMap((media) => frameOf(media) ?? []), ...item.archive } };
  }
}

const unprintable: Failure = {
  code: "bad_request",
  message: "Much of the conversation cannot be printed.",
  recovery: "Set compaction.strategy to summary.",
  retryable: false,
};
