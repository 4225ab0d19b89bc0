/** One compaction from the cut to its fact. Until that fact is stored the old conversation is in force. */
import {
  type Answer,
  type CompactionStrategy,
  type CompactionTrigger,
  type ConversationItem,
  type FactOf,
  type Failure,
  forkMark,
  type Jobs,
  type Model,
  noUsage,
  type RequestPrefix,
  type SessionState,
  sightedPath,
  type ToolSchema,
} from "@kedge/protocol";
import type { SystemTexts } from "../context/context-builder.ts";
import type { Journal } from "../journal.ts";
import { askToCompact, type CompactionWishes } from "../moments/outside-compaction.ts";
import type { EngineParts } from "../parts.ts";
import { estimateTokens, padTokens } from "../window/estimate-tokens.ts";
import { filesBlock, withoutFilesBlock } from "../window/files-block.ts";
import type { CompactionSettings } from "../window/settings.ts";
import type { Thresholds } from "../window/thresholds.ts";
import { touchedFiles } from "../window/touched-files.ts";
import { askVendor, type VendorAnswer } from "./ask-vendor.ts";
import { boundaryOf } from "./boundary.ts";
import type { CompactionOutcome, Spending } from "./compaction-parts.ts";
import { type Cut, findCut } from "./cut.ts";
import type { FileKnowledge } from "./file-knowledge.ts";
import { printCut } from "./print-cut.ts";
import { type Restored, restore } from "./restore.ts";
import { serialise } from "./serialise.ts";
import { added, type SummariserParts, summarise } from "./summarise.ts";
import { summariseFork } from "./summarise-fork.ts";
import { joinSummaries, plainSummariser, type SummaryWish, shortSummaryOf } from "./texts.ts";

/** How much of the window the turns of an unfinished task may keep. */
const taskShare = 0.1;
/** How much of what makes a compaction due may be left standing, so that the next one is far. */
const keptShare = 0.5;
const restoredTokensMax = 50_000;
/** A count that is further off than this counts something else. */
const scaleMax = 2;

export type CompactionOptions = {
  readonly trigger: CompactionTrigger;
  readonly strategy: CompactionStrategy;
  readonly instructions?: string;
  /** The model that will go on. */
  readonly model: Model;
  readonly thresholds: Thresholds;
  /** Of everything that is in the next request now. */
  readonly tokensBefore: number;
  readonly fixedTokens: number;
  /** What the vendor counted divided by what was estimated for the same; 1 where nobody counted. */
  readonly scale: number;
  /** What a budget leaves for the summary. */
  readonly outputTokensMax: number;
  readonly system: SystemTexts;
  readonly tools: readonly ToolSchema[];
};

export type CompactorParts = {
  readonly engine: EngineParts;
  readonly journal: Journal;
  readonly jobs: Pick<Jobs, "list">;
  readonly files: FileKnowledge;
  readonly settings: CompactionSettings;
  /** What the next request of the session begins with. */
  readonly prefix: () => Promise<Answer<RequestPrefix>>;
};

export async function compact(
  parts: CompactorParts,
  given: CompactionOptions,
  signal: AbortSignal,
): Promise<CompactionOutcome> {
  const { engine, journal } = parts;
  const { trigger } = given;
  const cut = cutFor(journal.state, parts.settings, given);
  if (cut === undefined) return { kind: "nothing" };
  const outside = (engine.sessionMoments ?? []).length === 0 ? {} : await askToCompact(parts, given, signal);
  if (signal.aborted) return { kind: "aborted" };
  if ("failure" in outside) return { kind: "failed", failure: outside.failure, ...nothingSpent };
  const replaced = [...cut.history, ...cut.turnBeginning];
  const replacedTokens = sumOf(replaced);
  const { sessionId } = journal.state;
  const tell = (text: string) => journal.signal({ type: "notice", sessionId, text });
  const made = shorterOf(outside.made, replacedTokens, tell);
  const { context, data, instructions } = outside;
  const options: Options = {
    ...given,
    ...(instructions !== undefined && { instructions }),
    ...(context !== undefined && { context }),
    ...(data !== undefined && { data }),
    ...(made !== undefined && { by: made.by }),
  };
  tell("Compacting the conversation.");
  const [vendor, summarised] = await Promise.all([
    made === undefined ? askVendor(cut, parts, options, signal) : noVendor,
    made === undefined
      ? standIn(cut, parts, options, signal)
      : ({ ok: true, text: made.summary, ...nothingSpent } as const),
  ]);
  if (signal.aborted) return { kind: "aborted" };
  const spent = added(spendingOf(vendor), spendingOf(summarised));
  const failed = async (failure: Failure): Promise<CompactionOutcome> => {
    const { usage, cost } = spent;
    await journal.emit({ type: "compaction.failed", trigger, failure, usage, cost });
    return { kind: "failed", failure, ...spent };
  };
  if (!summarised.ok) return failed(summarised.failure);
  const isShortened =
    "history" in vendor && vendor.history !== undefined && padTokens(vendor.history.tokens) < replacedTokens;
  const written = {
    ...writtenSummary(summarised.text, parts),
    ...(made?.shortSummary !== undefined && { shortSummary: shortSummaryOf(made.shortSummary) }),
    ...picturesOf(summarised),
    ...(isShortened && { vendorHistory: vendor.history }),
  };
  const summaryTokens = Math.max(estimateTokens(written.summary), isShortened ? padTokens(vendor.history.tokens) : 0);
  if (summaryTokens >= replacedTokens) return failed(notSmaller);
  const room = options.thresholds.compactAt * (1 - keptShare / 2) - options.fixedTokens - sumOf(cut.kept);
  const restored = await restore(cut, {
    engine: parts.engine,
    state: journal.state,
    jobs: parts.jobs,
    tokensMax: Math.min(restoredTokensMax, Math.min(replacedTokens, room) - summaryTokens),
  });
  if (signal.aborted) return { kind: "aborted" };
  const fact = factOf({ cut, written, restored, spent }, parts, options);
  const { files } = parts;
  const stillKnown = restored.stillShown.flatMap((path) => {
    const contentHash = files.known(path);
    return contentHash === undefined ? [] : [{ path, contentHash }];
  });
  await journal.emit(fact);
  files.forgetAllBut([...stillKnown, ...restored.files]);
  const { shortSummary, tokensBefore, tokensAfter } = fact;
  return { kind: "compacted", shortSummary, tokensBefore, tokensAfter, ...spent };
}

type Options = CompactionOptions & Pick<CompactionWishes, "context" | "data"> & { readonly by?: string };

/** A summary from outside counts only where it would do what a summary is for. */
function shorterOf(made: CompactionWishes["made"], replacedTokens: number, tell: (text: string) => void) {
  if (made === undefined || (made.summary !== "" && estimateTokens(made.summary) < replacedTokens)) return made;
  const problem = made.summary === "" ? "is empty" : "is not shorter than the original";
  tell(`The summary of ${made.by} ${problem}. Using a model instead.`);
  return undefined;
}

/** Pictures where they are wanted and can be read, otherwise words. */
async function standIn(cut: Cut, parts: CompactorParts, options: Options, signal: AbortSignal) {
  const { redact, compaction: { printHistory: print, snapcompact: settings } = {} } = parts.engine;
  if (options.strategy === "summary" || print === undefined) return summariseCut(cut, parts, options, signal);
  const { state } = parts.journal;
  const printed = await printCut(cut, { state, model: options.model, redact, print, ...(settings && { settings }) });
  const isSmaller = printed.ok && printed.tokens < sumOf([...cut.history, ...cut.turnBeginning]);
  if (isSmaller) return printed;
  const [first] = state.items;
  // Whoever sums up in words sees no pictures, and what is on them would be lost.
  if (first?.type === "compaction" && first.archive !== undefined) {
    return { ok: false, failure: notSmaller, ...spendingOf(printed) } as const;
  }
  return summariseCut(cut, parts, options, signal);
}

type Pictures = Pick<FactOf<"context.compacted">, "frames" | "archive">;
/** What else stands for the same part, each for the models that read it. */
type Forms = Pictures & Pick<FactOf<"context.compacted">, "vendorHistory">;

function picturesOf(made: object): Pictures {
  if (!("frames" in made) || !("archive" in made)) return {};
  // Only a printed cut has these members.
  const { frames, archive } = made as Required<Pictures>;
  return { frames, archive };
}

function spendingOf({ usage, cost, model }: Spending): Spending {
  return { usage, cost, ...(model !== undefined && { model }) };
}

/** Where the usual rules would keep everything although it has to shrink, only the last turn is kept. */
function cutFor(
  state: SessionState,
  settings: CompactionSettings,
  { trigger, model, thresholds, scale }: CompactionOptions,
): Cut | undefined {
  const inEstimate = (tokens: number) => Math.floor(tokens / scale);
  const limits = {
    tokensOf: estimateTokens,
    recentTokens: inEstimate(settings.keepRecentTokens),
    taskTokens: inEstimate(model.contextTokens * taskShare),
    keptTokensMax: inEstimate(thresholds.compactAt * keptShare),
    firstNewIndex: firstNewIndex(state),
  };
  const cut = findCut(state.items, limits);
  if (cut !== undefined || trigger === "threshold") return cut;
  return findCut(state.items, { ...limits, recentTokens: 0, taskTokens: 0 });
}

/** What an earlier summary kept stands between it and the first item that was added after it. */
function firstNewIndex({ items, tree }: SessionState): number {
  const boundary = items[0];
  if (boundary?.type !== "compaction") return 0;
  const index = items.findIndex(({ id }) => tree.get(id)?.parent === boundary.id);
  return index === -1 ? items.length : index;
}

async function summariseCut(cut: Cut, parts: CompactorParts, options: Options, signal: AbortSignal) {
  const { state } = parts.journal;
  const summariser = await summariserParts(parts, options);
  const previous = previousSummary(state.items);
  const isUnderPressure = state.pressure !== "calm";
  const { instructions, context } = options;
  const wish = {
    isUnderPressure,
    ...(instructions !== undefined && { instructions }),
    ...(context !== undefined && { context }),
  };
  const forked = await summariseFork(
    {
      engine: parts.engine,
      state,
      prefix: parts.prefix,
      model: options.model,
      tokensBefore: options.tokensBefore,
      ...wish,
    },
    summariser,
    signal,
  );
  if (forked?.ok) return forked;
  const asText = await summariseText(cut, previous, { ...wish, summariser }, signal);
  return forked === undefined ? asText : { ...asText, ...added(forked.spent, asText) };
}

/** The part that is cut off, as data in a request of its own. */
async function summariseText(
  cut: Cut,
  previous: string | undefined,
  given: Pick<SummaryWish, "instructions" | "context" | "isUnderPressure"> & { readonly summariser: SummariserParts },
  signal: AbortSignal,
) {
  const { summariser, ...wish } = given;
  const before = previous === undefined ? {} : { previousSummary: previous };
  const history = serialise(cut.history);
  const beginning = serialise(cut.turnBeginning);
  if (beginning.length === 0)
    return summarise({ of: "history", groups: history, ...before, ...wish }, summariser, signal);
  if (history.length === 0) {
    // An earlier summary already tells how the turn began; the same summary goes on with it.
    if (previous !== undefined) {
      return summarise({ of: "history", groups: beginning, ...before, ...wish }, summariser, signal);
    }
    const only = await summarise({ of: "turn", groups: beginning, ...wish }, summariser, signal);
    return only.ok ? { ...only, text: joinSummaries(undefined, only.text) } : only;
  }
  const first = await summarise({ of: "history", groups: history, ...before, ...wish }, summariser, signal);
  if (!first.ok || signal.aborted) return first;
  const second = await summarise({ of: "turn", groups: beginning, ...wish }, summariser, signal);
  const spent = added(first, second);
  return second.ok
    ? { ok: true as const, text: joinSummaries(first.text, second.text), ...spent }
    : { ...second, ...spent };
}

export async function summariserParts(
  { engine, journal, settings }: Pick<CompactorParts, "engine" | "journal" | "settings">,
  { model, outputTokensMax }: Pick<CompactionOptions, "model" | "outputTokensMax">,
): Promise<SummariserParts> {
  const { models, newRequestId, redact, compaction } = engine;
  const { sessionId } = journal.state;
  const remote = settings.remoteEnabled ? compaction?.remoteSummary : undefined;
  return {
    models,
    system: (await compaction?.system?.()) ?? plainSummariser,
    candidates: [...new Set([...(compaction?.model === undefined ? [] : [compaction.model]), model.ref])],
    ...(remote !== undefined && { remoteSummary: remote }),
    newRequestId,
    redact,
    outputTokensMax,
    notice: (text) => journal.signal({ type: "notice", sessionId, text }),
  };
}

function previousSummary(items: readonly ConversationItem[]): string | undefined {
  const first = items[0];
  return first?.type === "compaction" ? withoutFilesBlock(first.summary) : undefined;
}

type WrittenSummary = Forms & {
  readonly summary: string;
  readonly shortSummary: string;
  readonly files: FactOf<"context.compacted">["files"];
};

/** The list of files is ours: a model that names them may forget some. It covers everything since the beginning. */
function writtenSummary(text: string, { engine, journal }: CompactorParts): WrittenSummary {
  const { state } = journal;
  const own = engine.redact(withoutFilesBlock(text));
  const items = sightedPath(state, state.leaf);
  const files = touchedFiles(state, { root: engine.workspace.root, previous: undefined, items });
  const block = filesBlock(files);
  const mark = isFork(state.items) ? `${forkMark}\n` : "";
  return {
    summary: `${mark}${block === undefined ? own : `${own}\n\n${block}`}`,
    shortSummary: shortSummaryOf(own),
    files,
  };
}

/** A copy of its conversation is still one that must not be forked. */
function isFork(items: readonly ConversationItem[]): boolean {
  return items.some(
    (item) =>
      (item.type === "prompt" && item.text.includes(forkMark)) ||
      (item.type === "compaction" && item.summary.includes(forkMark)),
  );
}

type Finished = {
  readonly cut: Cut;
  readonly written: WrittenSummary;
  readonly restored: Restored;
  readonly spent: Spending;
};

function factOf(
  { cut, written, restored, spent }: Finished,
  parts: CompactorParts,
  options: Options,
): FactOf<"context.compacted"> {
  const { engine, journal, jobs } = parts;
  const { trigger, tokensBefore, model: _, strategy: __, ...carried } = options;
  const compactionId = engine.newId("cmp_");
  const firstKeptId = cut.kept[0]?.id;
  const itemsReplaced = cut.history.length + cut.turnBeginning.length;
  const { summary, frames, vendorHistory } = written;
  const forms = { ...(frames !== undefined && { frames }), ...(vendorHistory !== undefined && { vendorHistory }) };
  const shown = { type: "compaction", id: compactionId, summary, restored: restored.texts, ...forms } as const;
  const strategy = frames === undefined ? "summary" : "snapcompact";
  const tokensAfter = options.fixedTokens + estimateTokens(shown) + sumOf(cut.kept);
  const sizes = { tokensBefore, tokensAfter, messageCount: itemsReplaced };
  return {
    type: "context.compacted",
    compactionId,
    trigger,
    strategy,
    ...written,
    restored: restored.texts,
    ...(firstKeptId !== undefined && { firstKeptId }),
    itemsReplaced,
    tokensBefore,
    tokensAfter,
    boundary: boundaryOf(
      {
        ...{ trigger, strategy, ...carried, ...sizes, ...spent, cut, restored },
        ...(vendorHistory !== undefined && { shortenedBy: vendorHistory.provider }),
      },
      journal.state,
      jobs,
    ),
    ...(spent.model !== undefined && { model: spent.model }),
    usage: spent.usage,
    cost: spent.cost,
  };
}

function sumOf(items: readonly ConversationItem[]): number {
  return items.reduce((sum, item) => sum + estimateTokens(item), 0);
}

const nothingSpent: Spending = { usage: noUsage, cost: { usd: 0, estimated: false } };

const noVendor: VendorAnswer = nothingSpent;

const notSmaller: Failure = {
  code: "malformed_response",
  message: "Compaction failed: the summary was not shorter than the original.",
  recovery: "Retry with /compact, or switch models with /model.",
  retryable: true,
};

/** What an estimate is off by: what the vendor counted divided by what was estimated for the same. */
export function scaleOf({ anchor, items }: SessionState, fixedTokens: number): number {
  if (anchor === undefined) return 1;
  const estimated = fixedTokens + sumOf(items.slice(0, anchor.itemCount));
  return Math.min(scaleMax, Math.max(1 / scaleMax, anchor.tokens / estimated));
}
